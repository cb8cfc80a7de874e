/* Memory: mappings, mapped files, the heap. */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void shared_memory(void)
{
    int *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    p[1024] = 3;
    pid_t child = fork();
    if (child == 0) {
        p[0] = 42;
        p[1024]++;
        _exit(0);
    }
    waitpid(child, 0, 0);
    EXPECT(p[0] == 42 && p[1024] == 4);
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setpshared(&attr, 1);
    pthread_mutex_t *mutex = (void *)(p + 512);
    pthread_mutex_init(mutex, &attr);
    pthread_mutex_lock(mutex);
    child = fork();
    if (child == 0) {
        pthread_mutex_lock(mutex);
        p[0] = 99;
        pthread_mutex_unlock(mutex);
        _exit(0);
    }
    usleep(1000);
    p[0] = 1;
    pthread_mutex_unlock(mutex);
    waitpid(child, 0, 0);
    EXPECT(p[0] == 99);
    munmap(p, 8192);
}

/* Mappings, reads and writes of a file show the same contents. */
static void mapped_files(void)
{
    enum { PAGE = 4096 };
    const char *path = "/tmp/mapped";
    char text[16] = { 0 };
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    EXPECT(write(fd, "old-old-old", 11) == 11);
    char *p = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    EXPECT(p != MAP_FAILED && memcmp(p, "old", 4) != 0 && p[0] == 'o');
    /* The mapping shows a write, and reading the mapping does not undo it. */
    EXPECT(pwrite(fd, "NEW", 3, 0) == 3 && memcmp(p, "NEW-old", 7) == 0);
    /* A read shows a change made through the mapping, also through another description. */
    p[4] = 'O';
    EXPECT(pread(fd, text, 11, 0) == 11 && memcmp(text, "NEW-Old-old", 11) == 0);
    int other = open(path, O_RDWR | O_APPEND);
    p[5] = 'L';
    EXPECT(read(other, text, 11) == 11 && memcmp(text, "NEW-OLd-old", 11) == 0);
    EXPECT(write(other, "+", 1) == 1 && p[11] == '+');
    /* A descriptor with O_APPEND can be mapped, and changes through the mapping do not go to the end. */
    char *a = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, other, 0);
    a[6] = 'D';
    EXPECT(p[6] == 'D' && msync(a, PAGE, MS_SYNC) == 0 && munmap(a, PAGE) == 0);
    EXPECT(lseek(fd, 0, SEEK_END) == 12);
    /* A file that is truncated and extended again has zeros. */
    EXPECT(ftruncate(fd, 4) == 0 && ftruncate(fd, 12) == 0 && p[4] == 0 && p[3] == '-');
    EXPECT(munmap(p, 2 * PAGE) == 0 && pread(fd, text, 12, 0) == 12 && memcmp(text, "NEW-\0\0", 6) == 0);
    /* A mapping of a read-only descriptor cannot be made writable, and shows what later writers change. */
    int reader = open(path, O_RDONLY);
    p = mmap(0, PAGE, PROT_READ, MAP_SHARED, reader, 0);
    EXPECT(mprotect(p, PAGE, PROT_READ | PROT_WRITE) == -1 && errno == EACCES);
    char *w = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    w[0] = 'n';
    EXPECT(p[0] == 'n' && munmap(w, PAGE) == 0 && p[0] == 'n');
    EXPECT(pread(reader, text, 1, 0) == 1 && text[0] == 'n' && munmap(p, PAGE) == 0);
    /* Truncated by open. */
    p = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(open(path, O_WRONLY | O_TRUNC));
    EXPECT(write(other, "x", 1) == 1 && p[0] == 'x' && p[1] == 0 && munmap(p, PAGE) == 0);
    /* A private mapping that grows shows more of the file. */
    EXPECT(ftruncate(fd, 0) == 0 && ftruncate(fd, 2 * PAGE) == 0 && pwrite(fd, "2", 1, PAGE) == 1);
    p = mmap(0, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
    p = mremap(p, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
    EXPECT(p != MAP_FAILED && p[PAGE] == '2' && munmap(p, 2 * PAGE) == 0);
    int memory = memfd_create("memory", 0);
    EXPECT(ftruncate(memory, PAGE) == 0);
    p = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    p[9] = 3;
    EXPECT(pread(memory, text, 1, 9) == 1 && text[0] == 3);
    EXPECT(pwrite(memory, "y", 1, 9) == 1 && p[9] == 'y' && munmap(p, PAGE) == 0);
    close(fd), close(other), close(reader), close(memory), unlink(path);
}

static void memory(void)
{
    enum { PAGE = 4096 };
    int anonymous = MAP_PRIVATE | MAP_ANONYMOUS, rw = PROT_READ | PROT_WRITE;
    char *p = mmap(0, 16 * PAGE, rw, anonymous, -1, 0);
    memset(p, 7, 16 * PAGE);
    EXPECT(munmap(p + PAGE, PAGE) == 0);
    EXPECT(mprotect(p, 3 * PAGE, PROT_READ) == -1 && errno == ENOMEM);
    EXPECT(mmap(p + PAGE, PAGE, rw, anonymous | MAP_FIXED_NOREPLACE, -1, 0) == p + PAGE);
    EXPECT(mmap(p + PAGE, PAGE, rw, anonymous | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED);
    EXPECT(mprotect(p, PAGE, rw) == 0);
    EXPECT(madvise(p + 2 * PAGE, PAGE, MADV_DONTNEED) == 0 && p[2 * PAGE] == 0 && p[3 * PAGE] == 7);
    char *q = mremap(p + 3 * PAGE, 13 * PAGE, 40 * PAGE, MREMAP_MAYMOVE);
    EXPECT(q != MAP_FAILED && q[0] == 7 && q[13 * PAGE - 1] == 7 && q[13 * PAGE] == 0);
    EXPECT(mremap(q, 40 * PAGE, PAGE, 0) == q && q[PAGE - 1] == 7);
    int fd = open("/tmp/mapped", O_RDWR | O_CREAT | O_TRUNC, 0600);
    char buffer[5000];
    memset(buffer, 'q', sizeof buffer);
    EXPECT(write(fd, buffer, sizeof buffer) == sizeof buffer);
    char *s = mmap(0, 2 * PAGE, rw, MAP_SHARED, fd, 0);
    EXPECT(s[4999] == 'q' && s[5000] == 0);
    s[0] = 'Z';
    EXPECT(msync(s, 2 * PAGE, MS_SYNC) == 0 && pread(fd, buffer, 1, 0) == 1 && buffer[0] == 'Z');
    s[4999] = 'Y';
    munmap(s, 2 * PAGE);
    EXPECT(pread(fd, buffer, 1, 4999) == 1 && buffer[0] == 'Y');
    s = mmap(0, PAGE, rw, MAP_PRIVATE, fd, PAGE);
    EXPECT(s[903] == 'Y');
    s[903] = 'N';
    EXPECT(pread(fd, buffer, 1, 4999) == 1 && buffer[0] == 'Y');
    close(fd);
    char *heap = sbrk(0);
    EXPECT(sbrk(100000) == heap);
    memset(heap, 1, 100000);
    EXPECT(sbrk(-100000) != (void *)-1 && sbrk(0) == heap);
    volatile char deep[4 << 20];
    deep[0] = deep[sizeof deep - 1] = 1;
    EXPECT(deep[0] + deep[sizeof deep - 1] == 2);
}

/* Attempts to use more memory of the host than the guest was given. */
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

static void memory(const char *unused)
{
    (void)unused;
    for (int shift = 62; shift > 12; shift--)
        for (int flags = 0; flags < 4; flags++) {
            int how = (flags & 1 ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_NORESERVE;
            char *p = mmap(0, 1ul << shift, flags & 2 ? PROT_NONE : PROT_READ | PROT_WRITE, how, -1, 0);
            if (p == MAP_FAILED)
                continue;
            if (!(flags & 2))
                for (size_t i = 0; i < 1ul << shift; i += 4096)
                    p[i] = 1;
            mremap(p, 1ul << shift, 2ul << shift, MREMAP_MAYMOVE);
        }
    while (sbrk(1 << 20) != (void *)-1)
        ;
    /* Many mappings, full pipes, queues of datagrams, and files in memory. */
    for (int i = 0; i < 70000; i++)
        mmap(0, 4096, i & 1 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct rlimit most = { 4096, 4096 };
    setrlimit(RLIMIT_NOFILE, &most);
    for (int p[2]; pipe2(p, O_NONBLOCK) == 0;) {
        fcntl(p[1], F_SETPIPE_SZ, 1 << 20);
        while (write(p[1], buf, sizeof buf) > 0)
            ;
    }
    for (int fd = 3; fd < 2000; fd++)
        close(fd);
    for (int s[2]; socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, s) == 0;)
        while (write(s[0], "x", 1) > 0)
            ;
    for (int fd = 3; fd < 2000; fd++)
        close(fd);
    for (int i = 0; i < 200; i++) {
        int fd = memfd_create("x", 0);
        ftruncate(fd, 1 << 20);
        while (write(fd, buf, sizeof buf) > 0)
            ;
    }
    printf("alive\n");
}

/* Code that is entered at every half-word, so that it is decoded again at each. */
static void code(const char *unused)
{
    (void)unused;
    size_t size = 1 << 20;
    uint16_t *p = mmap(0, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < size / 2; i++)
        p[i] = 1; /* c.nop */
    for (size_t i = 127; i < size / 2; i += 128)
        p[i] = 0x8082; /* ret */
    for (size_t i = 0; i < size / 2; i++)
        ((void (*)(void))(p + i))();
    printf("done\n");
}

/* Mappings with holes between them, each of which is a mapping of the host, then work for which the simulator needs
 * memory. */
static void mappings(const char *unused)
{
    (void)unused;
    static char big[4 << 20];
    char *at = (char *)0x100000000;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    for (int i = 0; i < 60000 && mmap(at, 4096, PROT_NONE, flags, -1, 0) != MAP_FAILED; i++)
        at += 8192;
    for (int i = 0; i < 20; i++)
        mmap(at - 4096 * (2 * i + 1), 4096, PROT_READ, (flags & ~MAP_PRIVATE) | MAP_SHARED, -1, 0);
    int zero = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < 40; i++) {
        read(zero, big, i < 20 ? 100000 : sizeof big);
        if (i % 10 == 0 && fork() == 0)
            _exit(0);
    }
    printf("alive\n");
}

/* Pages so far apart that each needs a page table of its own. */
static void tables(const char *unused)
{
    (void)unused;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    for (int keep = 0; keep < 2; keep++)
        for (size_t at = 0x40000000; at < (1ul << 38) - (1ul << 30); at += 2 << 20) {
            char *p = mmap((void *)at, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
            if (p == MAP_FAILED && errno == EEXIST)
                continue;
            if (p == MAP_FAILED)
                break;
            *p = 1;
            if (!keep)
                munmap(p, 4096);
            else if (at / (2 << 20) % 2)
                /* Still mapped, but inaccessible. */
                mmap(p, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        }
    printf("alive\n");
}

/* Interest lists with as many entries as they accept. */
static void interests(const char *unused)
{
    (void)unused;
    enum { FILES = 30, NUMBERS = 30, LISTS = 300 };
    struct rlimit most = { 4096, 4096 };
    setrlimit(RLIMIT_NOFILE, &most);
    int files[FILES], refused = 0;
    struct epoll_event event = { EPOLLIN };
    for (int i = 0; i < FILES; i++)
        files[i] = eventfd(0, 0);
    for (int list = 0; list < LISTS; list++) {
        int first = epoll_create1(0), epoll = fcntl(first, F_DUPFD, 200);
        close(first);
        for (int k = 0; k < NUMBERS; k++)
            for (int i = 0; i < FILES; i++) {
                dup2(files[i], 100 + k);
                refused += epoll_ctl(epoll, EPOLL_CTL_ADD, 100 + k, &event) != 0;
            }
    }
    printf("%s\n", refused ? "alive" : "all were accepted");
}

/* One object in many mappings, and a call that visits all of them. */
static void sync_areas(const char *unused)
{
    (void)unused;
    size_t size = 200 << 20;
    int fd = memfd_create("object", 0);
    ftruncate(fd, size);
    char *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    for (size_t at = 0; at < size; at += 4 << 20)
        p[at] = 1;
    for (size_t at = 0; at < size; at += 8192)
        mprotect(p + at, 4096, PROT_READ);
    printf("%d\n", msync(p, size, MS_SYNC));
}

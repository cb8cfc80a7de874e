/* Checks of the system that `capvec run` provides, through the C library. Each function is a family; an
 * expectation that does not hold is printed with its line. Runs on any riscv64 Linux. */
#define _GNU_SOURCE
#include "expect.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int handled;
static siginfo_t last;
static uintptr_t handler_stack;

static void note(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    handled++;
    last = *info;
    handler_stack = (uintptr_t)__builtin_frame_address(0);
}

static void on(int signal, int flags)
{
    struct sigaction a = { .sa_sigaction = note, .sa_flags = SA_SIGINFO | flags };
    EXPECT(sigaction(signal, &a, 0) == 0);
    handled = 0;
}

static void reset_signals(void)
{
    for (int s = 1; s < 32; s++)
        if (s != SIGKILL && s != SIGSTOP)
            signal(s, SIG_DFL);
}

static sigjmp_buf back;

static void escape(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    last = *info;
    siglongjmp(back, 1);
}

#define FAULTS(statement) \
    do { \
        if (sigsetjmp(back, 1) == 0) { \
            statement; \
            EXPECT(!"no fault"); \
        } \
    } while (0)

static void faults(void)
{
    struct sigaction a = { .sa_sigaction = escape, .sa_flags = SA_SIGINFO };
    int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP };
    for (int i = 0; i < 4; i++)
        sigaction(signals[i], &a, 0);
    FAULTS(*(volatile int *)8 = 1);
    EXPECT(last.si_signo == SIGSEGV && last.si_code == SEGV_MAPERR && last.si_addr == (void *)8);
    char *p = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    FAULTS(p[5] = 1);
    EXPECT(last.si_code == SEGV_ACCERR && last.si_addr == p + 5);
    FAULTS(((void (*)(void))p)());
    EXPECT(last.si_code == SEGV_ACCERR && last.si_addr == p);
    FAULTS(asm volatile(".word 0xffffffff"));
    EXPECT(last.si_signo == SIGILL && last.si_code == ILL_ILLOPC);
    FAULTS(asm volatile("ebreak"));
    EXPECT(last.si_signo == SIGTRAP && last.si_code == TRAP_BRKPT);
    EXPECT(mprotect(p, 4096, PROT_READ | PROT_WRITE) == 0);
    p[5] = 1;
    EXPECT(munmap(p, 4096) == 0);
    reset_signals();
}

static void signals_sent(void)
{
    on(SIGUSR1, 0);
    raise(SIGUSR1);
    EXPECT(handled == 1 && last.si_code == SI_TKILL && last.si_pid == getpid());
    kill(getpid(), SIGUSR1);
    EXPECT(handled == 2 && last.si_code == SI_USER);
    sigset_t set, old, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &old);
    raise(SIGUSR1);
    raise(SIGUSR1);
    sigpending(&pending);
    EXPECT(handled == 2 && sigismember(&pending, SIGUSR1));
    sigprocmask(SIG_SETMASK, &old, 0);
    EXPECT(handled == 3);
    on(SIGRTMIN + 1, 0);
    sigaddset(&set, SIGRTMIN + 1);
    sigprocmask(SIG_BLOCK, &set, 0);
    for (int i = 0; i < 3; i++)
        sigqueue(getpid(), SIGRTMIN + 1, (union sigval){ .sival_int = 77 });
    sigprocmask(SIG_SETMASK, &old, 0);
    EXPECT(handled == 3 && last.si_code == SI_QUEUE && last.si_value.sival_int == 77);
    on(SIGUSR2, SA_RESETHAND);
    raise(SIGUSR2);
    struct sigaction now;
    sigaction(SIGUSR2, 0, &now);
    EXPECT(handled == 1 && now.sa_handler == SIG_DFL);
    static char stack[65536];
    stack_t alt = { .ss_sp = stack, .ss_size = sizeof stack }, was;
    EXPECT(sigaltstack(&alt, 0) == 0);
    on(SIGUSR1, SA_ONSTACK);
    raise(SIGUSR1);
    EXPECT(handler_stack - (uintptr_t)stack < sizeof stack);
    alt.ss_flags = SS_DISABLE;
    EXPECT(sigaltstack(&alt, &was) == 0 && was.ss_sp == stack && was.ss_flags == 0);
    reset_signals();
}

static const struct itimerval ten_ms = { .it_value = { 0, 10000 } };

static void signals_and_waiting(void)
{
    sigset_t set, old, none;
    sigemptyset(&set);
    sigemptyset(&none);
    sigaddset(&set, SIGALRM);
    on(SIGALRM, 0);
    sigprocmask(SIG_BLOCK, &set, &old);
    setitimer(ITIMER_REAL, &ten_ms, 0);
    EXPECT(sigsuspend(&none) == -1 && errno == EINTR && handled == 1);
    sigprocmask(SIG_SETMASK, &old, 0);
    int fd[2], status;
    char c;
    EXPECT(pipe(fd) == 0);
    setitimer(ITIMER_REAL, &ten_ms, 0);
    EXPECT(read(fd[0], &c, 1) == -1 && errno == EINTR);
    on(SIGALRM, SA_RESTART);
    pid_t child = fork();
    if (child == 0) {
        usleep(50000);
        _exit(write(fd[1], "x", 1) == 1 ? 3 : 4);
    }
    setitimer(ITIMER_REAL, &ten_ms, 0);
    EXPECT(read(fd[0], &c, 1) == 1 && c == 'x' && handled == 1);
    EXPECT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, 0);
    struct timespec ms = { 0, 1000000 }, rest = { 0, 0 };
    siginfo_t info;
    EXPECT(sigtimedwait(&set, &info, &ms) == -1 && errno == EAGAIN);
    child = fork();
    if (child == 0) {
        usleep(1000);
        kill(getppid(), SIGUSR2);
        _exit(0);
    }
    EXPECT(sigwaitinfo(&set, &info) == SIGUSR2 && info.si_pid == child);
    waitpid(child, 0, 0);
    sigprocmask(SIG_SETMASK, &old, 0);
    on(SIGALRM, 0);
    setitimer(ITIMER_REAL, &ten_ms, 0);
    struct timespec half = { 0, 500000000 };
    EXPECT(nanosleep(&half, &rest) == -1 && errno == EINTR);
    EXPECT(rest.tv_sec == 0 && rest.tv_nsec > 480000000 && rest.tv_nsec < 495000000);
    close(fd[0]);
    close(fd[1]);
    reset_signals();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static long counted;
static int added;
static __thread int mine;

static void *worker(void *unused)
{
    (void)unused;
    for (int i = 0; i < 5000; i++) {
        pthread_mutex_lock(&lock);
        counted++;
        pthread_mutex_unlock(&lock);
        mine++;
        __atomic_add_fetch(&added, 1, __ATOMIC_SEQ_CST);
    }
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return (void *)(long)mine;
}

static void *lock_and_die(void *mutex)
{
    pthread_mutex_lock(mutex);
    return 0;
}

static void *meet(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

static void threads(void)
{
    pthread_t t[8];
    for (int i = 0; i < 8; i++)
        EXPECT(pthread_create(&t[i], 0, worker, 0) == 0);
    pthread_mutex_lock(&lock);
    while (counted < 40000)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 8; i++) {
        void *result;
        EXPECT(pthread_join(t[i], &result) == 0 && (long)result == 5000);
    }
    EXPECT(counted == 40000 && added == 40000);
    pthread_mutexattr_t attr;
    pthread_mutex_t robust;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attr);
    pthread_create(t, 0, lock_and_die, &robust);
    pthread_join(t[0], 0);
    EXPECT(pthread_mutex_lock(&robust) == EOWNERDEAD);
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec = (soon.tv_nsec + 5000000) % 1000000000;
    soon.tv_sec += soon.tv_nsec < 5000000;
    pthread_mutex_lock(&lock);
    EXPECT(pthread_cond_timedwait(&changed, &lock, &soon) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_barrier_init(&barrier, 0, 5);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, meet, 0);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}

static void children(void)
{
    int fd[2], status, total = 0, n;
    static char data[100000];
    EXPECT(pipe(fd) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(fd[0]);
        _exit(write(fd[1], data, sizeof data) != sizeof data);
    }
    close(fd[1]);
    while ((n = read(fd[0], data, 4096)) > 0)
        total += n;
    EXPECT(total == sizeof data && wait(&status) == child && status == 0);
    close(fd[0]);
    child = vfork();
    if (child == 0) {
        execl("/proc/self/exe", "system", "seven", NULL);
        _exit(9);
    }
    EXPECT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
    char *const args[] = { "system", "seven", 0 };
    EXPECT(posix_spawn(&child, "/proc/self/exe", 0, 0, args, args + 2) == 0);
    EXPECT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
    EXPECT(posix_spawn(&child, "/nowhere", 0, 0, args, args + 2) == ENOENT);
    child = fork();
    if (child == 0)
        for (;;)
            pause();
    kill(child, SIGSTOP);
    EXPECT(waitpid(child, &status, WUNTRACED) == child && WSTOPSIG(status) == SIGSTOP);
    kill(child, SIGCONT);
    EXPECT(waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status));
    kill(child, SIGKILL);
    EXPECT(waitpid(child, &status, 0) == child && WTERMSIG(status) == SIGKILL);
    EXPECT(wait(&status) == -1 && errno == ECHILD);
    siginfo_t info;
    child = fork();
    if (child == 0)
        _exit(7);
    EXPECT(waitid(P_PID, child, &info, WEXITED | WNOWAIT) == 0 && info.si_status == 7);
    EXPECT(waitid(P_ALL, 0, &info, WEXITED) == 0 && info.si_pid == child);
    on(SIGCHLD, 0);
    child = fork();
    if (child == 0)
        _exit(4);
    while (!handled)
        pause();
    EXPECT(last.si_code == CLD_EXITED && last.si_status == 4 && wait(0) == child);
    signal(SIGCHLD, SIG_IGN);
    child = fork();
    if (child == 0)
        _exit(0);
    EXPECT(waitpid(child, &status, 0) == -1 && errno == ECHILD);
    reset_signals();
    EXPECT(pipe(fd) == 0);
    close(fd[0]);
    child = fork();
    if (child == 0) {
        write(fd[1], "x", 1);
        _exit(0);
    }
    EXPECT(waitpid(child, &status, 0) == child && WTERMSIG(status) == SIGPIPE);
    signal(SIGPIPE, SIG_IGN);
    EXPECT(write(fd[1], "x", 1) == -1 && errno == EPIPE);
    close(fd[1]);
    reset_signals();
}

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

/* A file that is mapped and read and written is one file. */
static void mapped_files(void)
{
    enum { PAGE = 4096 };
    const char *path = "/tmp/mapped";
    char text[16] = { 0 };
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    EXPECT(write(fd, "old-old-old", 11) == 11);
    char *p = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    EXPECT(p != MAP_FAILED && memcmp(p, "old", 4) != 0 && p[0] == 'o');
    /* A write is seen in the mapping, and what is only read does not undo it. */
    EXPECT(pwrite(fd, "NEW", 3, 0) == 3 && memcmp(p, "NEW-old", 7) == 0);
    /* A change in the mapping is seen by a read, through another description too. */
    p[4] = 'O';
    EXPECT(pread(fd, text, 11, 0) == 11 && memcmp(text, "NEW-Old-old", 11) == 0);
    int other = open(path, O_RDWR | O_APPEND);
    p[5] = 'L';
    EXPECT(read(other, text, 11) == 11 && memcmp(text, "NEW-OLd-old", 11) == 0);
    EXPECT(write(other, "+", 1) == 1 && p[11] == '+');
    /* What appends maps, too, and its changes do not go to the end. */
    char *a = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, other, 0);
    a[6] = 'D';
    EXPECT(p[6] == 'D' && msync(a, PAGE, MS_SYNC) == 0 && munmap(a, PAGE) == 0);
    EXPECT(lseek(fd, 0, SEEK_END) == 12);
    /* What becomes shorter and longer again has zeros. */
    EXPECT(ftruncate(fd, 4) == 0 && ftruncate(fd, 12) == 0 && p[4] == 0 && p[3] == '-');
    EXPECT(munmap(p, 2 * PAGE) == 0 && pread(fd, text, 12, 0) == 12 && memcmp(text, "NEW-\0\0", 6) == 0);
    /* Opened for reading only, it stays so; and a mapping that was there first sees later writers. */
    int reader = open(path, O_RDONLY);
    p = mmap(0, PAGE, PROT_READ, MAP_SHARED, reader, 0);
    EXPECT(mprotect(p, PAGE, PROT_READ | PROT_WRITE) == -1 && errno == EACCES);
    char *w = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    w[0] = 'n';
    EXPECT(p[0] == 'n' && munmap(w, PAGE) == 0 && p[0] == 'n');
    EXPECT(pread(reader, text, 1, 0) == 1 && text[0] == 'n' && munmap(p, PAGE) == 0);
    /* Emptied by opening. */
    p = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(open(path, O_WRONLY | O_TRUNC));
    EXPECT(write(other, "x", 1) == 1 && p[0] == 'x' && p[1] == 0 && munmap(p, PAGE) == 0);
    /* A private mapping that becomes longer shows more of the file. */
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

static void waiting_for_files(void)
{
    int list = epoll_create1(0), event = eventfd(0, EFD_NONBLOCK);
    struct epoll_event want = { .events = EPOLLIN, .data.u64 = 55 }, got;
    uint64_t n = 3;
    EXPECT(epoll_ctl(list, EPOLL_CTL_ADD, event, &want) == 0 && epoll_wait(list, &got, 1, 5) == 0);
    EXPECT(write(event, &n, 8) == 8 && epoll_wait(list, &got, 1, -1) == 1 && got.data.u64 == 55);
    EXPECT(read(event, &n, 8) == 8 && n == 3 && read(event, &n, 8) == -1 && errno == EAGAIN);
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec spec = { { 0, 1000000 }, { 0, 2000000 } };
    EXPECT(timerfd_settime(timer, 0, &spec, 0) == 0 && read(timer, &n, 8) == 8 && n >= 1);
    struct pollfd one = { timer, POLLIN, 0 };
    EXPECT(poll(&one, 1, 100) == 1 && one.revents == POLLIN);
    want.data.u64 = 66;
    EXPECT(epoll_ctl(list, EPOLL_CTL_ADD, timer, &want) == 0 && read(timer, &n, 8) == 8);
    EXPECT(epoll_wait(list, &got, 1, 100) == 1 && got.data.u64 == 66);
    int pair[2], fd[2];
    char b[10];
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && send(pair[0], "hey", 3, 0) == 3);
    EXPECT(recv(pair[1], b, 10, 0) == 3 && shutdown(pair[0], SHUT_WR) == 0 && read(pair[1], b, 1) == 0);
    EXPECT(socket(AF_INET, SOCK_STREAM, 0) == -1 && errno == EAFNOSUPPORT);
    EXPECT(pipe(fd) == 0);
    fd_set set;
    struct timeval ms = { 0, 2000 };
    FD_ZERO(&set);
    FD_SET(fd[0], &set);
    EXPECT(select(fd[0] + 1, &set, 0, 0, &ms) == 0);
    pid_t child = fork();
    if (child == 0) {
        usleep(3000);
        _exit(write(fd[1], "k", 1) != 1);
    }
    FD_SET(fd[0], &set);
    EXPECT(select(fd[0] + 1, &set, 0, 0, 0) == 1 && FD_ISSET(fd[0], &set) && wait(0) == child);
    struct iovec parts[3] = { { "ab", 2 }, { 0, 0 }, { "cd", 2 } };
    EXPECT(writev(fd[1], parts, 3) == 4 && read(fd[0], b, 10) == 5 && memcmp(b, "kabcd", 5) == 0);
    EXPECT(open((char *)8, 0) == -1 && errno == EFAULT);
}

/* Signals that are read: those of whoever reads, blocked or not delivered yet. */
static void signals_by_descriptor(void)
{
    sigset_t set, old;
    struct signalfd_siginfo info[4];
    struct epoll_event event = { EPOLLIN | EPOLLET, { 0 } };
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN + 3);
    EXPECT(sigprocmask(SIG_BLOCK, &set, &old) == 0);
    int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC), list = epoll_create1(0);
    EXPECT(fd > 0 && epoll_ctl(list, EPOLL_CTL_ADD, fd, &event) == 0);
    EXPECT(signalfd(-1, &set, 1) == -1 && errno == EINVAL);
    EXPECT(signalfd(list, &set, 0) == -1 && errno == EINVAL);
    EXPECT(read(fd, info, sizeof info) == -1 && errno == EAGAIN);
    struct pollfd p = { fd, POLLIN, 0 };
    EXPECT(poll(&p, 1, 0) == 0);
    for (int i = 0; i < 2; i++)
        sigqueue(getpid(), SIGRTMIN + 3, (union sigval){ .sival_int = 70 + i });
    kill(getpid(), SIGUSR1);
    EXPECT(epoll_wait(list, &event, 1, -1) == 1 && poll(&p, 1, 0) == 1);
    EXPECT(read(fd, info, sizeof *info - 1) == -1 && errno == EINVAL);
    EXPECT(read(fd, info, sizeof info) == 3 * sizeof *info);
    EXPECT(info[0].ssi_signo == SIGUSR1 && info[0].ssi_pid == (unsigned)getpid() && info[0].ssi_code == SI_USER);
    EXPECT(info[1].ssi_int == 70 && info[2].ssi_int == 71 && info[2].ssi_code == SI_QUEUE);
    EXPECT(poll(&p, 1, 0) == 0);
    /* It sleeps until there is one; a child's are its own. */
    EXPECT(fcntl(fd, F_SETFL, 0) == 0);
    pid_t child = fork();
    if (child == 0) {
        usleep(10000);
        kill(getppid(), SIGUSR1);
        kill(getpid(), SIGRTMIN + 3);
        _exit(read(fd, info, sizeof info) != sizeof *info || info[0].ssi_signo != (unsigned)SIGRTMIN + 3);
    }
    int status;
    EXPECT(read(fd, info, sizeof info) == sizeof *info && info[0].ssi_pid == (unsigned)child);
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    /* Another set. */
    sigdelset(&set, SIGUSR1);
    kill(getpid(), SIGUSR1);
    EXPECT(poll(&p, 1, 0) == 1 && signalfd(fd, &set, 0) == fd && poll(&p, 1, 0) == 0);
    signal(SIGUSR1, SIG_IGN);
    EXPECT(sigprocmask(SIG_SETMASK, &old, 0) == 0 && close(fd) == 0 && close(list) == 0);
    reset_signals();
}

/* Locks belong to descriptions, which dup and fork share. */
static void file_locks(void)
{
    int a = open("/tmp/locked", O_RDWR | O_CREAT, 0600), b = open("/tmp/locked", O_RDONLY), status;
    EXPECT(flock(a, LOCK_SH) == 0 && flock(b, LOCK_SH) == 0 && flock(a, LOCK_SH) == 0);
    EXPECT(flock(a, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK);
    EXPECT(flock(b, LOCK_UN) == 0 && flock(a, LOCK_EX) == 0 && flock(a, 0) == -1 && errno == EINVAL);
    EXPECT(flock(b, LOCK_SH | LOCK_NB) == -1 && errno == EWOULDBLOCK);
    EXPECT(flock(dup(a), LOCK_EX | LOCK_NB) == 0 && flock(99, LOCK_SH) == -1 && errno == EBADF);
    pid_t child = fork();
    if (child == 0) {
        int mine = open("/tmp/locked", O_RDONLY);
        _exit(flock(a, LOCK_EX | LOCK_NB) != 0 || flock(mine, LOCK_SH | LOCK_NB) != -1);
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    child = fork();
    if (child == 0) {
        close_range(3, 100, 0);
        int mine = open("/tmp/locked", O_RDONLY);
        _exit(flock(mine, LOCK_EX) != 0);
    }
    usleep(10000);
    EXPECT(waitpid(child, &status, WNOHANG) == 0 && close_range(a, 100, 0) == 0);
    EXPECT(waitpid(child, &status, 0) == child && status == 0 && unlink("/tmp/locked") == 0);
}

/* Calls that do nothing refuse what Linux refuses. */
static void advice(void)
{
    int fd[2];
    EXPECT(pipe(fd) == 0 && posix_fadvise(fd[0], 0, 0, POSIX_FADV_WILLNEED) == ESPIPE);
    EXPECT(posix_fadvise(99, 0, 0, 0) == EBADF && readahead(fd[0], 0, 1) == -1 && errno == EINVAL);
    EXPECT(readahead(fd[1], 0, 1) == -1 && errno == EBADF);
    int file = open("/proc/self/exe", O_RDONLY);
    EXPECT(posix_fadvise(file, 0, 0, POSIX_FADV_NOREUSE) == 0 && posix_fadvise(file, 0, 0, 6) == EINVAL);
    EXPECT(posix_fadvise(file, 0, -1, 0) == EINVAL && readahead(file, 0, 4096) == 0);
    EXPECT(mlockall(0) == -1 && errno == EINVAL && munlockall() == 0 && syncfs(file) == 0);
    EXPECT(sync_file_range(file, 0, 0, 8) == -1 && errno == EINVAL);
    EXPECT(sync_file_range(fd[0], 0, 0, 0) == -1 && errno == ESPIPE);
    EXPECT(setpriority(3, 0, 0) == -1 && errno == EINVAL);
    close_range(fd[0], 100, 0);
}

static void clocks(void)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    usleep(20000);
    clock_gettime(CLOCK_MONOTONIC, &b);
    long passed = (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec;
    EXPECT(passed >= 20000000 && passed < 21000000);
    timer_t timer;
    struct sigevent how = { .sigev_signo = SIGRTMIN + 2, .sigev_value.sival_int = 5 };
    how.sigev_notify = SIGEV_SIGNAL;
    on(SIGRTMIN + 2, 0);
    EXPECT(timer_create(CLOCK_MONOTONIC, &how, &timer) == 0);
    struct itimerspec spec = { { 0, 3000000 }, { 0, 3000000 } };
    EXPECT(timer_settime(timer, 0, &spec, 0) == 0);
    while (handled < 3)
        pause();
    EXPECT(last.si_code == SI_TIMER && last.si_value.sival_int == 5 && timer_delete(timer) == 0);
    on(SIGPROF, 0);
    struct itimerval busy = { .it_value = { 0, 2000 } };
    clock_t start = clock();
    setitimer(ITIMER_PROF, &busy, 0);
    while (!handled)
        ;
    EXPECT(clock() - start >= 2000 && clock() - start < 2200);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    EXPECT(usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec >= 2000);
    EXPECT(time(0) >= 1767225600);
    reset_signals();
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 2)
        return 7;
    faults();
    signals_sent();
    signals_and_waiting();
    threads();
    children();
    shared_memory();
    mapped_files();
    memory();
    waiting_for_files();
    signals_by_descriptor();
    file_locks();
    advice();
    clocks();
    printf("%d failures\n", failures);
    return failures != 0;
}

/* Signals: faults, sending, waiting, signalfd. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* signalfd: a read returns the pending signals of the process that reads. */
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
    /* A read waits for a signal; a child reads its own signals. */
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
    /* The set can be changed. */
    sigdelset(&set, SIGUSR1);
    kill(getpid(), SIGUSR1);
    EXPECT(poll(&p, 1, 0) == 1 && signalfd(fd, &set, 0) == fd && poll(&p, 1, 0) == 0);
    signal(SIGUSR1, SIG_IGN);
    EXPECT(sigprocmask(SIG_SETMASK, &old, 0) == 0 && close(fd) == 0 && close(list) == 0);
    reset_signals();
}

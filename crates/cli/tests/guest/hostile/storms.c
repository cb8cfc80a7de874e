/* Processes, threads and signals without end. */
#include <pthread.h>
#include <sys/time.h>
#include <sys/wait.h>

static void processes(const char *unused)
{
    (void)unused;
    for (;;)
        fork();
}

static void *thread(void *unused)
{
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, thread, 0);
    return unused;
}

static void threads(const char *unused)
{
    (void)unused;
    thread(0);
}

static void handler(int signal)
{
    raise(signal);
}

static void again(int signal)
{
    (void)signal;
    kill(0, SIGRTMIN + 1);
}

static void storm(const char *unused)
{
    (void)unused;
    /* The number of queued signals is limited. */
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    union sigval value = { 0 };
    int queued = 0;
    while (queued < 1 << 20 && sigqueue(getpid(), SIGRTMIN, value) == 0)
        queued++;
    printf("%s\n", queued < 1 << 20 ? "limited" : "unlimited"), fflush(stdout);
    signal(SIGRTMIN, SIG_IGN);
    /* A handler that interrupts itself until the stack is full. */
    if (fork() == 0) {
        struct sigaction a = { .sa_handler = handler, .sa_flags = SA_NODEFER };
        sigaction(SIGUSR1, &a, 0);
        sigprocmask(SIG_UNBLOCK, &all, 0);
        raise(SIGUSR1);
    }
    wait(0);
    /* Timers that expire all the time, and processes that signal each other. */
    signal(SIGALRM, again), signal(SIGRTMIN + 1, again);
    struct itimerval soon = { { 0, 1 }, { 0, 1 } };
    setitimer(ITIMER_REAL, &soon, 0);
    fork(), fork(), fork();
    sigprocmask(SIG_UNBLOCK, &all, 0);
    for (;;)
        ;
}

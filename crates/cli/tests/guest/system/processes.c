/* Threads and child processes. */
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

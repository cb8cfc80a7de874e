/* Checks of record locks (fcntl(2), "Advisory record locking") through the C library. Runs on any Linux with a writable
 * /tmp. */
#define _GNU_SOURCE
#include "expect.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const NAME = "locks.tmp";
static int file;

static int open_again(int flags)
{
    return open(NAME, flags | O_CLOEXEC);
}

static struct flock of(int type, long start, long len)
{
    return (struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = len };
}

static int lock(int fd, int command, int type, long start, long len)
{
    struct flock l = of(type, start, len);
    return fcntl(fd, command, &l);
}

/* The lock that would block a write lock of another process. */
static struct flock seen(long start, long len)
{
    struct flock l = of(F_WRLCK, start, len);
    int channel[2];
    EXPECT(pipe(channel) == 0);
    if (fork() == 0) {
        EXPECT(fcntl(file, F_GETLK, &l) == 0);
        _exit(write(channel[1], &l, sizeof l) != sizeof l);
    }
    EXPECT(read(channel[0], &l, sizeof l) == sizeof l);
    EXPECT(wait(0) > 0 && close(channel[0]) == 0 && close(channel[1]) == 0);
    return l;
}

static int is(struct flock l, int type, long start, long len)
{
    return l.l_type == type && l.l_whence == SEEK_SET && l.l_start == start && l.l_len == len && l.l_pid == getpid();
}

static int is_free(long start, long len)
{
    return seen(start, len).l_type == F_UNLCK;
}

/* Starts a child that exits with the result of f. */
static pid_t start(int (*f)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(f());
    return child;
}

static int result(pid_t child)
{
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int apart(int (*f)(void))
{
    return result(start(f));
}

static void arguments(void)
{
    int reads = open_again(O_RDONLY), writes = open_again(O_WRONLY), path = open_again(O_PATH);
    FAILS(lock(reads, F_SETLK, F_WRLCK, 0, 1), EBADF);
    FAILS(lock(writes, F_SETLK, F_RDLCK, 0, 1), EBADF);
    FAILS(lock(path, F_SETLK, F_UNLCK, 0, 1), EBADF);
    FAILS(lock(file, F_SETLK, 7, 0, 1), EINVAL);
    FAILS(lock(file, F_GETLK, F_UNLCK, 0, 1), EINVAL);
    FAILS(lock(file, F_SETLK, F_WRLCK, -1, 1), EINVAL);
    FAILS(lock(file, F_SETLK, F_WRLCK, 1, -2), EINVAL);
    FAILS(lock(file, F_SETLK, F_WRLCK, 0x7fffffffffffffff, 2), EOVERFLOW);
    FAILS(fcntl(file, F_SETLK, (void *)8), EFAULT);
    struct flock l = { .l_type = F_WRLCK, .l_whence = 3 };
    FAILS(fcntl(file, F_SETLK, &l), EINVAL);
    l = (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 0x7fffffffffffffff };
    EXPECT(lseek(file, 10, SEEK_SET) == 10);
    FAILS(fcntl(file, F_SETLK, &l), EOVERFLOW);
    /* Ranges relative to the position and to the end. */
    l = (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 2, .l_len = -3 };
    EXPECT(fcntl(file, F_SETLK, &l) == 0 && is(seen(0, 0), F_WRLCK, 9, 3));
    EXPECT(lock(file, F_SETLK, F_UNLCK, 0, 0) == 0 && is_free(0, 0));
    l = (struct flock){ .l_type = F_RDLCK, .l_whence = SEEK_END, .l_start = -5 };
    EXPECT(ftruncate(file, 100) == 0 && fcntl(file, F_SETLK, &l) == 0 && is(seen(0, 0), F_RDLCK, 95, 0));
    EXPECT(close(reads) == 0 && is_free(0, 0));
    close(writes);
    close(path);
}

static void ranges(void)
{
    EXPECT(lock(file, F_SETLK, F_WRLCK, 10, 10) == 0 && is(seen(0, 0), F_WRLCK, 10, 10));
    EXPECT(is_free(0, 10) && is_free(20, 0) && is(seen(19, 5), F_WRLCK, 10, 10));
    /* Unlocking makes a hole; a read lock in the middle splits the range into three. */
    EXPECT(lock(file, F_SETLK, F_UNLCK, 14, 2) == 0 && is_free(14, 2));
    EXPECT(is(seen(0, 0), F_WRLCK, 10, 4) && is(seen(14, 0), F_WRLCK, 16, 4));
    EXPECT(lock(file, F_SETLK, F_RDLCK, 12, 6) == 0);
    EXPECT(is(seen(0, 0), F_WRLCK, 10, 2) && is(seen(12, 0), F_RDLCK, 12, 6) && is(seen(18, 0), F_WRLCK, 18, 2));
    /* A write lock that joins its neighbours merges with them. */
    EXPECT(lock(file, F_SETLK, F_WRLCK, 12, 6) == 0 && lock(file, F_SETLK, F_WRLCK, 20, 1) == 0);
    EXPECT(is(seen(0, 0), F_WRLCK, 10, 11));
    /* A process's own locks do not block it. */
    struct flock l = of(F_WRLCK, 0, 0);
    EXPECT(fcntl(file, F_GETLK, &l) == 0 && l.l_type == F_UNLCK && l.l_start == 0);
    EXPECT(lock(file, F_SETLK, F_UNLCK, 0, 0) == 0 && is_free(0, 0));
}

static int cannot_write(void)
{
    return lock(file, F_SETLK, F_WRLCK, 0, 1) == -1 && errno == EAGAIN;
}

static int reads_only(void)
{
    return cannot_write() && lock(file, F_SETLK, F_RDLCK, 0, 1) == 0;
}

static int takes_all(void)
{
    return lock(file, F_SETLK, F_WRLCK, 0, 0) == 0;
}

/* A close in the child keeps the parent's locks. */
static int closes(void)
{
    return close(file) == 0;
}

static void *in_thread(void *unused)
{
    return (void *)(long)(lock(file, F_SETLK, F_WRLCK, 0, 1) == 0);
}

static void owners(void)
{
    EXPECT(lock(file, F_SETLK, F_RDLCK, 0, 1) == 0 && apart(reads_only) == 1);
    EXPECT(lock(file, F_SETLK, F_WRLCK, 0, 1) == 0 && apart(cannot_write) == 1);
    EXPECT(apart(closes) == 1 && apart(cannot_write) == 1);
    pthread_t t;
    void *got = 0;
    EXPECT(pthread_create(&t, 0, in_thread, 0) == 0 && pthread_join(t, &got) == 0 && got);
    /* Closing any descriptor of the file releases the locks: by close, dup2, close_range. */
    int other = open_again(O_RDONLY);
    EXPECT(close(other) == 0 && apart(takes_all) == 1);
    EXPECT(lock(file, F_SETLK, F_WRLCK, 0, 1) == 0 && apart(takes_all) == 0);
    other = dup(file);
    EXPECT(dup2(STDOUT_FILENO, other) == other && apart(takes_all) == 1);
    EXPECT(lock(file, F_SETLK, F_WRLCK, 0, 1) == 0 && close(other) == 0 && apart(takes_all) == 0);
    other = dup(file);
    EXPECT(close_range(other, other, 0) == 0 && apart(takes_all) == 1);
    /* So does the end of a process: the child that has just locked the whole file has gone. */
    EXPECT(is_free(0, 0));
}

/* A lock survives execve and still belongs to the same process. */
static int executes(void)
{
    char number[16];
    snprintf(number, sizeof number, "%d", file);
    EXPECT(lock(file, F_SETLK, F_WRLCK, 0, 1) == 0 && fcntl(file, F_SETFD, 0) == 0);
    execl("/proc/self/exe", "locks", number, (char *)0);
    return 0;
}

static int after_exec(const char *number)
{
    file = atoi(number);
    return is(seen(0, 0), F_WRLCK, 0, 1);
}

static void nothing(int signal)
{
    (void)signal;
}

static void alarm_soon(int flags)
{
    struct sigaction a = { .sa_handler = nothing, .sa_flags = flags };
    struct itimerval soon = { .it_value = { 0, 5000 } };
    sigaction(SIGALRM, &a, 0);
    setitimer(ITIMER_REAL, &soon, 0);
}

static int waits_for_first(void)
{
    return lock(file, F_SETLKW, F_WRLCK, 0, 1) == 0;
}

static int is_interrupted(void)
{
    alarm_soon(0);
    return lock(file, F_SETLKW, F_WRLCK, 0, 1) == -1 && errno == EINTR;
}

static int waits_on(void)
{
    alarm_soon(SA_RESTART);
    return waits_for_first();
}

static int has_second_and_waits_for_first(void)
{
    return lock(file, F_SETLK, F_WRLCK, 1, 1) == 0 && waits_for_first();
}

static void waits(void)
{
    EXPECT(lock(file, F_SETLK, F_WRLCK, 0, 1) == 0);
    EXPECT(apart(is_interrupted) == 1);
    pid_t first = start(waits_for_first), second = start(waits_on);
    usleep(20000);
    EXPECT(waitpid(first, 0, WNOHANG) == 0 && waitpid(second, 0, WNOHANG) == 0);
    EXPECT(lock(file, F_SETLK, F_UNLCK, 0, 1) == 0 && result(first) == 1 && result(second) == 1);
    /* A killed process no longer waits. */
    EXPECT(lock(file, F_SETLK, F_WRLCK, 0, 1) == 0);
    first = start(waits_for_first);
    usleep(20000);
    EXPECT(kill(first, SIGKILL) == 0 && result(first) == -1);
    /* Of two processes that wait for each other, the second gets an error. */
    first = start(has_second_and_waits_for_first);
    usleep(20000);
    EXPECT(seen(1, 1).l_pid == first);
    FAILS(lock(file, F_SETLKW, F_WRLCK, 1, 1), EDEADLK);
    EXPECT(lock(file, F_SETLK, F_UNLCK, 0, 0) == 0 && result(first) == 1);
}

static int sees_a_description(void)
{
    struct flock l = of(F_RDLCK, 0, 0);
    return fcntl(file, F_GETLK, &l) == 0 && l.l_type == F_WRLCK && l.l_start == 5 && l.l_len == 5 && l.l_pid == -1;
}

static int shared;

static int unlocks_the_shared_one(void)
{
    return lock(shared, F_OFD_SETLK, F_UNLCK, 5, 5) == 0;
}

static int waits_for_description(void)
{
    int own = open_again(O_RDWR);
    return lock(own, F_OFD_SETLKW, F_WRLCK, 5, 1) == 0;
}

static void descriptions(void)
{
    shared = open_again(O_RDWR);
    int other = open_again(O_RDWR);
    EXPECT(lock(shared, F_OFD_SETLK, F_WRLCK, 5, 5) == 0);
    FAILS(lock(other, F_OFD_SETLK, F_RDLCK, 9, 1), EAGAIN);
    FAILS(lock(shared, F_SETLK, F_RDLCK, 9, 1), EAGAIN);
    struct flock l = of(F_WRLCK, 0, 0);
    l.l_pid = 1;
    FAILS(fcntl(other, F_OFD_SETLK, &l), EINVAL);
    EXPECT(apart(sees_a_description) == 1);
    /* Closing another descriptor does not release the lock. */
    EXPECT(close(dup(shared)) == 0 && close(open_again(O_RDONLY)) == 0 && apart(sees_a_description) == 1);
    pid_t child = start(waits_for_description);
    usleep(20000);
    EXPECT(waitpid(child, 0, WNOHANG) == 0);
    /* A child shares the description. */
    EXPECT(apart(unlocks_the_shared_one) == 1 && result(child) == 1 && is_free(0, 0));
    EXPECT(lock(shared, F_OFD_SETLK, F_WRLCK, 5, 5) == 0 && close(shared) == 0 && is_free(0, 0));
    close(other);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return after_exec(argv[1]);
    if (chdir("/tmp") != 0)
        return 2;
    file = open(NAME, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    EXPECT(file >= 0);
    arguments();
    ranges();
    owners();
    EXPECT(apart(executes) == 1);
    waits();
    descriptions();
    unlink(NAME);
    printf("%d failures\n", failures);
    return failures != 0;
}

/* Files: readiness, locks of whole files, advice. */
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

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

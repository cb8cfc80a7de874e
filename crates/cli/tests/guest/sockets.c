/* Checks of sockets between processes of the guest. A failed expectation is printed with its line. Runs on any Linux. */
#define _GNU_SOURCE
#include "expect.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char buf[1 << 18];

static struct sockaddr_un at(const char *path)
{
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    strcpy(a.sun_path, path);
    return a;
}

static void pairs(void)
{
    int s[2], n;
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
    EXPECT(write(s[0], "abc", 3) == 3 && write(s[0], "def", 3) == 3);
    EXPECT(ioctl(s[1], FIONREAD, &n) == 0 && n == 6);
    EXPECT(recv(s[1], buf, 2, MSG_PEEK) == 2 && !memcmp(buf, "ab", 2));
    EXPECT(read(s[1], buf, 9) == 6 && !memcmp(buf, "abcdef", 6));
    EXPECT(recv(s[1], buf, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    if (fork() == 0) {
        /* More than the socket can buffer. */
        EXPECT(send(s[0], buf, sizeof buf, 0) == sizeof buf);
        _exit(failures);
    }
    EXPECT(recv(s[1], buf, sizeof buf, MSG_WAITALL) == sizeof buf);
    int status;
    EXPECT(wait(&status) > 0 && status == 0);
    shutdown(s[0], SHUT_WR);
    EXPECT(read(s[1], buf, 1) == 0);
    struct pollfd p = { s[1], POLLIN | POLLRDHUP | POLLOUT, 0 };
    EXPECT(poll(&p, 1, -1) == 1 && p.revents == (POLLIN | POLLRDHUP | POLLOUT));
    close(s[0]);
    EXPECT(poll(&p, 1, -1) == 1 && p.revents & POLLHUP);
    EXPECT(send(s[1], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    signal(SIGPIPE, SIG_IGN);
    EXPECT(write(s[1], "x", 1) == -1 && errno == EPIPE);
    close(s[1]);
    EXPECT(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s) == 0);
    EXPECT(send(s[0], "one", 3, 0) == 3 && send(s[0], "second", 6, 0) == 6);
    EXPECT(recv(s[1], buf, 9, 0) == 3 && recv(s[1], buf, 2, MSG_TRUNC) == 6);
    close(s[0]);
    EXPECT(recv(s[1], buf, 9, 0) == 0);
    close(s[1]);
}

static void names(void)
{
    struct sockaddr_un a = at("/tmp/sockets.test"), b;
    socklen_t len = sizeof b;
    unlink(a.sun_path);
    int l = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT(connect(c, (void *)&a, sizeof a) == -1 && errno == ENOENT);
    EXPECT(listen(l, 4) == -1 && errno == EINVAL);
    EXPECT(bind(l, (void *)&a, sizeof a) == 0);
    struct stat st;
    EXPECT(stat(a.sun_path, &st) == 0 && S_ISSOCK(st.st_mode));
    EXPECT(open(a.sun_path, O_RDWR) == -1 && errno == ENXIO);
    EXPECT(connect(c, (void *)&a, sizeof a) == -1 && errno == ECONNREFUSED);
    EXPECT(bind(c, (void *)&a, sizeof a) == -1 && errno == EADDRINUSE);
    EXPECT(listen(l, 4) == 0);
    int n;
    EXPECT(getsockopt(l, SOL_SOCKET, SO_ACCEPTCONN, &n, &(socklen_t){ 4 }) == 0 && n == 1);
    if (fork() == 0) {
        EXPECT(connect(c, (void *)&a, sizeof a) == 0);
        EXPECT(connect(c, (void *)&a, sizeof a) == -1 && errno == EISCONN);
        EXPECT(write(c, "hello", 5) == 5 && read(c, buf, 9) == 5 && !memcmp(buf, "there", 5));
        _exit(failures);
    }
    close(c);
    int s = accept(l, (void *)&b, &len);
    EXPECT(s >= 0 && len == sizeof b.sun_family);
    EXPECT(read(s, buf, 9) == 5 && write(s, "there", 5) == 5);
    len = sizeof b;
    EXPECT(getsockname(s, (void *)&b, &len) == 0 && !strcmp(b.sun_path, a.sun_path));
    EXPECT(len == offsetof(struct sockaddr_un, sun_path) + strlen(a.sun_path) + 1);
    struct ucred who;
    len = sizeof who;
    EXPECT(getsockopt(s, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 && who.pid > getpid());
    int status;
    EXPECT(wait(&status) == who.pid && status == 0);
    close(l);
    c = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT(connect(c, (void *)&a, sizeof a) == -1 && errno == ECONNREFUSED);
    EXPECT(unlink(a.sun_path) == 0);
    close(s), close(c);
    /* Abstract addresses begin with NUL and have no file. */
    struct sockaddr_un abstract = { AF_UNIX, "\0sockets.test" };
    l = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT(bind(l, (void *)&abstract, 2 + 13) == 0 && listen(l, 1) == 0);
    EXPECT(connect(c, (void *)&abstract, 2 + 12) == -1 && errno == ECONNREFUSED);
    EXPECT(connect(c, (void *)&abstract, 2 + 13) == 0);
    close(l), close(c);
}

static void datagrams(void)
{
    struct sockaddr_un a = at("/tmp/datagrams.a"), b = at("/tmp/datagrams.b"), from;
    socklen_t len = sizeof from;
    unlink(a.sun_path), unlink(b.sun_path);
    int s = socket(AF_UNIX, SOCK_DGRAM, 0), t = socket(AF_UNIX, SOCK_DGRAM, 0);
    EXPECT(bind(s, (void *)&a, sizeof a) == 0 && bind(t, (void *)&b, sizeof b) == 0);
    EXPECT(send(s, "x", 1, 0) == -1 && errno == ENOTCONN);
    EXPECT(sendto(s, "first", 5, 0, (void *)&b, sizeof b) == 5);
    EXPECT(sendto(s, "", 0, 0, (void *)&b, sizeof b) == 0);
    EXPECT(sendto(s, "self", 4, 0, (void *)&a, sizeof a) == 4);
    EXPECT(recvfrom(t, buf, 9, 0, (void *)&from, &len) == 5 && !strcmp(from.sun_path, a.sun_path));
    EXPECT(recv(t, buf, 9, 0) == 0 && recv(s, buf, 9, 0) == 4);
    EXPECT(recv(t, buf, 9, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    EXPECT(connect(s, (void *)&b, sizeof b) == 0 && write(s, "more", 4) == 4 && read(t, buf, 9) == 4);
    close(t);
    EXPECT(write(s, "more", 4) == -1 && errno == ECONNREFUSED);
    close(s);
    unlink(a.sun_path), unlink(b.sun_path);
}

static void pass(int socket, int fd)
{
    char control[CMSG_SPACE(sizeof fd)] = { 0 };
    struct iovec iov = { "f", 1 };
    struct msghdr m = { 0, 0, &iov, 1, control, sizeof control, 0 };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_len = CMSG_LEN(sizeof fd), c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    EXPECT(sendmsg(socket, &m, 0) == 1);
}

static int taken(int socket, size_t room, int *flags)
{
    char control[64] = { 0 }, byte;
    struct iovec iov = { &byte, 1 };
    struct msghdr m = { 0, 0, &iov, 1, control, room, 0 };
    int fd = -1;
    EXPECT(recvmsg(socket, &m, MSG_CMSG_CLOEXEC) == 1 && byte == 'f');
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    *flags = m.msg_flags;
    if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof fd))
        memcpy(&fd, CMSG_DATA(c), sizeof fd);
    return fd;
}

static void files_passed(void)
{
    int s[2], p[2], flags;
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0 && pipe(p) == 0);
    pass(s[0], p[1]);
    close(p[1]);
    int fd = taken(s[1], 64, &flags);
    EXPECT(fd >= 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC && (flags & ~MSG_CMSG_CLOEXEC) == 0);
    EXPECT(write(fd, "through", 7) == 7 && read(p[0], buf, 9) == 7);
    close(fd);
    EXPECT(read(p[0], buf, 9) == 0);
    /* A descriptor for which the receiver has no room is closed. */
    pass(s[0], p[0]);
    EXPECT(taken(s[1], 0, &flags) == -1 && flags & MSG_CTRUNC);
    /* A socket sent through itself, and a long chain of sockets, each sent through the next. */
    pass(s[0], s[0]), pass(s[0], s[1]);
    close(s[0]), close(s[1]), close(p[0]);
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
    for (int i = 0; i < 4000; i++) {
        int next[2];
        EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, next) == 0);
        pass(next[0], s[1]);
        close(s[1]), close(s[0]);
        s[0] = next[0], s[1] = next[1];
    }
    close(s[0]), close(s[1]);
}

int main(void)
{
    pairs();
    names();
    datagrams();
    files_passed();
    printf("%d failures\n", failures);
    return failures != 0;
}

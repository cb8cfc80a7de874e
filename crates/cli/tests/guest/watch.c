/* Checks of inotify(7). A failed expectation is printed with its line. Runs on any Linux. */
#define _GNU_SOURCE
#include "expect.h"
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* The events since the last check must be exactly these, each as "watch EVENT name". */
#define HAPPENED(text) happened(__LINE__, text)

static const char *const names[] = {
    "ACCESS",     "MODIFY",   "ATTRIB",   "CLOSE_WRITE", "CLOSE_NOWRITE", "OPEN",
    "MOVED_FROM", "MOVED_TO", "CREATE",   "DELETE",      "DELETE_SELF",   "MOVE_SELF",
    "",           "UNMOUNT",  "OVERFLOW", "IGNORED",
};

static int fd;
static unsigned cookies[8];
static int cookie_count;

static char *next(char *to, const struct inotify_event *e)
{
    to += sprintf(to, "%d", e->wd);
    for (int i = 0; i < 16; i++)
        if (e->mask >> i & 1)
            to += sprintf(to, " %s", names[i]);
    if (e->mask & IN_ISDIR)
        to += sprintf(to, " dir");
    if (e->len)
        to += sprintf(to, " %s", e->name);
    if (e->cookie && cookie_count < 8)
        cookies[cookie_count++] = e->cookie;
    return to + sprintf(to, "; ");
}

static void happened(int line, const char *expected)
{
    static char text[8192], buf[65536] __attribute__((aligned(8)));
    char *to = text;
    *to = 0;
    cookie_count = 0;
    for (ssize_t n; (n = read(fd, buf, sizeof buf)) > 0;)
        for (char *at = buf; at < buf + n; at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len)
            to = next(to, (struct inotify_event *)at);
    if (to > text)
        to[-2] = 0;
    if (strcmp(text, expected)) {
        printf("line %d:\n  expected %s\n  happened %s\n", line, expected, text);
        failures++;
    }
}

static void put(const char *name, const char *text)
{
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    EXPECT(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && close(file) == 0);
}

static void a_directory(void)
{
    EXPECT(inotify_add_watch(fd, ".", IN_ALL_EVENTS) == 1);
    put("a", "text");
    HAPPENED("1 CREATE a; 1 OPEN a; 1 MODIFY a; 1 CLOSE_WRITE a");
    put("a", "more");
    HAPPENED("1 OPEN a; 1 MODIFY a; 1 CLOSE_WRITE a");
    char b[10];
    int file = open("a", O_RDONLY);
    EXPECT(read(file, b, 10) == 4 && read(file, b, 10) == 0 && pread(file, b, 2, 1) == 2 && close(file) == 0);
    HAPPENED("1 OPEN a; 1 ACCESS a; 1 CLOSE_NOWRITE a");
    EXPECT(chmod("a", 0600) == 0 && truncate("a", 2) == 0 && utimensat(AT_FDCWD, "a", 0, 0) == 0);
    HAPPENED("1 ATTRIB a; 1 MODIFY a; 1 ATTRIB a");
    struct timespec times[2] = { { 5, 0 }, { 0, UTIME_OMIT } };
    EXPECT(utimensat(AT_FDCWD, "a", times, 0) == 0);
    HAPPENED("1 ACCESS a");
    EXPECT(mkdir("d", 0700) == 0 && symlink("a", "s") == 0 && link("a", "l") == 0 && mkfifo("p", 0600) == 0);
    HAPPENED("1 CREATE dir d; 1 CREATE s; 1 CREATE l; 1 CREATE p");
    EXPECT(rename("a", "d/b") == 0);
    HAPPENED("1 MOVED_FROM a");
    EXPECT(rename("d/b", "c") == 0 && rename("c", "e") == 0);
    HAPPENED("1 MOVED_TO c; 1 MOVED_FROM c; 1 MOVED_TO e");
    EXPECT(cookie_count == 3 && cookies[0] != cookies[1] && cookies[1] == cookies[2]);
    EXPECT(rename("l", "e") == 0);
    HAPPENED("");
    EXPECT(unlink("s") == 0 && unlink("p") == 0 && unlink("l") == 0 && rmdir("d") == 0);
    HAPPENED("1 DELETE s; 1 DELETE p; 1 DELETE l; 1 DELETE dir d");
    EXPECT(mknod("n", S_IFREG | 0600, 0) == 0 && unlink("n") == 0);
    HAPPENED("1 CREATE n; 1 DELETE n");
    /* Events of the directory itself. */
    int dir = open(".", O_RDONLY | O_DIRECTORY);
    char entries[1024];
    EXPECT(syscall(SYS_getdents64, dir, entries, sizeof entries) > 0 && close(dir) == 0);
    HAPPENED("1 OPEN dir; 1 ACCESS dir; 1 CLOSE_NOWRITE dir");
    EXPECT(chmod(".", 0755) == 0);
    HAPPENED("1 ATTRIB dir");
    file = openat(AT_FDCWD, "e", O_PATH);
    close(file);
    HAPPENED("");
    EXPECT(unlink("e") == 0 && inotify_rm_watch(fd, 1) == 0);
    HAPPENED("1 DELETE e; 1 IGNORED");
    FAILS(inotify_rm_watch(fd, 1), EINVAL);
}

static void a_file(void)
{
    put("f", "text");
    EXPECT(inotify_add_watch(fd, "f", IN_ALL_EVENTS) == 2 && inotify_add_watch(fd, ".", IN_ALL_EVENTS) == 3);
    int file = open("f", O_RDWR | O_APPEND);
    EXPECT(write(file, "x", 1) == 1 && ftruncate(file, 1) == 0);
    HAPPENED("3 OPEN f; 2 OPEN; 3 MODIFY f; 2 MODIFY; 3 MODIFY f; 2 MODIFY");
    EXPECT(fchmod(file, 0600) == 0 && posix_fallocate(file, 0, 10) == 0);
    HAPPENED("3 ATTRIB f; 2 ATTRIB; 3 MODIFY f; 2 MODIFY");
    /* A renamed file, open or not, is reported under its new name. */
    EXPECT(rename("f", "g") == 0 && write(file, "y", 1) == 1);
    HAPPENED("3 MOVED_FROM f; 3 MOVED_TO g; 2 MOVE_SELF; 3 MODIFY g; 2 MODIFY");
    EXPECT(link("g", "h") == 0);
    HAPPENED("2 ATTRIB; 3 CREATE h");
    EXPECT(unlink("h") == 0);
    HAPPENED("2 ATTRIB; 3 DELETE h");
    /* The watch ends when the last name and the last description are gone. */
    EXPECT(unlink("g") == 0 && write(file, "z", 1) == 1);
    HAPPENED("2 ATTRIB; 3 DELETE g; 3 MODIFY g; 2 MODIFY");
    EXPECT(inotify_add_watch(fd, ".", IN_ALL_EVENTS | IN_EXCL_UNLINK) == 3 && write(file, "z", 1) == 1);
    HAPPENED("2 MODIFY");
    EXPECT(close(file) == 0);
    HAPPENED("2 CLOSE_WRITE; 2 DELETE_SELF; 2 IGNORED");
    /* A file that is replaced. */
    put("a", "");
    put("b", "");
    EXPECT(inotify_add_watch(fd, "b", IN_ALL_EVENTS) == 4);
    HAPPENED("3 CREATE a; 3 OPEN a; 3 CLOSE_WRITE a; 3 CREATE b; 3 OPEN b; 3 CLOSE_WRITE b");
    EXPECT(rename("a", "b") == 0);
    HAPPENED("3 MOVED_FROM a; 3 MOVED_TO b; 4 ATTRIB; 4 DELETE_SELF; 4 IGNORED");
    put("a", "");
    EXPECT(renameat2(AT_FDCWD, "a", AT_FDCWD, "b", RENAME_EXCHANGE) == 0);
    HAPPENED("3 CREATE a; 3 OPEN a; 3 CLOSE_WRITE a; 3 MOVED_FROM a; 3 MOVED_TO b; 3 MOVED_FROM b; 3 MOVED_TO a");
    EXPECT(unlink("a") == 0 && unlink("b") == 0 && inotify_rm_watch(fd, 3) == 0);
    HAPPENED("3 DELETE a; 3 DELETE b; 3 IGNORED");
    EXPECT(mkdir("d", 0700) == 0 && inotify_add_watch(fd, "d", IN_ALL_EVENTS) == 5);
    EXPECT(rename("d", "e") == 0 && rmdir("e") == 0);
    HAPPENED("5 MOVE_SELF; 5 DELETE_SELF; 5 IGNORED");
}

static void masks(void)
{
    put("f", "");
    FAILS(inotify_add_watch(fd, "f", 0), EINVAL);
    FAILS(inotify_add_watch(fd, "nowhere", IN_MODIFY), ENOENT);
    FAILS(inotify_add_watch(fd, "f", IN_MODIFY | IN_ONLYDIR), ENOTDIR);
    FAILS(inotify_add_watch(99, "f", IN_MODIFY), EBADF);
    FAILS(inotify_add_watch(0, "f", IN_MODIFY), EINVAL);
    FAILS(inotify_add_watch(fd, "f", IN_MODIFY | IN_MASK_ADD | IN_MASK_CREATE), EINVAL);
    FAILS(inotify_add_watch(fd, (char *)8, IN_MODIFY), EFAULT);
    FAILS(inotify_init1(1), EINVAL);
    EXPECT(inotify_add_watch(fd, "f", IN_OPEN | IN_MASK_CREATE) == 6);
    FAILS(inotify_add_watch(fd, "f", IN_OPEN | IN_MASK_CREATE), EEXIST);
    EXPECT(inotify_add_watch(fd, "f", IN_MODIFY | IN_MASK_ADD) == 6);
    put("f", "x");
    HAPPENED("6 OPEN; 6 MODIFY");
    EXPECT(inotify_add_watch(fd, "f", IN_CLOSE_WRITE | IN_ONESHOT) == 6);
    put("f", "x");
    HAPPENED("6 CLOSE_WRITE; 6 IGNORED");
    put("f", "x");
    HAPPENED("");
    EXPECT(symlink("f", "s") == 0 && inotify_add_watch(fd, "s", IN_ATTRIB | IN_DONT_FOLLOW) == 7);
    EXPECT(chmod("s", 0600) == 0 && inotify_rm_watch(fd, 7) == 0 && unlink("s") == 0);
    HAPPENED("7 IGNORED");
    EXPECT(inotify_add_watch(fd, "/proc/self", IN_OPEN) == 8 && inotify_rm_watch(fd, 8) == 0);
    HAPPENED("8 IGNORED");
}

static void waiting(void)
{
    int epoll = epoll_create1(0), size = -1;
    struct epoll_event event = { EPOLLIN | EPOLLET, { 0 } };
    struct pollfd p = { fd, POLLIN, 0 };
    EXPECT(inotify_add_watch(fd, ".", IN_CREATE) == 9 && poll(&p, 1, 0) == 0);
    EXPECT(ioctl(fd, FIONREAD, &size) == 0 && size == 0);
    EXPECT(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
    pid_t child = fork();
    if (child == 0) {
        usleep(20000);
        _exit(mkdir("made", 0700) != 0);
    }
    EXPECT(epoll_wait(epoll, &event, 1, -1) == 1 && poll(&p, 1, 0) == 1 && waitpid(child, 0, 0) == child);
    EXPECT(ioctl(fd, FIONREAD, &size) == 0 && size == 32);
    char small[31];
    FAILS(read(fd, small, sizeof small), EINVAL);
    HAPPENED("9 CREATE dir made");
    FAILS(read(fd, small, sizeof small), EAGAIN);
    FAILS(write(fd, small, 1), EBADF);
    EXPECT(fcntl(fd, F_SETFL, 0) == 0);
    child = fork();
    if (child == 0) {
        usleep(20000);
        _exit(rmdir("made") != 0 || mkdir("again", 0700) != 0);
    }
    char big[1000];
    EXPECT(read(fd, big, sizeof big) == 32 && waitpid(child, 0, 0) == child && rmdir("again") == 0);
    EXPECT(fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && inotify_rm_watch(fd, 9) == 0);
    HAPPENED("9 IGNORED");
    close(epoll);
}

/* When the queue overflows, its last event says so, once. */
static void overflow(void)
{
    int limit = 0;
    FILE *f = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    EXPECT(f && fscanf(f, "%d", &limit) == 1 && limit > 0 && fclose(f) == 0);
    put("f", "text");
    EXPECT(inotify_add_watch(fd, "f", IN_ACCESS | IN_ATTRIB) == 10);
    int file = open("f", O_RDWR);
    char c;
    for (int i = 0; i < limit / 2 + 10; i++)
        EXPECT(pread(file, &c, 1, 0) == 1 && fchmod(file, 0600) == 0);
    struct inotify_event *events = malloc((limit + 20) * sizeof *events);
    ssize_t size = 0, n;
    while ((n = read(fd, (char *)events + size, 16 * sizeof *events)) > 0)
        size += n;
    EXPECT(size == (limit + 1) * (ssize_t)sizeof *events);
    EXPECT(events[limit].wd == -1 && events[limit].mask == IN_Q_OVERFLOW && events[limit - 1].wd == 10);
    EXPECT(pread(file, &c, 1, 0) == 1 && close(file) == 0);
    HAPPENED("10 ACCESS");
    free(events);
}

int main(void)
{
    char dir[] = "/tmp/watch.XXXXXX";
    EXPECT(mkdtemp(dir) && chdir(dir) == 0);
    fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    EXPECT(fd > 0);
    a_directory();
    a_file();
    masks();
    waiting();
    overflow();
    EXPECT(close(fd) == 0 && unlink("f") == 0 && rmdir(dir) == 0);
    printf("%d failures\n", failures);
    return failures != 0;
}

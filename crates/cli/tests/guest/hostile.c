/* A guest that tries to get out, or to bring its host down: `hostile WHAT [ARGUMENT]`. It prints what it got
 * hold of, which is to be nothing. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static char buf[1 << 16];

/* Says what a file has that is not the guest's: the word that the host has put there. */
static void look(const char *how, int fd)
{
    if (fd < 0)
        return;
    ssize_t n = read(fd, buf, sizeof buf - 1);
    if (n > 0 && (buf[n] = 0, strstr(buf, "SECRET")))
        printf("%s: read the host's file\n", how);
    close(fd);
}

static void try(const char *how, const char *prefix, const char *path)
{
    char whole[8192];
    snprintf(whole, sizeof whole, "%s%s", prefix, path);
    look(how, open(whole, O_RDONLY));
    look(how, open(whole, O_RDWR));
    look(how, openat(AT_FDCWD, whole, O_RDONLY | O_NOFOLLOW));
    int p = open(whole, O_PATH);
    if (p >= 0) {
        snprintf(whole, sizeof whole, "/proc/self/fd/%d", p);
        look(how, open(whole, O_RDONLY));
        close(p);
    }
}

/* `secret` is the absolute path of a file on the host, outside everything that is bound. */
static void escape(const char *secret)
{
    const char *prefixes[] = { "",
                               "/..",
                               "/../../../../../../../../..",
                               "/proc/self/root",
                               "/proc/1/root",
                               "/proc/self/root/proc/self/root/..",
                               "/proc/self/cwd/../../../../../..",
                               "/proc/self/exe/..",
                               "/proc/self/fd/0/../../../../..",
                               "/dev/fd/../../..",
                               "/dev/shm/../../..",
                               "/tmp/../..",
                               "/proc/self/task/../root",
                               "/bind/../..",
                               "/bind/out",
                               "/bind/up",
                               "//",
                               "/./..//.." };
    /* Links that lead out if the host follows them. */
    symlink("/", "/bind/out"), symlink("../../../../../../../..", "/bind/up"), symlink(secret, "/bind/direct");
    symlink(secret, "/tmp/direct"), symlink("/proc/self/root", "/tmp/root");
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        try(prefixes[i], prefixes[i], secret);
    try("a link in a bind", "", "/bind/direct");
    try("a link", "", "/tmp/direct");
    try("a link of /proc", "/tmp/root", secret);
    /* By descriptor: above the root, above a bind, above a directory that is moved meanwhile. */
    for (const char **d = (const char *[]){ "/", "/bind", "/tmp", "/proc", "/dev", "/proc/self/fd", 0 }; *d; d++) {
        int fd = open(*d, O_PATH | O_DIRECTORY);
        char up[4096] = "";
        for (int i = 0; i < 20; i++)
            strcat(up, "../");
        strcat(up, secret + 1);
        look("openat", openat(fd, up, O_RDONLY));
        look("fchdir", (fchdir(fd), open(up, O_RDONLY)));
        close(fd);
    }
    mkdir("/bind/a", 0777), mkdir("/bind/a/b", 0777), chdir("/bind/a/b");
    rename("/bind/a/b", "/bind/c");
    try("moved", "../../../../../../..", secret);
    chdir("/");
    /* A root of its own: the classic way out of chroot. */
    mkdir("/tmp/jail", 0777);
    if (chroot("/tmp/jail") == 0) {
        for (int i = 0; i < 30; i++)
            chdir("..");
        chroot(".");
        try("chroot", "", secret);
    }
    /* Other ways to a file. */
    if (link(secret, "/bind/hard") == 0
        || linkat(AT_FDCWD, "/bind/direct", AT_FDCWD, "/bind/hard", AT_SYMLINK_FOLLOW) == 0)
        printf("linked the host's file\n");
    struct stat st;
    if (mount(secret, "/tmp", 0, MS_BIND, 0) == 0 || syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS) == 0)
        printf("mounted\n");
    if (syscall(SYS_open_by_handle_at, AT_FDCWD, buf, O_RDONLY) >= 0 || syscall(SYS_move_mount, -1, "", -1, "", 0) == 0)
        printf("a file by its handle\n");
    if (mknod("/bind/disk", S_IFBLK | 0666, 8 << 8) == 0 && open("/bind/disk", O_RDONLY) >= 0)
        printf("a disk\n");
    if (open("/dev/mem", O_RDONLY) >= 0 || open("/proc/kcore", O_RDONLY) >= 0 || open("/dev/kmsg", O_RDONLY) >= 0)
        printf("the host's kernel\n");
    if (chmod("/bind/file", 06777) == 0 && stat("/bind/file", &st) == 0 && st.st_mode & 06000)
        printf("a set-user-ID file\n");
    if (execve(secret, (char *[]){ "x", 0 }, 0) == 0)
        printf("executed\n");
}

/* Nothing in /proc says where the host has things: no address of its space, no path, no process. */
static void tell(const char *unused)
{
    /* From standard input: arguments are in /proc, too. */
    char host[512] = { 0 };
    (void)unused;
    if (!fgets(host, sizeof host, stdin))
        return;
    const char *files[] = { "maps",      "smaps",   "stat",   "status",  "environ",  "cmdline", "auxv",
                            "mountinfo", "mounts",  "cgroup", "exe",     "cwd",      "root",    "fd/0",
                            "fd/1",      "fd/2",    "io",     "limits",  "stack",    "syscall", "wchan",
                            "mem",       "pagemap", "ns/pid", "net/tcp", "loginuid", "comm" };
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        char path[128];
        snprintf(path, sizeof path, "/proc/self/%s", files[i]);
        ssize_t n = readlink(path, buf, sizeof buf - 1);
        int fd = n < 0 && strncmp(files[i], "fd/", 3) ? open(path, O_RDONLY) : -1;
        if (fd >= 0)
            n = read(fd, buf, sizeof buf - 1), close(fd);
        if (n <= 0)
            continue;
        buf[n] = 0;
        for (ssize_t k = 0; k < n; k++)
            if (!buf[k])
                buf[k] = ' ';
        if (strstr(buf, host) || strstr(buf, "SECRET"))
            printf("/proc/self/%s tells of the host: %s\n", files[i], buf);
        /* The guest's space has 38 bits; the host's addresses have 47. */
        for (char *at = buf; (at = strpbrk(at, "0123456789abcdef")); at += strspn(at, "0123456789abcdef")) {
            size_t digits = strspn(at, "0123456789abcdef");
            if (digits >= 10 && digits <= 16 && strtoull(at, 0, 16) >> 38 && strchr("ms", files[i][0]))
                if (strtoull(at, 0, 16) >> 40 == 0x7f || strtoull(at, 0, 16) >> 40 == 0x55)
                    printf("/proc/self/%s has an address of the host: %.16s\n", files[i], at);
        }
    }
    DIR *d = opendir("/proc");
    for (struct dirent *e; (e = readdir(d));)
        if (atoi(e->d_name) && atoi(e->d_name) != getpid())
            printf("process %s\n", e->d_name);
    struct iovec mine = { buf, 64 }, theirs = { (void *)0x400000, 64 };
    for (int pid = 1; pid < 400; pid++) {
        if (pid == getpid())
            continue;
        if (kill(pid, 0) == 0 || kill(pid, SIGKILL) == 0)
            printf("a signal to process %d\n", pid);
        if (ptrace(PTRACE_ATTACH, pid, 0, 0) == 0 || process_vm_readv(pid, &mine, 1, &theirs, 1, 0) > 0)
            printf("traces process %d\n", pid);
    }
    if (kill(atoi(getenv("HOST_PID")), SIGKILL) == 0)
        printf("a signal to the host\n");
    for (int family = 2; family < 46; family++)
        for (int type = 1; type < 6; type++)
            /* Those of AF_NETLINK know only the guest itself. */
            if (family != AF_NETLINK && socket(family, type, 0) >= 0)
                printf("a socket of family %d\n", family);
}

/* Opens /bind/x/file while somebody changes what /bind/x is. */
static void race(const char *count)
{
    int opened = 0;
    for (int i = 0; i < atoi(count); i++) {
        look("a race", open("/bind/x/file", O_RDONLY));
        int d = open("/bind/x", O_PATH | O_DIRECTORY);
        look("a race by descriptor", openat(d, "file", O_RDONLY));
        opened += d >= 0;
        close(d);
        look("a race upwards", open("/bind/x/../../SECRET/file", O_RDONLY));
    }
    printf("%s\n", opened ? "opened" : "never opened");
}

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
    /* Many areas, many files, many pipes that are full, many files in memory. */
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
    /* Signals queue up to a limit. */
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    union sigval value = { 0 };
    int queued = 0;
    while (queued < 1 << 20 && sigqueue(getpid(), SIGRTMIN, value) == 0)
        queued++;
    printf("%s\n", queued < 1 << 20 ? "limited" : "unlimited"), fflush(stdout);
    signal(SIGRTMIN, SIG_IGN);
    /* A handler within itself, until the stack is full. */
    if (fork() == 0) {
        struct sigaction a = { .sa_handler = handler, .sa_flags = SA_NODEFER };
        sigaction(SIGUSR1, &a, 0);
        sigprocmask(SIG_UNBLOCK, &all, 0);
        raise(SIGUSR1);
    }
    wait(0);
    /* Timers that fire all the time, and processes that send each other signals. */
    signal(SIGALRM, again), signal(SIGRTMIN + 1, again);
    struct itimerval soon = { { 0, 1 }, { 0, 1 } };
    setitimer(ITIMER_REAL, &soon, 0);
    fork(), fork(), fork();
    sigprocmask(SIG_UNBLOCK, &all, 0);
    for (;;)
        ;
}

/* Code of every kind, entered at every half-word, so that all of it is decoded again and again. */
static void code(const char *unused)
{
    (void)unused;
    size_t size = 4 << 20;
    uint16_t *p = mmap(0, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < size / 2; i++)
        p[i] = 1; /* c.nop */
    for (size_t i = 127; i < size / 2; i += 128)
        p[i] = 0x8082; /* ret */
    for (size_t i = 0; i < size / 2; i++)
        ((void (*)(void))(p + i))();
    printf("done\n");
}

/* Areas with holes between them, each of which is a mapping of the host's; then work that needs memory there. */
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

/* Pages so far from each other that each has a page table of its own. */
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
                /* No longer usable, but there. */
                mmap(p, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        }
    printf("alive\n");
}

/* Interest lists with as many entries as they take. */
static void interests(const char *unused)
{
    (void)unused;
    enum { FILES = 30, NUMBERS = 30, LISTS = 600 };
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
    printf("%s\n", refused ? "alive" : "all were taken");
}

/* One object in many areas, and a call that goes through all of them. */
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

/* Sends a socket through itself, and with it what else stays open then. */
static void circle(const char *unused)
{
    (void)unused;
    int pair[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    close(open("/tmp/file", O_CREAT | O_WRONLY, 0600));
    struct termios modes;
    if (tcgetattr(0, &modes) == 0)
        modes.c_lflag &= ~(ECHO | ICANON), tcsetattr(0, TCSANOW, &modes);
    int files[] = { pair[0], pair[1], open("/tmp", O_RDONLY | O_DIRECTORY), 0 };
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof files)];
    } control = { { CMSG_LEN(sizeof files), SOL_SOCKET, SCM_RIGHTS } };
    memcpy(CMSG_DATA(&control.head), files, sizeof files);
    struct iovec data = { buf, 1 };
    struct msghdr message = { 0, 0, &data, 1, &control, sizeof control };
    printf("%zd\n", sendmsg(pair[0], &message, 0));
}

/* Writes to the terminal of whoever has started us. */
static void terminal(const char *unused)
{
    (void)unused;
    int fd = open("/dev/tty", O_RDWR);
    if (fd >= 0)
        write(fd, "SECRET\n", 7);
    printf("%s\n", fd >= 0 ? "opened" : "refused");
}

static void crash(const char *unused)
{
    *(volatile const char **)0 = unused;
}

/* Writes as much as it can. */
static void spam(const char *unused)
{
    (void)unused;
    for (;;)
        write(1, buf, sizeof buf);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(const char *);
    } all[] = { { "escape", escape },       { "tell", tell },       { "race", race },           { "memory", memory },
                { "processes", processes }, { "threads", threads }, { "storm", storm },         { "code", code },
                { "mappings", mappings },   { "tables", tables },   { "interests", interests }, { "sync", sync_areas },
                { "spam", spam },           { "circle", circle },   { "terminal", terminal },   { "crash", crash } };
    for (unsigned i = 0; argc > 1 && i < sizeof all / sizeof *all; i++)
        if (!strcmp(argv[1], all[i].name))
            return all[i].run(argv[2]), 0;
    return 9;
}

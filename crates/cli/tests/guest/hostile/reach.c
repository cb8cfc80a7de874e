/* Attempts to reach the host: its files, processes, sockets and terminal. */
#include <dirent.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* Reports a file of the host: it contains the word that the test has written there. */
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

/* Tries to open a file of the host by any path. `secret` is its absolute path on the host; it is not in a bind. */
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
    /* Links that would lead out if the host followed them. */
    symlink("/", "/bind/out"), symlink("../../../../../../../..", "/bind/up"), symlink(secret, "/bind/direct");
    symlink(secret, "/tmp/direct"), symlink("/proc/self/root", "/tmp/root");
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        try(prefixes[i], prefixes[i], secret);
    try("a link in a bind", "", "/bind/direct");
    try("a link", "", "/tmp/direct");
    try("a link of /proc", "/tmp/root", secret);
    /* By descriptor: above the root, above a bind, above a directory that is moved. */
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
    /* The classic way out of chroot. */
    mkdir("/tmp/jail", 0777);
    if (chroot("/tmp/jail") == 0) {
        for (int i = 0; i < 30; i++)
            chdir("..");
        chroot(".");
        try("chroot", "", secret);
    }
    /* Other ways to reach a file. */
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

/* Looks for the host in /proc and elsewhere: addresses, paths, processes, sockets. */
static void tell(const char *unused)
{
    /* The host's path comes from standard input, since arguments are in /proc. */
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
            printf("/proc/self/%s reveals the host: %s\n", files[i], buf);
        /* The guest's addresses have 38 bits, the host's 47. */
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
            /* Netlink sockets are allowed: they show only the guest itself. */
            if (family != AF_NETLINK && socket(family, type, 0) >= 0)
                printf("a socket of family %d\n", family);
}

/* Opens /bind/x/file while the host keeps replacing /bind/x. */
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

/* Writes to the terminal on which capvec was started. */
static void terminal(const char *unused)
{
    (void)unused;
    int fd = open("/dev/tty", O_RDWR);
    if (fd >= 0)
        write(fd, "SECRET\n", 7);
    printf("%s\n", fd >= 0 ? "opened" : "refused");
}

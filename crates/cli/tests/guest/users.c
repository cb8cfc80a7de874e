/* Checks of users, groups and capabilities: root drops its privileges and can no longer use them. A failed expectation is
 * printed with its line. Runs on any Linux, as root. */
#define _GNU_SOURCE
#include "expect.h"
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const uid_t USER = 1234;

/* Runs f in a child; its failures count. */
static void apart(void (*f)(void))
{
    int status;
    fflush(stdout);
    if (fork() == 0) {
        failures = 0;
        f();
        fflush(stdout);
        _exit(failures);
    }
    EXPECT(wait(&status) > 0 && status == 0);
}

static void drop(void)
{
    gid_t groups[] = { 7, 8 };
    EXPECT(setgroups(2, groups) == 0 && setgid(USER) == 0 && setuid(USER) == 0);
}

static void is_dropped(void)
{
    uid_t r, e, s;
    gid_t got[9];
    drop();
    EXPECT(getresuid(&r, &e, &s) == 0 && r == USER && e == USER && s == USER);
    EXPECT(getuid() == USER && geteuid() == USER && getgid() == USER && getegid() == USER);
    EXPECT(getgroups(0, 0) == 2 && getgroups(9, got) == 2 && got[0] == 7 && got[1] == 8);
    FAILS(getgroups(1, got), EINVAL);
    FAILS(setuid(0), EPERM);
    FAILS(seteuid(0), EPERM);
    FAILS(setgid(0), EPERM);
    FAILS(setgroups(0, 0), EPERM);
    FAILS(setresuid(-1, -1, 0), EPERM);
    EXPECT(setfsuid(0) == USER && setfsuid(-1) == USER);
    FAILS(kill(getppid(), SIGTERM), EPERM);
    FAILS(kill(getppid(), 0), EPERM);
    struct rlimit l;
    EXPECT(getrlimit(RLIMIT_NOFILE, &l) == 0);
    l.rlim_max++;
    FAILS(setrlimit(RLIMIT_NOFILE, &l), EPERM);
    FAILS(prctl(PR_CAPBSET_DROP, 0), EPERM);
}

/* Root may raise the hard limit on descriptors up to the system's maximum; a child inherits the limit. */
static void limits(void)
{
    unsigned long most = 0;
    int status;
    FILE *f = fopen("/proc/sys/fs/nr_open", "r");
    EXPECT(f && fscanf(f, "%lu", &most) == 1 && fclose(f) == 0 && most > 10000);
    struct rlimit l = { 10000, 10000 }, got;
    FAILS(dup2(1, 9999), EBADF);
    EXPECT(setrlimit(RLIMIT_NOFILE, &l) == 0);
    EXPECT(getrlimit(RLIMIT_NOFILE, &got) == 0 && got.rlim_cur == 10000 && got.rlim_max == 10000);
    EXPECT(dup2(1, 9999) == 9999);
    FAILS(dup2(1, 10000), EBADF);
    char line[128], *found = NULL;
    f = fopen("/proc/self/limits", "r");
    while (f && !found && fgets(line, sizeof line, f))
        found = strstr(line, "Max open files            10000                10000 ");
    EXPECT(f && found && fclose(f) == 0);
    if (fork() == 0)
        _exit(dup2(9999, 9998) != 9998 || dup2(1, 10000) != -1);
    EXPECT(wait(&status) > 0 && status == 0);
    l.rlim_max = most + 1;
    FAILS(setrlimit(RLIMIT_NOFILE, &l), EPERM);
    l.rlim_cur = l.rlim_max = most;
    EXPECT(setrlimit(RLIMIT_NOFILE, &l) == 0 && dup2(1, most - 1) == most - 1);
    drop();
    l.rlim_cur = l.rlim_max = 5000;
    EXPECT(setrlimit(RLIMIT_NOFILE, &l) == 0);
    l.rlim_max++;
    FAILS(setrlimit(RLIMIT_NOFILE, &l), EPERM);
}

static void files(void)
{
    EXPECT(mkdir("/tmp/root", 0755) == 0 && mkdir("/tmp/theirs", 0700) == 0);
    EXPECT(chown("/tmp/theirs", USER, USER) == 0);
    int fd = open("/tmp/root/secret", O_CREAT | O_RDWR, 0600);
    EXPECT(fd >= 0 && fchown(fd, 0, 7) == 0);
    drop();
    /* An open file remains usable. */
    EXPECT(write(fd, "x", 1) == 1);
    FAILS(open("/tmp/root/secret", O_RDONLY), EACCES);
    FAILS(open("/tmp/root/new", O_CREAT | O_WRONLY, 0600), EACCES);
    FAILS(unlink("/tmp/root/secret"), EACCES);
    FAILS(chown("/tmp/root/secret", USER, -1), EPERM);
    FAILS(access("/root", X_OK), EACCES);
    EXPECT(open("/tmp/theirs/new", O_CREAT | O_WRONLY, 0600) >= 0);
    struct stat st;
    EXPECT(stat("/tmp/theirs/new", &st) == 0 && st.st_uid == USER && st.st_gid == USER);
    EXPECT(stat("/proc/self", &st) == 0 && st.st_uid == USER);
    EXPECT(readlink("/proc/self/exe", (char[9]){}, 9) > 0 && open("/proc/self/maps", 0) >= 0);
    char path[40];
    sprintf(path, "/proc/%d/environ", getppid());
    FAILS(open(path, O_RDONLY), EACCES);
    sprintf(path, "/proc/%d/exe", getppid());
    FAILS(readlink(path, path, 9), EACCES);
}

static void for_a_while(void)
{
    EXPECT(close(open("/tmp/f", O_CREAT | O_RDWR, 0600)) == 0);
    EXPECT(seteuid(USER) == 0 && getuid() == 0 && geteuid() == USER);
    FAILS(open("/tmp/f", O_RDONLY), EACCES);
    EXPECT(access("/tmp/f", R_OK) == 0 && faccessat(AT_FDCWD, "/tmp/f", R_OK, AT_EACCESS) == -1);
    EXPECT(seteuid(0) == 0 && open("/tmp/f", O_RDONLY) >= 0);
    EXPECT(setfsuid(USER) == 0);
    FAILS(open("/tmp/f", O_RDONLY), EACCES);
    EXPECT(setfsuid(0) == USER && open("/tmp/f", O_RDONLY) >= 0);
}

static struct __user_cap_data_struct caps[2];

static int cap(int call)
{
    struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
    return syscall(call, &h, caps);
}

static void capabilities(void)
{
    struct __user_cap_header_struct h = { 0, 0 };
    EXPECT(syscall(SYS_capget, &h, 0) == 0 && h.version == _LINUX_CAPABILITY_VERSION_3);
    EXPECT(cap(SYS_capget) == 0 && caps[0].effective == -1u && caps[1].permitted == 0x1ff);
    EXPECT(prctl(PR_SET_KEEPCAPS, 1) == 0 && setuid(USER) == 0);
    EXPECT(cap(SYS_capget) == 0 && caps[0].effective == 0 && caps[0].permitted == -1u);
    unsigned kept = 1 << CAP_NET_BIND_SERVICE | 1 << CAP_KILL;
    memset(caps, 0, sizeof caps);
    caps[0].permitted = caps[0].effective = caps[0].inheritable = kept;
    EXPECT(cap(SYS_capset) == 0 && kill(getppid(), 0) == 0);
    EXPECT(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_KILL, 0, 0) == 0);
    FAILS(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_CHOWN, 0, 0), EPERM);
    caps[0].permitted |= 1 << CAP_CHOWN;
    FAILS(cap(SYS_capset), EPERM);
    EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
    execl("/proc/self/exe", "users", "after", (char *)0);
}

/* Checks in the program that execve has started. */
static int after(void)
{
    EXPECT(cap(SYS_capget) == 0 && caps[0].effective == 1 << CAP_KILL && caps[1].effective == 0);
    EXPECT(getauxval(AT_UID) == USER && getauxval(AT_EUID) == USER && getauxval(AT_SECURE) == 0);
    EXPECT(kill(getppid(), 0) == 0);
    return failures;
}

static void *look(void *barrier)
{
    pthread_barrier_wait(barrier);
    pthread_barrier_wait(barrier);
    EXPECT(getuid() == USER && kill(1, 0) == -1);
    return 0;
}

/* The C library changes the user of all threads. */
static void threads(void)
{
    pthread_t t;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, 0, 2);
    EXPECT(pthread_create(&t, 0, look, &barrier) == 0);
    pthread_barrier_wait(&barrier);
    drop();
    pthread_barrier_wait(&barrier);
    pthread_join(t, 0);
}

static volatile siginfo_t last;

static void note(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    last = *info;
}

/* The sender of a signal and the peer of a connection are reported with their user. */
static void others(void)
{
    int s[2], status;
    struct ucred who;
    socklen_t len = sizeof who;
    struct sockaddr_un a = { AF_UNIX, "/tmp/users.socket" };
    struct sigaction action = { .sa_sigaction = note, .sa_flags = SA_SIGINFO | SA_RESTART };
    sigaction(SIGCHLD, &action, 0);
    int l = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT(bind(l, (void *)&a, sizeof a) == 0 && chmod(a.sun_path, 0600) == 0 && listen(l, 2) == 0);
    if (fork() == 0) {
        failures = 0;
        drop();
        int c = socket(AF_UNIX, SOCK_STREAM, 0);
        FAILS(connect(c, (void *)&a, sizeof a), EACCES);
        fflush(stdout);
        _exit(failures);
    }
    EXPECT(wait(&status) > 0 && status == 0 && last.si_uid == USER);
    chmod(a.sun_path, 0666);
    if (fork() == 0) {
        failures = 0;
        drop();
        int c = socket(AF_UNIX, SOCK_STREAM, 0);
        _exit(connect(c, (void *)&a, sizeof a) != 0 || read(c, s, 1) != 1);
    }
    int c = accept(l, 0, 0);
    EXPECT(getsockopt(c, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 && who.uid == USER && who.gid == USER);
    EXPECT(write(c, "x", 1) == 1 && wait(&status) > 0 && status == 0);
    unlink(a.sun_path);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return after();
    apart(is_dropped);
    apart(limits);
    apart(files);
    apart(for_a_while);
    apart(capabilities);
    apart(threads);
    apart(others);
    EXPECT(getuid() == 0 && kill(1, 0) == -1 && errno == ESRCH);
    printf("%d failures\n", failures);
    return failures != 0;
}

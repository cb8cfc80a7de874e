/* Names of programs, and their arguments in /proc. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads a file into `out`; returns the length, or -1. */
static ssize_t contents(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, out, size);
    if (fd >= 0)
        close(fd);
    return n;
}

static int comm_is(const char *path, const char *name)
{
    char line[32];
    ssize_t n = contents(path, line, sizeof line);
    return n == (ssize_t)strlen(name) + 1 && line[n - 1] == '\n' && !strncmp(line, name, n - 1);
}

/* Checks in a program that was started by `path`, whose last component is `name`. */
static int named(const char *name, const char *path)
{
    EXPECT(comm_is("/proc/self/comm", name));
    EXPECT(!strcmp((char *)getauxval(AT_EXECFN), path));
    fflush(stdout);
    return failures != 0;
}

/* A process gets its name from the path as given, even of a link or a script; a zombie keeps its name. */
static void names(void)
{
    const char *link = "/tmp/by-a-link", *script = "/tmp/by-a-script";
    char self[128] = "", text[160], path[64];
    int status;
    EXPECT(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    EXPECT(symlink(self, link) == 0);
    int fd = open(script, O_CREAT | O_WRONLY | O_EXCL, 0755);
    snprintf(text, sizeof text, "#!%s by-a-script\n", self);
    EXPECT(write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execl(link, "x", "by-a-link", "/tmp/by-a-link", NULL);
        _exit(9);
    }
    siginfo_t info;
    EXPECT(waitid(P_PID, child, &info, WEXITED | WNOWAIT) == 0 && info.si_status == 0);
    snprintf(path, sizeof path, "/proc/%d/comm", child);
    EXPECT(comm_is(path, "by-a-link"));
    EXPECT(waitpid(child, &status, 0) == child);
    if ((child = fork()) == 0) {
        execl(script, "x", NULL);
        _exit(9);
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    /* A script relative to a descriptor, through which the interpreter opens it. */
    int dir = open("/tmp", O_RDONLY | O_DIRECTORY);
    if ((child = fork()) == 0) {
        char *args[] = { "x", NULL };
        execveat(dir, "by-a-script", args, args + 1, 0);
        _exit(9);
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    close(dir), unlink(link), unlink(script);
}

/* /proc shows arguments and environment as they are in memory, where setproctitle changes them. */
static void titles(char **argv)
{
    extern char **environ;
    static char got[8192], want[8192];
    char path[64], byte;
    size_t n = environ[0] - argv[0], first = strlen(environ[0]) + 1;
    int to[2], status;
    EXPECT(contents("/proc/self/cmdline", got, sizeof got) == (ssize_t)n && !memcmp(got, argv[0], n));
    EXPECT(contents("/proc/self/environ", got, sizeof got) >= (ssize_t)first && !memcmp(got, environ[0], first));
    EXPECT(pipe(to) == 0);
    pid_t child = fork();
    if (child == 0) {
        memset(argv[0], 't', n);
        write(to[1], "x", 1);
        for (;;)
            pause();
    }
    EXPECT(read(to[0], &byte, 1) == 1);
    snprintf(path, sizeof path, "/proc/%d/cmdline", child);
    /* If the last byte of the arguments is not NUL, the environment follows, up to its first NUL. */
    memset(want, 't', n);
    memcpy(want + n, environ[0], first);
    EXPECT(contents(path, got, sizeof got) == (ssize_t)(n + first) && !memcmp(got, want, n + first));
    EXPECT(kill(child, SIGKILL) == 0);
    siginfo_t info;
    EXPECT(waitid(P_PID, child, &info, WEXITED | WNOWAIT) == 0 && contents(path, got, sizeof got) == 0);
    EXPECT(waitpid(child, &status, 0) == child);
    if ((child = fork()) == 0) {
        memset(argv[0], 0, n);
        memset(argv[0], 'u', n / 2);
        memset(environ[0], 'v', first - 1);
        EXPECT(contents("/proc/self/cmdline", got, sizeof got) == (ssize_t)n && !memcmp(got, argv[0], n));
        EXPECT(contents("/proc/self/environ", got, sizeof got) >= (ssize_t)first && !memcmp(got, environ[0], first));
        fflush(stdout);
        _exit(failures != 0);
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    close(to[0]), close(to[1]);
}

/* The names of programs. */
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a file holds, with its length. */
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

/* In a program that was started by this path, the last part of which is the name. */
static int named(const char *name, const char *path)
{
    EXPECT(comm_is("/proc/self/comm", name));
    EXPECT(!strcmp((char *)getauxval(AT_EXECFN), path));
    fflush(stdout);
    return failures != 0;
}

/* The name is that of the path as it was given, be it a link's or a script's; a zombie keeps its own. */
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
    /* Relative to a descriptor, under which the interpreter finds it. */
    int dir = open("/tmp", O_RDONLY | O_DIRECTORY);
    if ((child = fork()) == 0) {
        char *args[] = { "x", NULL };
        execveat(dir, "by-a-script", args, args + 1, 0);
        _exit(9);
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    close(dir), unlink(link), unlink(script);
}

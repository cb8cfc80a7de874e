/* What /proc says of a process is what its system calls say. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The number after a name in /proc/self/status, or -1. */
static long status_of(const char *name, int base)
{
    char line[1024];
    long value = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
            value = strtol(line + strlen(name) + 1, 0, base);
    EXPECT(f && fclose(f) == 0);
    return value;
}

/* Fields 1, 3, 4 and 6 of /proc/self/statm in KiB: size, shared pages, text, data and stack. */
static void read_statm(long kib[4])
{
    FILE *f = fopen("/proc/self/statm", "r");
    EXPECT(f && fscanf(f, "%ld %*d %ld %ld %*d %ld", kib, kib + 1, kib + 2, kib + 3) == 4 && fclose(f) == 0);
    for (int i = 0; i < 4; i++)
        kib[i] *= sysconf(_SC_PAGESIZE) / 1024;
}

static void memory_shown(void)
{
    const long kib = 3 << 10;
    long data = status_of("VmData", 10), shared = status_of("RssShmem", 10), anon = status_of("RssAnon", 10), m[4];
    char *own = mmap(0, kib << 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *with = mmap(0, kib << 10, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(own, 1, kib << 10);
    memset(with, 1, kib << 10);
    /* The C library may allocate a buffer meanwhile. */
    long more = status_of("VmData", 10) - data;
    EXPECT(more >= kib && more < kib + 512);
    EXPECT(status_of("RssShmem", 10) - shared == kib && status_of("RssAnon", 10) - anon >= kib);
    EXPECT(status_of("VmRSS", 10) == status_of("RssAnon", 10) + status_of("RssFile", 10) + status_of("RssShmem", 10));
    EXPECT(status_of("VmLck", 10) == 0 && status_of("VmStk", 10) >= 64 && status_of("VmSwap", 10) == 0);
    long text = status_of("VmExe", 10), libraries = status_of("VmLib", 10);
    EXPECT(text > 0 && libraries > 0);
    read_statm(m);
    EXPECT(m[0] == status_of("VmSize", 10) && m[1] == status_of("RssFile", 10) + status_of("RssShmem", 10));
    EXPECT(m[2] == text && m[3] == status_of("VmData", 10) + status_of("VmStk", 10));
    munmap(own, kib << 10);
    munmap(with, kib << 10);
    EXPECT(status_of("RssShmem", 10) == shared);
}

static void signals_shown(void)
{
    struct rlimit l;
    sigset_t set, old;
    const int process = SIGRTMIN + 3, thread = SIGRTMIN + 4;
    EXPECT(getrlimit(RLIMIT_SIGPENDING, &l) == 0);
    sigemptyset(&set);
    sigaddset(&set, process);
    sigaddset(&set, thread);
    sigprocmask(SIG_BLOCK, &set, &old);
    for (int i = 0; i < 2; i++)
        EXPECT(sigqueue(getpid(), process, (union sigval){ 0 }) == 0);
    EXPECT(pthread_kill(pthread_self(), thread) == 0);
    EXPECT(status_of("ShdPnd", 16) == 1L << (process - 1) && status_of("SigPnd", 16) == 1L << (thread - 1));
    char line[256];
    long queued = -1, most = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "SigQ: %ld/%ld", &queued, &most);
    EXPECT(f && fclose(f) == 0 && queued >= 3 && most == (long)l.rlim_cur);
    for (int i = 0; i < 3; i++)
        sigtimedwait(&set, 0, &(struct timespec){ 0 });
    EXPECT(status_of("ShdPnd", 16) == 0 && status_of("SigPnd", 16) == 0);
    sigprocmask(SIG_SETMASK, &old, 0);
}

static const char *limit_text(rlim_t limit, char out[21])
{
    sprintf(out, limit == RLIM_INFINITY ? "unlimited" : "%lu", (unsigned long)limit);
    return out;
}

static void limits_shown(void)
{
    static const char *const names[] = {
        "cpu time",      "file size",     "data size",         "stack size",       "core file size", "resident set",
        "processes",     "open files",    "locked memory",     "address space",    "file locks",     "pending signals",
        "msgqueue size", "nice priority", "realtime priority", "realtime timeout",
    };
    char line[256], expected[256], name[32], soft[21], hard[21];
    struct rlimit l;
    const int set[] = { RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_STACK, RLIMIT_NOFILE, RLIMIT_SIGPENDING };
    for (unsigned i = 0; i < sizeof set / sizeof *set; i++) {
        EXPECT(getrlimit(set[i], &l) == 0);
        l.rlim_cur = 1000 + i;
        l.rlim_max = i == 0 ? 2000 : l.rlim_max;
        EXPECT(setrlimit(set[i], &l) == 0);
    }
    FILE *f = fopen("/proc/self/limits", "r");
    EXPECT(f && fgets(line, sizeof line, f) && !strncmp(line, "Limit ", 6));
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        EXPECT(getrlimit(i, &l) == 0 && fgets(line, sizeof line, f));
        sprintf(name, "Max %s", names[i]);
        int n =
            sprintf(expected, "%-25s %-20s %-20s ", name, limit_text(l.rlim_cur, soft), limit_text(l.rlim_max, hard));
        EXPECT(!strncmp(line, expected, n));
    }
    EXPECT(!fgets(line, sizeof line, f) && fclose(f) == 0);
}

static void self(void)
{
    int status;
    EXPECT(status_of("NStgid", 10) == getpid() && status_of("NSpid", 10) == getpid());
    EXPECT(status_of("NSpgid", 10) == getpgrp() && status_of("NSsid", 10) == getsid(0));
    memory_shown();
    signals_shown();
    fflush(stdout);
    if (fork() == 0) {
        failures = 0;
        limits_shown();
        fflush(stdout);
        _exit(failures);
    }
    EXPECT(wait(&status) > 0 && status == 0);
}

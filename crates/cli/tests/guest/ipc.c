/* Checks of System V IPC (sysvipc(7)) through the C library. A failed expectation is printed with its line. Runs on any
 * Linux, where the identifiers of objects do not matter.
 *
 * One translation unit: the guest's own compiler compiles it in the simulator, where each unit takes time. */
#define _GNU_SOURCE
#include "expect.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY = 0x6361 };

static void nothing(int signal)
{
    (void)signal;
}

/* These waits are not restarted after a handler, even with SA_RESTART (signal(7)). */
static void alarm_soon(void)
{
    struct sigaction a = { .sa_handler = nothing, .sa_flags = SA_RESTART };
    struct itimerval soon = { .it_value = { 0, 5000 } };
    sigaction(SIGALRM, &a, 0);
    setitimer(ITIMER_REAL, &soon, 0);
}

static int status_of(pid_t child)
{
    int status;
    EXPECT(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Starts a child that exits with the result of a function. */
static pid_t start(int (*f)(int), int id)
{
    pid_t child = fork();
    if (child == 0)
        _exit(f(id));
    return child;
}

static int lines_of(const char *path)
{
    FILE *f = fopen(path, "r");
    int c, n = 0;
    EXPECT(f != 0);
    while (f && (c = getc(f)) != EOF)
        n += c == '\n';
    if (f)
        fclose(f);
    return n;
}

#include "ipc/messages.c"
#include "ipc/semaphores.c"
#include "ipc/segments.c"

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 2)
        return 7;
    messages();
    semaphores();
    segments();
    printf("%d failures\n", failures);
    return failures != 0;
}

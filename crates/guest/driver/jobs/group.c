/* Groups of jobs, each in a child process of its own.
 *
 * Every child begins with the same memory, registers and cold caches, whatever was asked before, so the cost of a job
 * does not depend on other groups. The parent does the same work for each group: it reads it into static memory, forks
 * and waits. A child that dies takes only its group with it. */
#include "driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Longest line of a job: one message and a signature, in hexadecimal. */
#define MAX_LINE (4 * MAX_MESSAGE)

static char group[MAX_GROUP + 1];
/* Holds the longest answer, so that a child that dies leaves no partial line. */
static char output[2 * MAX_LINE];

/* Reads lines up to an empty one or the end of input. Returns their length; -1 if the conversation must end, because
 * the rest of an overlong group would be taken for further jobs. */
static long read_group(int *last)
{
    size_t used = 0;
    while (fgets(group + used, (int)(sizeof group - used), stdin)) {
        size_t len = strcspn(group + used, "\n");
        if (group[used + len] == 0 && used + len == sizeof group - 1) {
            puts("error group too long");
            return -1;
        }
        if (len > MAX_LINE) {
            puts("error line too long");
            return -1;
        }
        if (len == 0) {
            group[used] = 0;
            return (long)used;
        }
        used += len;
        group[used++] = '\n';
        group[used] = 0;
    }
    *last = 1;
    return (long)used;
}

static void answer_group(void (*answer)(char *line))
{
    char *line = group;
    while (*line) {
        char *end = line + strcspn(line, "\n");
        *end = 0;
        answer(line);
        if (fflush(stdout) != 0)
            _exit(1);
        line = end + 1;
    }
    _exit(0);
}

int serve(void (*answer)(char *line))
{
    int last = 0;
    if (!begin_library()) {
        fputs("the library's random number generator cannot be set up\n", stderr);
        return 1;
    }
    setvbuf(stdout, output, _IOFBF, sizeof output);
    while (!last) {
        long len = read_group(&last);
        int status = 0;
        if (len < 0)
            break;
        if (len == 0)
            continue;
        pid_t child = fork();
        if (child == 0)
            answer_group(answer);
        if (child < 0 || waitpid(child, &status, 0) != child) {
            puts("error cannot fork");
            break;
        }
        if (status != 0)
            printf("died %ld %d\n", (long)child, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
        if (fflush(stdout) != 0)
            return 1;
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

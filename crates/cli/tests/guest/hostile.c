/* A guest that tries to reach the host or to exhaust its resources: `hostile WHAT [ARGUMENT]`. It prints each attempt to
 * reach the host that succeeds.
 *
 * One translation unit: the guest's own compiler compiles it in the simulator, where each unit takes time. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

static char buf[1 << 16];

#include "hostile/reach.c"
#include "hostile/memory.c"
#include "hostile/storms.c"

/* Sends a socket through itself, with other descriptors, so that all of them stay open. */
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

static void crash(const char *unused)
{
    *(volatile const char **)0 = unused;
}

/* Writes as much as possible. */
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

/* A signal handler that records what it was called with. */
#include "../expect.h"
#include <signal.h>
#include <stdint.h>

static volatile int handled;
static siginfo_t last;
static uintptr_t handler_stack;

static void note(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    handled++;
    last = *info;
    handler_stack = (uintptr_t)__builtin_frame_address(0);
}

static void on(int signal, int flags)
{
    struct sigaction a = { .sa_sigaction = note, .sa_flags = SA_SIGINFO | flags };
    EXPECT(sigaction(signal, &a, 0) == 0);
    handled = 0;
}

static void reset_signals(void)
{
    for (int s = 1; s < 32; s++)
        if (s != SIGKILL && s != SIGSTOP)
            signal(s, SIG_DFL);
}

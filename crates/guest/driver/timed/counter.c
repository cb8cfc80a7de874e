/* See counter_timed.h. CAPVEC_COUNTER in the environment selects one by name: an emulator's counters are not the processor's,
 * so its caller sets `marks`. */
#define _GNU_SOURCE
#include "counter_timed.h"
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum source { UNKNOWN, NONE, PERF, INSTRET, MARKS };

static enum source source;
static pid_t owner;
static int insns_fd, cycles_fd;

static int open_event(uint64_t event)
{
    struct perf_event_attr a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = PERF_TYPE_HARDWARE;
    a.config = event;
    a.exclude_kernel = 1;
    a.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0UL);
}

#ifdef __riscv
static sigjmp_buf escape;

static void on_signal(int number)
{
    (void)number;
    siglongjmp(escape, 1);
}

/* Since 6.6, Linux lets programs read them only if an administrator allows it. */
static int can_read_csrs(void)
{
    struct sigaction old, action;
    volatile int can = 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    if (sigaction(SIGILL, &action, &old) != 0)
        return 0;
    if (sigsetjmp(escape, 1) == 0) {
        uint64_t v;
        __asm__ volatile("rdinstret %0\n\trdcycle %0" : "=r"(v));
        can = 1;
    }
    sigaction(SIGILL, &old, NULL);
    return can;
}
#else
static int can_read_csrs(void)
{
    return 0;
}
#endif

/* A process counts only itself, so each opens its own counters. */
static enum source choose(void)
{
    const char *given = getenv("CAPVEC_COUNTER");
    if (given && strcmp(given, "marks") == 0)
        return MARKS;
    if (given && strcmp(given, "none") == 0)
        return NONE;
    insns_fd = open_event(PERF_COUNT_HW_INSTRUCTIONS);
    cycles_fd = open_event(PERF_COUNT_HW_CPU_CYCLES);
    if (insns_fd >= 0)
        return PERF;
    return can_read_csrs() ? INSTRET : NONE;
}

static enum source get(void)
{
    if (source == UNKNOWN || owner != getpid()) {
        source = choose();
        owner = getpid();
    }
    return source;
}

const char *counter_name(void)
{
    static const char *const names[] = { "", "none", "perf", "instret", "marks" };
    return names[get()];
}

int counter_counts(void)
{
    return get() == PERF || get() == INSTRET;
}

int counter_has_cycles(void)
{
    return get() == INSTRET || (get() == PERF && cycles_fd >= 0);
}

static uint64_t read_event(int fd)
{
    uint64_t v = 0;
    return fd >= 0 && read(fd, &v, sizeof v) == sizeof v ? v : 0;
}

void counter_read(struct counts *c)
{
    c->insns = c->cycles = 0;
    if (source == PERF) {
        c->cycles = read_event(cycles_fd);
        c->insns = read_event(insns_fd);
    }
#ifdef __riscv
    if (source == INSTRET)
        __asm__ volatile("rdcycle %0\n\trdinstret %1" : "=r"(c->cycles), "=r"(c->insns) : : "memory");
#endif
}

/* No file has this descriptor, so the call only fails; its length argument is the mark. */
void counter_mark(unsigned mark)
{
    if (source == MARKS) {
        ssize_t failed = write(-1, "", mark);
        (void)failed;
    }
}

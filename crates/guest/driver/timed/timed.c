/* Measuring on targets other than the simulator: samples of many repeats each, with the clock and the existing
 * counters.
 *
 *   selfcheck N                             -> selfcheck COUNTER PROCESS SECTIONS
 *   measure WHAT KEY IV BYTES TIMES SAMPLES NANOSECONDS
 *                                           -> measure COUNTER PROCESS TIMES SECTIONS
 *
 * With TIMES 0, the driver determines how many repeats take NANOSECONDS. SECTIONS are sections of work, each
 * `MARK:NS:INSNS:CYCLES` with `-` for what nothing counts; the first section is an empty loop, also of TIMES repeats,
 * the others are samples. Those of selfcheck are a loop of two instructions, with N and 2·N iterations. */
#define _GNU_SOURCE
#include "driver.h"
#include "counter_timed.h"
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define MAX_SAMPLES 101
/* Number of repeats in the longest calibration. */
#define MAX_TIMES 10000000

struct section {
    unsigned mark;
    uint64_t ns;
    struct counts counts;
};

typedef int step_function(void *, unsigned char *, size_t);

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void begin(struct section *s)
{
    static unsigned marks;
    counter_name(); /* selects the counter */
    s->mark = marks;
    marks += 2;
    s->ns = now();
    counter_mark(s->mark);
    counter_read(&s->counts);
}

static void end(struct section *s)
{
    struct counts last;
    counter_read(&last);
    counter_mark(s->mark + 1);
    s->ns = now() - s->ns;
    s->counts.insns = last.insns - s->counts.insns;
    s->counts.cycles = last.cycles - s->counts.cycles;
}

static void print(const struct section *s)
{
    printf(" %u:%" PRIu64, s->mark, s->ns);
    if (counter_counts())
        printf(":%" PRIu64, s->counts.insns);
    else
        fputs(":-", stdout);
    if (counter_has_cycles())
        printf(":%" PRIu64, s->counts.cycles);
    else
        fputs(":-", stdout);
}

static int step_empty(void *context, unsigned char *buffer, size_t len)
{
    (void)context, (void)buffer, (void)len;
    return 1;
}

/* Not inlined: the empty step must be called exactly like a real one. */
static __attribute__((noinline)) int run(step_function *step, void *context, size_t bytes, size_t times,
                                         struct section *s)
{
    unsigned char *buffer = measured_message();
    int ok = 1;
    fill(buffer, bytes);
    begin(s);
    for (size_t i = 0; i < times; i++)
        ok &= step(context, buffer, bytes);
    end(s);
    return ok;
}

/* Number of repeats that take at least `ns`; 0 if the library fails. Calibration also warms caches and the clock up. */
static size_t calibrate(step_function *step, void *context, size_t bytes, uint64_t ns)
{
    struct section s;
    size_t times = 1;
    for (;;) {
        if (!run(step, context, bytes, times, &s))
            return 0;
        if (s.ns >= ns || times >= MAX_TIMES)
            return times;
        /* A little more than the estimate, so that the next round is the last. */
        uint64_t more = s.ns ? times * (ns + ns / 8) / s.ns + 1 : times * 16;
        times = more > times * 16 ? times * 16 : more;
        if (times > MAX_TIMES)
            times = MAX_TIMES;
    }
}

void do_measure(struct job *job)
{
    static struct section sections[MAX_SAMPLES + 1];
    const struct kind *kind = take_what(job);
    size_t bytes, times, samples, ns;
    if (kind == NULL || !take_bytes(&job->key) || !take_bytes(&job->iv)
        || !parse_number(next_word(), MAX_MEASURED, &bytes) || !parse_number(next_word(), MAX_TIMES, &times)
        || !parse_number(next_word(), MAX_SAMPLES, &samples) || samples == 0
        || !parse_number(next_word(), 1000000000, &ns) || next_word()) {
        puts("error bad measure job");
        return;
    }
    if (!place_message(bytes)) {
        puts("error no memory for the message: lift the program's memory limit (ulimit -v), or choose fewer --bytes");
        return;
    }
    void *context = kind->prepare(job, bytes);
    if (context == NULL) {
        puts("error cannot measure this job");
        return;
    }
    /* As in main.c: once to resolve symbols and fetch implementations. */
    int ok = times == 1 || run(kind->step, context, bytes, 1, &sections[0]);
    if (ok && times == 0)
        ok = (times = calibrate(kind->step, context, bytes, ns)) != 0;
    ok = ok && run(step_empty, context, bytes, times, &sections[0]);
    for (size_t i = 1; ok && i <= samples; i++)
        ok = run(kind->step, context, bytes, times, &sections[i]);
    kind->release(context);
    if (!ok) {
        puts("error the library failed while measuring");
        return;
    }
    printf("measure %s %ld %zu", counter_name(), (long)getpid(), times);
    for (size_t i = 0; i <= samples; i++)
        print(&sections[i]);
    putchar('\n');
}

/* Two instructions in each iteration. */
static __attribute__((noinline)) void loop(uint64_t n)
{
#if defined(__riscv)
    __asm__ volatile("1:\taddi %0, %0, -1\n\tbnez %0, 1b" : "+r"(n));
#elif defined(__aarch64__)
    __asm__ volatile("1:\tsubs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#elif defined(__x86_64__)
    __asm__ volatile("1:\tdec %0\n\tjnz 1b" : "+r"(n) : : "cc");
#else
# error "a loop of two instructions"
#endif
}

/* Not inlined: the same code around both. */
static __attribute__((noinline)) void loop_section(struct section *s, uint64_t n)
{
    begin(s);
    loop(n);
    end(s);
}

void do_selfcheck(void)
{
    struct section s[2];
    size_t n;
    if (!parse_number(next_word(), 100000000, &n) || n == 0) {
        puts("error selfcheck needs a positive count");
        return;
    }
    loop(n);
    loop_section(&s[0], n);
    loop_section(&s[1], 2 * n);
    printf("selfcheck %s %ld", counter_name(), (long)getpid());
    print(&s[0]);
    print(&s[1]);
    putchar('\n');
}

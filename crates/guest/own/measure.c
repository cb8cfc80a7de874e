/* The main program of `capvec measure` and `capvec check`. Its first argument is `measure` or `check`; the others are message sizes.
 *
 * It prints lines of fields that are separated by tabs: `capvec-title TITLE` for each measurement; for each known answer `capvec-check TITLE` and
 * `pass` or `fail`; for each measurement and size, `capvec-measure TITLE SIZE` with the number of calls, and the retired instructions and cycles of
 * all of them, followed by `capvec-varies TITLE SIZE LEAST MOST` if calls take different numbers of instructions, or `capvec-fault TITLE SIZE PLACE
 * STATE WHAT`; at the end `capvec-end`, with the number of buffers. Each answer and each size has a process of its own, and `capvec-begin TITLE SIZE`
 * comes before it. If a signal ends the process, the line is `capvec-died TITLE SIZE SIGNAL`. While it checks, `capvec-call TITLE SIZE PLACE
 * STATE` and `capvec-answer TITLE PLACE STATE` come before what they announce, and `capvec-checked TITLE SIZE` after the calls of a size. */
#define _GNU_SOURCE
#include "capvec_own.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

/* The exit status of a process that has done its part: one that the measured code is unlikely to use. */
enum { DONE = 119 };

/* The least descriptor for lines, away from those that the user's code expects to get. */
enum { LEAST_DESCRIPTOR = 200 };

struct counts {
    uint64_t insns;
    uint64_t cycles;
};

struct capvec_item *capvec_first;
static struct capvec_item **last = &capvec_first;
static int lines;

void capvec_add(struct capvec_item *item)
{
    *last = item;
    last = &item->next;
}

void capvec_fail(const char *why)
{
    fprintf(stderr, "%s", why);
    exit(71);
}

/* Gives lines a descriptor of their own: what the user's code prints could hide them, or look like one. */
static void separate_output(void)
{
    int null = open("/dev/null", O_WRONLY);
    lines = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR);
    if (null < 0 || lines < 0 || dup2(null, STDOUT_FILENO) < 0)
        capvec_fail("cannot separate the output of the code");
    close(null);
    /* A constructor may have printed a part of a line. */
    capvec_line("\n");
}

void capvec_line(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vdprintf(lines, format, args);
    va_end(args);
}

void capvec_fault(const struct capvec_item *item, size_t size, const char *place, const char *state, const char *what)
{
    capvec_line("capvec-fault\t%s\t%zu\t%s\t%s\t%s\n", item->title, size, place, state, what);
}

/* Called to measure the cost of a call itself. */
__attribute__((noinline)) static void nothing(size_t size)
{
    (void)size;
}

/* Never specialised for what it calls, so that every call takes the same instructions. */
__attribute__((noinline, noclone)) static struct counts count(void (*run)(size_t), size_t size, unsigned calls)
{
    uint64_t insns[2], cycles[2];
    __asm__ volatile("rdcycle %0\n\trdinstret %1" : "=r"(cycles[0]), "=r"(insns[0]) : : "memory");
    for (unsigned i = 0; i < calls; i++)
        run(size);
    __asm__ volatile("rdcycle %0\n\trdinstret %1" : "=r"(cycles[1]), "=r"(insns[1]) : : "memory");
    return (struct counts){ insns[1] - insns[0], cycles[1] - cycles[0] };
}

/* Short calls are measured often enough for the branch predictor and the caches to be as warm as in use. */
static unsigned calls_for(uint64_t cycles)
{
    const uint64_t enough = 20000, most = 64;
    uint64_t calls = cycles ? enough / cycles : most;
    return calls < 2 ? 2 : calls > most ? most : (unsigned)calls;
}

static void fault(const struct capvec_item *item, size_t size, const char *what)
{
    capvec_fault(item, size, "", "", what);
}

/* Whether calls take different numbers of instructions, which a mean does not show. */
static void compare(const struct capvec_item *item, size_t size, unsigned calls)
{
    uint64_t less = count(nothing, size, 1).insns, least = UINT64_MAX, most = 0;
    while (calls--) {
        uint64_t insns = count(item->run, size, 1).insns - less;
        least = insns < least ? insns : least;
        most = insns > most ? insns : most;
    }
    if (least < most)
        capvec_line("capvec-varies\t%s\t%zu\t%llu\t%llu\n", item->title, size, (unsigned long long)least,
                    (unsigned long long)most);
}

static void measure(const struct capvec_item *item, size_t size)
{
    struct counts own, less;
    const char *broken;
    unsigned calls;
    capvec_prepare(size, (struct place){ FREE, 0 });
    /* What follows would go wrong in a caller whose registers are lost. */
    broken = capvec_call_keeps(item->run, size);
    if (broken) {
        fault(item, size, broken);
        return;
    }
    calls = calls_for(count(item->run, size, 1).cycles);
    count(nothing, size, calls);
    less = count(nothing, size, calls);
    count(item->run, size, calls);
    own = count(item->run, size, calls);
    if (own.insns <= less.insns || own.cycles < less.cycles) {
        fault(item, size, "the compiler has removed the call: define the function in another file, or use its result");
        return;
    }
    capvec_line("capvec-measure\t%s\t%zu\t%u\t%llu\t%llu\n", item->title, size, calls,
                (unsigned long long)(own.insns - less.insns), (unsigned long long)(own.cycles - less.cycles));
    compare(item, size, calls);
}

void capvec_answer(const struct capvec_item *item, size_t size)
{
    (void)size;
    capvec_line("capvec-check\t%s\t%s\n", item->title, item->check() ? "pass" : "fail");
}

/* Titles are fields of lines, and names of rows. */
static void check_titles(void)
{
    for (const struct capvec_item *item = capvec_first; item; item = item->next) {
        const char *wrong = item->title[0] == 0 ? "is empty"
            : strpbrk(item->title, "\t\r\n")    ? "has a tab or a line break"
                                                : NULL;
        for (const struct capvec_item *other = capvec_first; other != item; other = other->next)
            if (item->run && other->run && strcmp(item->title, other->title) == 0)
                wrong = "is used twice";
        if (wrong) {
            fprintf(stderr, "the title \"%s\" %s", item->title, wrong);
            exit(65);
        }
    }
}

void capvec_apart(void (*part)(const struct capvec_item *, size_t), const struct capvec_item *item, size_t size)
{
    int status = 0;
    pid_t child;
    capvec_line("capvec-begin\t%s\t%zu\n", item->title, size);
    child = fork();
    if (child == 0) {
        part(item, size);
        _exit(DONE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        capvec_fail("cannot start a process");
    if (WIFSIGNALED(status))
        capvec_line("capvec-died\t%s\t%zu\t%d\n", item->title, size, WTERMSIG(status));
    else if (WEXITSTATUS(status) != DONE)
        fault(item, size, "the code ends the process");
}

int main(int argc, char **argv)
{
    const struct place anywhere = { FREE, 0 };
    int checking;
    if (argc < 2)
        return 64;
    separate_output();
    check_titles();
    checking = strcmp(argv[1], "check") == 0;
    capvec_prepare(0, anywhere);
    for (const struct capvec_item *item = capvec_first; item; item = item->next)
        if (item->run)
            capvec_line("capvec-title\t%s\n", item->title);
    for (const struct capvec_item *item = capvec_first; item; item = item->next)
        if (item->check && checking)
            capvec_check_answers(item);
        else if (item->check)
            capvec_apart(capvec_answer, item, 0);
    for (const struct capvec_item *item = capvec_first; item; item = item->next)
        for (int i = 2; item->run && i < argc; i++)
            capvec_apart(checking ? capvec_check_call : measure, item, strtoul(argv[i], NULL, 10));
    capvec_prepare(0, anywhere);
    capvec_line("capvec-end\t%d\n", capvec_buffers());
    return 0;
}

/* The main program of `capvec measure` and `capvec check`. Its first argument is `measure` or `check`; the others are message sizes.
 *
 * It prints lines of fields that are separated by tabs: for each known answer `capvec-check TITLE` and `pass` or `fail`; for each measurement and
 * size, `capvec-measure TITLE SIZE` with the number of calls, and the retired instructions and cycles of all of them, followed by `capvec-varies
 * TITLE SIZE LEAST MOST` if calls take different numbers of instructions, or `capvec-fault TITLE SIZE PLACE STATE WHAT`; at the end `capvec-end`,
 * with the number of buffers. While it checks, `capvec-call TITLE SIZE PLACE STATE` and `capvec-answer TITLE STATE` come before what they announce.
 * Each answer and each size has a process of its own. If a signal ends the process, the line is `capvec-died TITLE SIZE SIGNAL`. */
#define _GNU_SOURCE
#include "capvec_own.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

/* The exit status of a process that has done its part: one that the measured code is unlikely to use. */
enum { DONE = 119 };

struct counts {
    uint64_t insns;
    uint64_t cycles;
};

struct capvec_item *capvec_first;
static struct capvec_item **last = &capvec_first;

void capvec_add(struct capvec_item *item)
{
    *last = item;
    last = &item->next;
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
    printf("capvec-fault\t%s\t%zu\t\t\t%s\n", item->title, size, what);
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
        printf("capvec-varies\t%s\t%zu\t%llu\t%llu\n", item->title, size, (unsigned long long)least,
               (unsigned long long)most);
}

static void measure(const struct capvec_item *item, size_t size)
{
    struct counts own, less;
    const char *broken;
    unsigned calls;
    capvec_prepare(size, FREE);
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
    printf("capvec-measure\t%s\t%zu\t%u\t%llu\t%llu\n", item->title, size, calls,
           (unsigned long long)(own.insns - less.insns), (unsigned long long)(own.cycles - less.cycles));
    compare(item, size, calls);
}

void capvec_answer(const struct capvec_item *item, size_t size)
{
    (void)size;
    printf("capvec-check\t%s\t%s\n", item->title, item->check() ? "pass" : "fail");
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
    pid_t child = fork();
    if (child == 0) {
        part(item, size);
        fflush(stdout);
        _exit(DONE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        fprintf(stderr, "cannot start a process");
        exit(71);
    }
    if (WIFSIGNALED(status))
        printf("capvec-died\t%s\t%zu\t%d\n", item->title, size, WTERMSIG(status));
    else if (WEXITSTATUS(status) != DONE)
        fault(item, size, "the code ends the process");
}

int main(int argc, char **argv)
{
    int checking;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 2)
        return 64;
    check_titles();
    checking = strcmp(argv[1], "check") == 0;
    capvec_prepare(0, FREE);
    for (const struct capvec_item *item = capvec_first; item; item = item->next)
        if (item->check && checking)
            capvec_check_answers(item);
        else if (item->check)
            capvec_apart(capvec_answer, item, 0);
    for (const struct capvec_item *item = capvec_first; item; item = item->next)
        for (int i = 2; item->run && i < argc; i++)
            capvec_apart(checking ? capvec_check_call : measure, item, strtoul(argv[i], NULL, 10));
    capvec_prepare(0, FREE);
    printf("capvec-end\t%d\n", capvec_buffers());
    return 0;
}

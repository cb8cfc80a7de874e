/* The main program of `capvec measure` and `capvec check`. Its first argument is `measure` or `check`; the others are message
 * sizes. For each known answer it prints `capvec-check TITLE` and `pass` or `fail`; for each measurement and size, `capvec-measure TITLE`
 * with the size, the number of calls, and the retired instructions and cycles of all of them. Fields are separated by tabs. */
#include "own.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* What a call costs that does nothing. */
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

static void measure(const struct capvec_item *item, size_t size)
{
    struct counts own, less;
    capvec_prepare(size, FREE);
    unsigned calls = calls_for(count(item->run, size, 1).cycles);
    count(nothing, size, calls);
    less = count(nothing, size, calls);
    count(item->run, size, calls);
    own = count(item->run, size, calls);
    printf("capvec-measure\t%s\t%zu\t%u\t%llu\t%llu\n", item->title, size, calls,
           (unsigned long long)(own.insns - less.insns), (unsigned long long)(own.cycles - less.cycles));
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 2)
        return 64;
    capvec_prepare(0, FREE);
    for (const struct capvec_item *item = capvec_first; item; item = item->next)
        if (item->check)
            printf("capvec-check\t%s\t%s\n", item->title, item->check() ? "pass" : "fail");
    if (strcmp(argv[1], "check") == 0)
        return capvec_check_calls(argc - 2, argv + 2) > 0;
    for (const struct capvec_item *item = capvec_first; item; item = item->next)
        for (int i = 2; item->run && i < argc; i++)
            measure(item, strtoul(argv[i], NULL, 10));
    return 0;
}

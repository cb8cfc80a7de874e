#include "measure.h"
#include "console.h"

static uint32_t cycles(void)
{
    unsigned long value;
    __asm__ volatile("csrr %0, mcycle" : "=r"(value)::"memory");
    return (uint32_t)value;
}

static uint32_t retired(void)
{
    unsigned long value;
    __asm__ volatile("csrr %0, minstret" : "=r"(value)::"memory");
    return (uint32_t)value;
}

/* Does nothing, to measure what measuring takes. */
static uint8_t nothing(const void *context)
{
    return *(const volatile uint8_t *)context;
}

struct counts {
    uint32_t cycles, retired;
};

static struct counts once(uint8_t (*run)(const void *), const void *context)
{
    struct counts c;
    uint32_t from_retired = retired(), from = cycles();
    (void)run(context);
    c.cycles = cycles() - from;
    c.retired = retired() - from_retired;
    return c;
}

void measure(const char *name, uint32_t blocks, uint8_t (*run)(const void *), const void *context)
{
    struct counts empty, runs[2];
    (void)once(nothing, name);
    empty = once(nothing, name);
    for (int i = 0; i < 2; i++)
        runs[i] = once(run, context);
    print(name);
    print(",");
    print_number(blocks, 0);
    for (int i = 0; i < 2; i++) {
        print(",");
        print_number(runs[i].cycles - empty.cycles, 0);
        print(",");
        print_number(runs[i].retired - empty.retired, 0);
    }
    print("\n");
}

/* Counters of what is no simulator, by what there is: perf_event_open(2), or rdinstret and rdcycle, or none. */
#ifndef CAPVEC_COUNTER_H
#define CAPVEC_COUNTER_H

#include <stdint.h>

struct counts {
    uint64_t insns;
    uint64_t cycles;
};

/* What counts: `perf`, `instret`, `marks` or `none`. */
const char *counter_name(void);
/* Whether `counter_read` counts instructions, and cycles. */
int counter_counts(void);
int counter_has_cycles(void);
/* Both counts up to here; 0 for what nothing counts. */
void counter_read(struct counts *c);
/* Tells an emulator that logs system calls where the driver is; nothing on other targets. */
void counter_mark(unsigned mark);

#endif

/* Counters of targets other than the simulator, whichever exist: perf_event_open(2), or rdinstret and rdcycle, or none. */
#ifndef CAPVEC_COUNTER_TIMED_H
#define CAPVEC_COUNTER_TIMED_H

#include <stdint.h>

struct counts {
    uint64_t insns;
    uint64_t cycles;
};

/* The source of the counts: `perf`, `instret`, `marks` or `none`. */
const char *counter_name(void);
/* Whether `counter_read` counts instructions and cycles. */
int counter_counts(void);
int counter_has_cycles(void);
/* Both counts so far; 0 for those that nothing counts. */
void counter_read(struct counts *c);
/* Marks the driver's position for an emulator that logs system calls; does nothing on other targets. */
void counter_mark(unsigned mark);

#endif

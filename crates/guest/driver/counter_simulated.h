/* The counters of the simulator's hart. Other targets: counter_timed.h. */
#ifndef CAPVEC_COUNTER_SIMULATED_H
#define CAPVEC_COUNTER_SIMULATED_H

#include <stdint.h>

#ifdef __riscv
/* Retired instructions and cycles. Volatile and with a memory clobber, so that the work stays between two reads. */
static inline uint64_t read_instret(void)
{
    uint64_t v;
    __asm__ volatile("rdinstret %0" : "=r"(v) : : "memory");
    return v;
}

static inline uint64_t read_cycle(void)
{
    uint64_t v;
    __asm__ volatile("rdcycle %0" : "=r"(v) : : "memory");
    return v;
}
#endif

#endif

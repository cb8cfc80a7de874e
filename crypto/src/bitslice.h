/* Bit slices of four blocks: bit i of each of 64 bytes in q[i]. */
#ifndef CV_BITSLICE_H
#define CV_BITSLICE_H

#include "internal.h"

/* Blocks that are sliced together. */
#define CV_SLICED 4

/* Exchanges the bits of `mask` << `shift` in x with those of `mask` in y. */
static inline void cv_swap_bits(uint64_t *x, uint64_t *y, uint64_t mask, int shift)
{
    uint64_t t = ((*x >> shift) ^ *y) & mask;
    *y ^= t;
    *x ^= t << shift;
}

/* Transposes: bit b of byte j of q[i] becomes bit i of byte j of q[b]. It is its own inverse. */
static inline void cv_transpose(uint64_t q[8])
{
    for (int i = 0; i < 8; i += 2)
        cv_swap_bits(&q[i], &q[i + 1], UINT64_C(0x5555555555555555), 1);
    for (int i = 0; i < 8; i += i & 1 ? 3 : 1)
        cv_swap_bits(&q[i], &q[i + 2], UINT64_C(0x3333333333333333), 2);
    for (int i = 0; i < 4; i++)
        cv_swap_bits(&q[i], &q[i + 4], UINT64_C(0x0f0f0f0f0f0f0f0f), 4);
}

#endif

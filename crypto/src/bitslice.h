/* Bit slices of four blocks: bit i of each of 64 bytes is in q[i]. */
#ifndef CV_BITSLICE_H
#define CV_BITSLICE_H

#include "internal.h"

/* Slices stay in registers only if loops over them are unrolled. */
#define CV_UNROLL_8 _Pragma("GCC unroll 8")

/* Number of blocks that are sliced together. */
#define CV_SLICED 4

/* Exchanges the bits `mask` << `shift` of x with the bits `mask` of y. */
static inline void cv_swap_bits(uint64_t *x, uint64_t *y, uint64_t mask, int shift)
{
    uint64_t t = ((*x >> shift) ^ *y) & mask;
    *y ^= t;
    *x ^= t << shift;
}

/* Transposes: bit b of byte j of q[i] becomes bit i of byte j of q[b]. It is its own inverse. */
static inline void cv_transpose(uint64_t q[8])
{
    CV_UNROLL_8
    for (int i = 0; i < 8; i += 2)
        cv_swap_bits(&q[i], &q[i + 1], UINT64_C(0x5555555555555555), 1);
    CV_UNROLL_8
    for (int i = 0; i < 8; i += i & 1 ? 3 : 1)
        cv_swap_bits(&q[i], &q[i + 2], UINT64_C(0x3333333333333333), 2);
    CV_UNROLL_8
    for (int i = 0; i < 4; i++)
        cv_swap_bits(&q[i], &q[i + 4], UINT64_C(0x0f0f0f0f0f0f0f0f), 4);
}

/* Bit b of byte j becomes bit j of byte b. */
static inline uint64_t cv_transpose_bytes(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & UINT64_C(0x00aa00aa00aa00aa);
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & UINT64_C(0x0000cccc0000cccc);
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return x ^ t ^ t << 28;
}

/* Slices of the bytes of one word, four bits each; the bits above them are arbitrary. */
static inline void cv_slice_word(uint64_t q[8], uint32_t word)
{
    uint64_t x = cv_transpose_bytes(word);
    CV_UNROLL_8
    for (int i = 0; i < 8; i++)
        q[i] = x >> 8 * i;
}

static inline uint32_t cv_unslice_word(const uint64_t q[8])
{
    uint64_t x = 0;
    CV_UNROLL_8
    for (int i = 0; i < 8; i++)
        x |= (q[i] & 15) << 8 * i;
    return (uint32_t)cv_transpose_bytes(x);
}

#endif

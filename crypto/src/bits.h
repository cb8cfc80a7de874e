/* Packing numbers of a few bits each into little-endian bytes, and back. Their total is a multiple of 64 bits. */
#ifndef CV_BITS_H
#define CV_BITS_H

#include "internal.h"

struct cv_bits_out {
    uint8_t *to;
    uint64_t word;
    unsigned held; /* bits in `word`, below 64 */
};

/* Appends the `d` low bits of `v`, which has no others; d is from 1 to 32. */
static inline void cv_put_bits(struct cv_bits_out *b, uint32_t v, unsigned d)
{
    b->word |= (uint64_t)v << b->held;
    b->held += d;
    if (b->held >= 64) {
        cv_store_le64(b->to, b->word);
        b->to += 8;
        b->held -= 64;
        b->word = (uint64_t)v >> (d - b->held);
    }
}

struct cv_bits_in {
    const uint8_t *from;
    uint64_t word;
    unsigned held;
};

/* The next `d` bits. Their range is hidden from the compiler, which could turn a product with one bit into a branch. */
static inline uint32_t cv_get_bits(struct cv_bits_in *b, unsigned d)
{
    uint64_t v = b->word;
    uint32_t low;
    if (b->held < d) {
        uint64_t next = cv_load_le64(b->from);
        b->from += 8;
        v |= next << b->held;
        b->word = next >> (d - b->held);
        b->held += 64 - d;
    } else {
        b->word >>= d;
        b->held -= d;
    }
    low = (uint32_t)v & (uint32_t)((UINT64_C(1) << d) - 1);
    __asm__("" : "+r"(low));
    return low;
}

#endif

/* Doubling of blocks, for CMAC and OCB. */
#ifndef CV_GF128_DOUBLE_H
#define CV_GF128_DOUBLE_H

#include "internal.h"

/* A block as little-endian words. */
struct cv_words {
    uint64_t first, second;
};

/* Blocks must be aligned to 8. */
static inline struct cv_words cv_load_words(const uint8_t *block)
{
    const uint8_t *from = __builtin_assume_aligned(block, 8);
    struct cv_words x = { cv_load_le64(from), cv_load_le64(from + 8) };
    return x;
}

static inline void cv_store_words(uint8_t *block, struct cv_words x)
{
    uint8_t *to = __builtin_assume_aligned(block, 8);
    cv_store_le64(to, x.first);
    cv_store_le64(to + 8, x.second);
}

/* Doubles a block as a polynomial whose highest coefficient is the most significant bit of byte 0, modulo x^128 + x^7 +
 * x^2 + x + 1: the top bits of bytes move to the bottom of the bytes before them. */
static inline struct cv_words cv_twice(struct cv_words x)
{
    const uint64_t tops = UINT64_C(0x8080808080808080);
    uint64_t carry = x.first >> 7 & 1, between = x.second >> 7 & 1;
    struct cv_words y = {
        (x.first & ~tops) << 1 | (x.first & tops) >> 15 | between << 56,
        ((x.second & ~tops) << 1 | (x.second & tops) >> 15) ^ (carry * 0x87) << 56,
    };
    return y;
}

#endif

/* Several SHAKE streams at once, for the polynomials of ML-DSA. */
#ifndef CV_MLDSA_STREAMS_H
#define CV_MLDSA_STREAMS_H

#include "mldsa.h"

/* Blocks of SHAKE128 and SHAKE256. Five of the former nearly always suffice for a polynomial of the matrix; two of the
 * latter for a small one, except for one in a hundred thousand. */
#define BLOCK128 168
#define BLOCK256 136
#define FIRST (5 * BLOCK128)
#define FIRST_SMALL (2 * BLOCK256)
/* Bytes of the longest seed with its nonce. */
#define SEED 66
/* Maximum number of streams at once. */
#define AT_ONCE 8

/* Several streams: their seeds, and their first bytes, those of all streams one after the other. */
struct streams {
    uint8_t seeds[AT_ONCE][SEED], bytes[AT_ONCE * FIRST] __attribute__((aligned(8)));
};

/* How many of `left` streams to compute at once; 0 for one alone. */
static inline size_t at_once(size_t left)
{
    return cv_hash_many_at_once(left < AT_ONCE ? left : AT_ONCE);
}

/* Sets the seed of stream i, which ends with two more bytes. */
static inline void set_seed(struct streams *s, size_t i, const uint8_t *seed, size_t len, unsigned low, unsigned high)
{
    memcpy(s->seeds[i], seed, len);
    s->seeds[i][len] = (uint8_t)low;
    s->seeds[i][len + 1] = (uint8_t)high;
}

static inline void squeeze(struct streams *s, const cv_hash_kind *kind, size_t size, size_t len, size_t count)
{
    const uint8_t *from[AT_ONCE] = { NULL };
    uint8_t *to[AT_ONCE] = { NULL };
    for (size_t i = 0; i < count; i++)
        from[i] = s->seeds[i], to[i] = s->bytes + size * i;
    cv_hash_many(kind, to, size, from, len, count);
}

/* Wipes what streams of `size` bytes have left. */
static inline void wipe(struct streams *s, size_t size, size_t count)
{
    cv_wipe(s->seeds, sizeof s->seeds[0] * count);
    cv_wipe(s->bytes, size * count);
}

#endif

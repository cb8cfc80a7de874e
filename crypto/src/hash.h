/* What hashes share. */
#ifndef CV_HASH_H
#define CV_HASH_H

#include "internal.h"

/* Initial values as 32-bit words, aligned so that they can be copied in pairs. */
#define CV_INITIAL __attribute__((aligned(8)))

struct cv_hash_kind {
    uint8_t size;  /* bytes of the digest; 0 if extendable */
    uint8_t block; /* bytes of a block */
    uint8_t words; /* number of 32-bit words of the initial state, which is even */
    uint8_t pad;   /* the first byte after the message (Keccak only) */
    const cv_pair *initial; /* NULL for zeros */
    void (*compress)(cv_hash *h, const uint8_t *data, size_t blocks);
    /* Pads, and writes the digest if it has a size. */
    void (*finish)(cv_hash *h, uint8_t *digest);
};

/* Padding with a 1 bit, zeros and the big-endian length in bits (FIPS 180-4, 5.1); then outputs words of the state,
 * big-endian. */
void cv_finish_be32(cv_hash *h, uint8_t *digest);
void cv_finish_be64(cv_hash *h, uint8_t *digest);

static inline const struct cv_hash_ops *cv_hash_kernels(void)
{
    return &cv_kernels_in_use()->hash;
}

#endif

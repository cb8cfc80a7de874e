/* What hashes share. */
#ifndef CV_HASH_H
#define CV_HASH_H

#include "internal.h"

/* Initial words of 32 bits, so that they can be taken in pairs. */
#define CV_INITIAL __attribute__((aligned(8)))

struct cv_hash_kind {
    uint8_t size;  /* bytes of the digest; 0 if as many as one wants */
    uint8_t block; /* bytes of a block */
    uint8_t words; /* words of 32 bits of the initial state, an even number */
    uint8_t pad;   /* the first byte behind the message (Keccak only) */
    const cv_pair *initial; /* NULL for zeros */
    void (*compress)(cv_hash *h, const uint8_t *data, size_t blocks);
    /* Pads, and writes the digest if it has a size. */
    void (*finish)(cv_hash *h, uint8_t *digest);
};

/* Padding by a bit, zeros and the length in bits, big-endian (FIPS 180-4, 5.1); then words of the state, big-endian. */
void cv_finish_be32(cv_hash *h, uint8_t *digest);
void cv_finish_be64(cv_hash *h, uint8_t *digest);

static inline const struct cv_hash_ops *cv_hash_kernels(void)
{
    return &cv_kernels_in_use()->hash;
}

#endif

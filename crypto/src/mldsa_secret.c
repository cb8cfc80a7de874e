/* ML-DSA: secret polynomials and masks from seeds. */
#include "mldsa_streams.h"

/* Bytes of the longest mask. */
#define MASK 640

/* SHAKE256 of a seed and a little-endian number. */
static void begin(cv_hash *h, const uint8_t seed[64], uint16_t nonce)
{
    const uint8_t bytes[2] = { (uint8_t)nonce, (uint8_t)(nonce >> 8) };
    cv_hash_init(h, &cv_shake256);
    cv_hash_update(h, seed, 64);
    cv_hash_update(h, bytes, sizeof bytes);
}

/* The same for `count` numbers from `first` on. */
static void squeeze_many(struct streams *s, const uint8_t seed[64], unsigned first, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++)
        set_seed(s, i, seed, 64, first + (unsigned)i, (first + (unsigned)i) >> 8);
    squeeze(s, &cv_shake256, size, 66, count);
}

/* How many candidates are taken is public: it does not depend on the values of those that are taken. */
static void sample_small(uint32_t f[N], const uint8_t seed[64], uint16_t nonce, unsigned eta)
{
    uint8_t bytes[BLOCK256] __attribute__((aligned(8)));
    cv_hash h;
    begin(&h, seed, nonce);
    for (size_t n = 0; n < N;) {
        cv_xof_squeeze(&h, bytes, sizeof bytes);
        n += cv_mldsa_kernels()->reject_small(f + n, N - n, bytes, sizeof bytes, eta);
        CV_PUBLIC(&n, sizeof n);
    }
    cv_wipe(&h, sizeof h);
    cv_wipe(bytes, sizeof bytes);
}

CV_OWN_FRAME void sample_small_many(uint32_t f[][N], const uint8_t seed[64], unsigned first, size_t count, unsigned eta)
{
    struct streams s;
    squeeze_many(&s, seed, first, FIRST_SMALL, count);
    for (size_t i = 0; i < count; i++) {
        size_t n = cv_mldsa_kernels()->reject_small(f[i], N, s.bytes + FIRST_SMALL * i, FIRST_SMALL, eta);
        CV_PUBLIC(&n, sizeof n);
        if (n < N)
            sample_small(f[i], seed, (uint16_t)(first + i), eta);
    }
    wipe(&s, FIRST_SMALL, count);
}

void cv_mldsa_sample_small(uint32_t f[][N], const uint8_t seed[64], size_t count, unsigned eta)
{
    for (size_t at = 0; at < count;) {
        size_t n = at_once(count - at);
        if (n)
            sample_small_many(f + at, seed, (unsigned)at, n, eta);
        else
            sample_small(f[at], seed, (uint16_t)at, eta);
        at += n ? n : 1;
    }
}

static void sample_mask(uint32_t f[N], const uint8_t seed[64], uint16_t nonce, unsigned bits)
{
    uint8_t bytes[MASK] __attribute__((aligned(8)));
    cv_hash h;
    begin(&h, seed, nonce);
    cv_xof_squeeze(&h, bytes, 32 * bits);
    cv_mldsa_kernels()->unpack_below(f, bytes, bits, UINT32_C(1) << (bits - 1));
    cv_wipe(&h, sizeof h);
    cv_wipe(bytes, sizeof bytes);
}

CV_OWN_FRAME void sample_mask_many(uint32_t f[][N], const uint8_t seed[64], unsigned first, size_t count, unsigned bits)
{
    struct streams s;
    squeeze_many(&s, seed, first, 32 * bits, count);
    for (size_t i = 0; i < count; i++)
        cv_mldsa_kernels()->unpack_below(f[i], s.bytes + 32 * bits * i, bits, UINT32_C(1) << (bits - 1));
    wipe(&s, 32 * bits, count);
}

void cv_mldsa_sample_mask(uint32_t f[][N], const uint8_t seed[64], unsigned first, size_t count, unsigned gamma1_bits)
{
    for (size_t at = 0; at < count;) {
        size_t n = at_once(count - at);
        if (n)
            sample_mask_many(f + at, seed, first + (unsigned)at, n, gamma1_bits + 1);
        else
            sample_mask(f[at], seed, (uint16_t)(first + at), gamma1_bits + 1);
        at += n ? n : 1;
    }
}

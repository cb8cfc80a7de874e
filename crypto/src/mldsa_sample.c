/* ML-DSA: the matrix and challenges from seeds. */
#include "mldsa_streams.h"

/* RejNTTPoly (algorithm 30). */
static void sample_ntt(uint32_t f[N], const uint8_t rho[32], unsigned column, unsigned row)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    uint8_t bytes[FIRST] __attribute__((aligned(8)));
    const uint8_t index[2] = { (uint8_t)column, (uint8_t)row };
    cv_hash h;
    size_t n;
    cv_hash_init(&h, &cv_shake128);
    cv_hash_update(&h, rho, 32);
    cv_hash_update(&h, index, sizeof index);
    cv_xof_squeeze(&h, bytes, sizeof bytes);
    n = ops->reject(f, N, bytes, sizeof bytes);
    while (n < N) {
        cv_xof_squeeze(&h, bytes, BLOCK128);
        n += ops->reject(f + n, N - n, bytes, BLOCK128);
    }
}

/* The same for `count` polynomials from index `first` on, in the matrix with `l` columns. */
CV_OWN_FRAME void sample_ntt_many(uint32_t f[][N], const uint8_t rho[32], unsigned l, unsigned first, size_t count)
{
    struct streams s;
    for (size_t i = 0; i < count; i++) {
        unsigned at = first + (unsigned)i;
        set_seed(&s, i, rho, 32, at % l, at / l);
    }
    squeeze(&s, &cv_shake128, FIRST, 34, count);
    for (size_t i = 0; i < count; i++)
        if (cv_mldsa_kernels()->reject(f[i], N, s.bytes + FIRST * i, FIRST) < N)
            sample_ntt(f[i], rho, s.seeds[i][32], s.seeds[i][33]);
}

/* The one place that expands a matrix: its polynomials are independent streams of equal length. */
void cv_mldsa_expand(uint32_t matrix[][N], const uint8_t rho[32], unsigned k, unsigned l)
{
    for (unsigned at = 0; at < k * l;) {
        size_t count = at_once(k * l - at);
        if (count)
            sample_ntt_many(matrix + at, rho, l, at, count);
        else
            sample_ntt(matrix[at], rho, at % l, at / l);
        at += count ? (unsigned)count : 1;
    }
}

/* The challenge is part of the signature, or of one that is rejected, which reveals nothing about the key. */
void cv_mldsa_sample_ball(uint32_t c[N], const uint8_t *hash, size_t len, unsigned tau)
{
    uint8_t bytes[BLOCK256] __attribute__((aligned(8)));
    uint64_t signs;
    size_t at = 8;
    cv_hash h;
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, hash, len);
    cv_xof_squeeze(&h, bytes, sizeof bytes);
    signs = cv_load_le64(bytes);
    memset(c, 0, N * sizeof *c);
    for (size_t i = N - tau; i < N; i++, signs >>= 1) {
        size_t j;
        do {
            if (at == sizeof bytes) {
                cv_xof_squeeze(&h, bytes, sizeof bytes);
                at = 0;
            }
            j = bytes[at++];
        } while (j > i);
        c[i] = c[j];
        c[j] = signs & 1 ? Q - 1 : 1;
    }
}

/* ML-DSA: polynomials from seeds. */
#include "mldsa.h"

/* Blocks of SHAKE128 and SHAKE256; five of the former nearly always suffice for a polynomial of the matrix. */
#define BLOCK128 168
#define BLOCK256 136

/* RejNTTPoly (algorithm 30). */
static void sample_ntt(uint32_t f[N], const uint8_t rho[32], uint8_t column, uint8_t row)
{
    const struct cv_mldsa_ops *ops = cv_mldsa_kernels();
    uint8_t bytes[5 * BLOCK128] __attribute__((aligned(8)));
    const uint8_t index[2] = { column, row };
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

/* The one place that expands a matrix: its polynomials are independent streams of equal length. */
void cv_mldsa_expand(uint32_t matrix[][N], const uint8_t rho[32], unsigned k, unsigned l)
{
    for (unsigned row = 0; row < k; row++)
        for (unsigned column = 0; column < l; column++)
            sample_ntt(matrix[l * row + column], rho, (uint8_t)column, (uint8_t)row);
}

/* SHAKE256 of a seed and a little-endian number. */
static void begin(cv_hash *h, const uint8_t seed[64], uint16_t nonce)
{
    const uint8_t bytes[2] = { (uint8_t)nonce, (uint8_t)(nonce >> 8) };
    cv_hash_init(h, &cv_shake256);
    cv_hash_update(h, seed, 64);
    cv_hash_update(h, bytes, sizeof bytes);
}

void cv_mldsa_sample_small(uint32_t f[N], const uint8_t seed[64], uint16_t nonce, unsigned eta)
{
    uint8_t bytes[BLOCK256] __attribute__((aligned(8)));
    cv_hash h;
    begin(&h, seed, nonce);
    for (size_t n = 0; n < N;) {
        cv_xof_squeeze(&h, bytes, sizeof bytes);
        n += cv_mldsa_kernels()->reject_small(f + n, N - n, bytes, sizeof bytes, eta);
    }
    cv_wipe(&h, sizeof h);
    cv_wipe(bytes, sizeof bytes);
}

void cv_mldsa_sample_mask(uint32_t f[N], const uint8_t seed[64], uint16_t nonce, unsigned gamma1_bits)
{
    uint8_t bytes[640] __attribute__((aligned(8)));
    cv_hash h;
    begin(&h, seed, nonce);
    cv_xof_squeeze(&h, bytes, 32 * (gamma1_bits + 1));
    cv_mldsa_kernels()->unpack_below(f, bytes, gamma1_bits + 1, UINT32_C(1) << gamma1_bits);
    cv_wipe(&h, sizeof h);
    cv_wipe(bytes, sizeof bytes);
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

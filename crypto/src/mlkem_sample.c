/* ML-KEM: polynomials from seeds. */
#include "mlkem.h"

/* Bytes of three blocks of SHAKE128: more are needed for one polynomial in a hundred. */
#define FIRST 504
#define BLOCK 168

/* SampleNTT (algorithm 7) of rho, column and row. */
static void sample_ntt(uint16_t f[N], const uint8_t rho[32], uint8_t column, uint8_t row)
{
    const struct cv_mlkem_ops *ops = cv_mlkem_kernels();
    uint8_t bytes[FIRST] __attribute__((aligned(8)));
    const uint8_t index[2] = { column, row };
    cv_hash h;
    size_t n;
    cv_hash_init(&h, &cv_shake128);
    cv_hash_update(&h, rho, 32);
    cv_hash_update(&h, index, sizeof index);
    cv_xof_squeeze(&h, bytes, FIRST);
    n = ops->reject(f, N, bytes, FIRST);
    while (n < N) {
        cv_xof_squeeze(&h, bytes, BLOCK);
        n += ops->reject(f + n, N - n, bytes, BLOCK);
    }
}

/* The one place that expands a matrix: its polynomials are independent streams of equal length. */
void cv_mlkem_expand(uint16_t matrix[][N], const uint8_t rho[32], unsigned k)
{
    for (unsigned row = 0; row < k; row++)
        for (unsigned column = 0; column < k; column++)
            sample_ntt(matrix[k * row + column], rho, (uint8_t)column, (uint8_t)row);
}

void cv_mlkem_sample(uint16_t f[N], const uint8_t seed[32], uint8_t nonce, unsigned eta)
{
    uint8_t bytes[192] __attribute__((aligned(8)));
    cv_hash h;
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, seed, 32);
    cv_hash_update(&h, &nonce, 1);
    cv_xof_squeeze(&h, bytes, 64 * eta);
    if (eta == 2)
        cv_mlkem_kernels()->cbd2(f, bytes);
    else
        cv_mlkem_kernels()->cbd3(f, bytes);
    cv_wipe(&h, sizeof h);
    cv_wipe(bytes, sizeof bytes);
}

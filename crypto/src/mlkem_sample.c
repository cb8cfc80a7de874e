/* ML-KEM: polynomials from seeds. */
#include "mlkem.h"

/* Bytes of three blocks of SHAKE128: more are needed for one polynomial in a hundred. */
#define FIRST 504
#define BLOCK 168
/* Maximum number of streams at once. */
#define AT_ONCE 8

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

/* The same for `count` polynomials from index `first` on, in the matrix of `k` by `k`. */
CV_OWN_FRAME void sample_many(uint16_t f[][N], const uint8_t rho[32], unsigned k, unsigned first, size_t count)
{
    uint8_t seeds[AT_ONCE][34], bytes[AT_ONCE][FIRST] __attribute__((aligned(8)));
    const uint8_t *from[AT_ONCE] = { NULL };
    uint8_t *to[AT_ONCE] = { NULL };
    for (size_t i = 0; i < count; i++) {
        unsigned at = first + (unsigned)i;
        memcpy(seeds[i], rho, 32);
        seeds[i][32] = (uint8_t)(at % k);
        seeds[i][33] = (uint8_t)(at / k);
        from[i] = seeds[i], to[i] = bytes[i];
    }
    cv_hash_many(&cv_shake128, to, FIRST, from, 34, count);
    for (size_t i = 0; i < count; i++)
        if (cv_mlkem_kernels()->reject(f[i], N, bytes[i], FIRST) < N)
            sample_ntt(f[i], rho, seeds[i][32], seeds[i][33]);
}

/* The one place that expands a matrix: its polynomials are independent streams of equal length. */
void cv_mlkem_expand(uint16_t matrix[][N], const uint8_t rho[32], unsigned k)
{
    for (unsigned at = 0; at < k * k;) {
        unsigned left = k * k - at;
        size_t count = cv_hash_many_at_once(left < AT_ONCE ? left : AT_ONCE);
        if (count)
            sample_many(matrix + at, rho, k, at, count);
        else
            sample_ntt(matrix[at], rho, (uint8_t)(at % k), (uint8_t)(at / k));
        at += count ? (unsigned)count : 1;
    }
}

/* PRF (4.1) of one nonce. */
static void prf(uint8_t *noise, const uint8_t seed[32], uint8_t nonce, size_t len)
{
    cv_hash h;
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, seed, 32);
    cv_hash_update(&h, &nonce, 1);
    cv_xof_squeeze(&h, noise, len);
    cv_wipe(&h, sizeof h);
}

static void prf_many(uint8_t noise[][CV_MLKEM_NOISE], const uint8_t seed[32], uint8_t first, size_t len, size_t count)
{
    uint8_t seeds[AT_ONCE][33];
    const uint8_t *from[AT_ONCE] = { NULL };
    uint8_t *to[AT_ONCE] = { NULL };
    for (size_t i = 0; i < count; i++) {
        memcpy(seeds[i], seed, 32);
        seeds[i][32] = (uint8_t)(first + i);
        from[i] = seeds[i], to[i] = noise[i];
    }
    cv_hash_many(&cv_shake256, to, len, from, 33, count);
    cv_wipe(seeds, sizeof seeds);
}

void cv_mlkem_noise(uint8_t noise[][CV_MLKEM_NOISE], const uint8_t seed[32], uint8_t first, size_t count, unsigned eta)
{
    while (count) {
        size_t n = cv_hash_many_at_once(count < AT_ONCE ? count : AT_ONCE);
        if (n)
            prf_many(noise, seed, first, 64 * (size_t)eta, n);
        else
            prf(noise[0], seed, first, 64 * (size_t)eta), n = 1;
        noise += n, first += (uint8_t)n, count -= n;
    }
}

void cv_mlkem_sample(uint16_t f[N], const uint8_t noise[CV_MLKEM_NOISE], unsigned eta)
{
#ifndef CV_NO_MLKEM512
    if (eta == 3) {
        cv_mlkem_kernels()->cbd3(f, noise);
        return;
    }
#endif
    (void)eta;
    cv_mlkem_kernels()->cbd2(f, noise);
}

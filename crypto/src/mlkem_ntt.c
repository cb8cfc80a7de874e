/* ML-KEM: the number-theoretic transform (FIPS 203, 4.3), two layers at a time. */
#include "mlkem.h"

const uint32_t cv_mlkem_zetas[128] = {
    0x0013afb8, 0x84f5c5b6, 0xc666e465, 0xfcec8b58, 0xcb2b72d0, 0x30726d5b, 0x91e11612, 0x41360f89, 0x51aaf2da,
    0x93922fd5, 0x0ed77946, 0x3d4a0dff, 0xd63e49fb, 0xfab1a391, 0x2bc18ea7, 0x864470e4, 0x16c32c11, 0xbc2c9a1c,
    0x66f8144e, 0x71811d74, 0xea3cc040, 0x044e701f, 0xac4184cf, 0x6681f601, 0x6da8cba2, 0xa1074e36, 0x2924384b,
    0xdda02ec2, 0xb805896c, 0xdd651f9c, 0x97ccf03d, 0x3f228731, 0x16395e0d, 0x19743224, 0xfa27d58e, 0x87094e0e,
    0x5c0c9c92, 0xb12d72a9, 0xaf19ea51, 0x9e078945, 0x31fc27af, 0x9807ff63, 0xc13fe765, 0x3099ccc9, 0xdc518394,
    0x0289a6a5, 0x658209b1, 0x934370f8, 0xb254be68, 0x6e59f915, 0x3e0eeb29, 0x22c23fd4, 0x6e95083b, 0xdc8c92ba,
    0x75f6ed02, 0xb8b6b6df, 0xcb8de165, 0xc93f49e7, 0x71e38c09, 0x31d4c840, 0xbe402274, 0xef28ae1a, 0x5e5b3410,
    0x45fa9df4, 0x014eab2e, 0xd4522112, 0x2cd52aae, 0xcbb540d4, 0x7de29fcd, 0x379942fb, 0xaff27732, 0x54970814,
    0x6c5a2074, 0xccb52d24, 0xfc4f0d9d, 0x11eaedee, 0x3a22e9a0, 0xa5cbdca1, 0xe7da790b, 0xea8b7f1e, 0x82f5ed16,
    0x7ef63bd5, 0xd6795921, 0x8992f4b3, 0x8e08c440, 0x4935720b, 0x7059d1b5, 0xcea1560e, 0x483585bb, 0xb17c3187,
    0xbb67bcf2, 0xb7a31ad7, 0x385e2025, 0xb3b7194d, 0x149bf401, 0x314afa3c, 0x79cf3ed4, 0xb0b7545c, 0x9ca52e5f,
    0xf79e2ee9, 0x1cd665aa, 0xc4049d2f, 0xa0b88f58, 0x7e801d88, 0x51bea292, 0x1887f58b, 0xd53e5dab, 0x3a369957,
    0xa169bccb, 0x2b2410ec, 0xbda2a4b9, 0xc77a806d, 0xd7a0a4e0, 0x53f98a58, 0x1efd9db9, 0x4ee63d0f, 0x57e58be2,
    0xa555be54, 0xd565bd19, 0x442224c3, 0x846bf7b2, 0x5d33e851, 0x901c4c98, 0x4f214c36, 0xa24249ac, 0xe1b38fba,
    0x440e750b, 0xa5a47d32,
};

/* Coefficients grow by less than q per layer: from below 4096 to below 4096 + 7 q = 27399. */
static inline void butterfly(uint32_t *a, uint32_t *b, uint32_t w)
{
    uint32_t t = cv_mlkem_times(*b, w);
    *b = *a + Q - t;
    *a += t;
}

/* The layers of `blocks` and of twice as many blocks. */
static inline void forward(uint16_t f[N], size_t blocks, int last)
{
    size_t step = N / 4 / blocks;
    const uint32_t *w = cv_mlkem_zetas + blocks, *w2 = cv_mlkem_zetas + 2 * blocks;
    for (size_t b = 0; b < blocks; b++, f += 4 * step) {
        uint32_t wide = w[b], low = w2[2 * b], high = w2[2 * b + 1];
        for (uint16_t *p = f; p < f + step; p++) {
            uint32_t x0 = p[0], x1 = p[step], x2 = p[2 * step], x3 = p[3 * step];
            butterfly(&x0, &x2, wide);
            butterfly(&x1, &x3, wide);
            butterfly(&x0, &x1, low);
            butterfly(&x2, &x3, high);
            if (last)
                x0 = cv_mlkem_reduce(x0), x1 = cv_mlkem_reduce(x1), x2 = cv_mlkem_reduce(x2), x3 = cv_mlkem_reduce(x3);
            p[0] = (uint16_t)x0, p[step] = (uint16_t)x1, p[2 * step] = (uint16_t)x2, p[3 * step] = (uint16_t)x3;
        }
    }
}

void cv_portable_mlkem_ntt(uint16_t f[N])
{
    for (size_t i = 0; i < N / 2; i++) {
        uint32_t a = f[i], b = f[i + N / 2];
        butterfly(&a, &b, cv_mlkem_zetas[1]);
        f[i] = (uint16_t)a, f[i + N / 2] = (uint16_t)b;
    }
    forward(f, 2, 0);
    forward(f, 8, 0);
    forward(f, 32, 1);
}

/* For inputs of at most `bound`, a multiple of q, the sum is at most twice that; the product is below q. Not more than
 * 32 q enters, so cv_mlkem_times gets at most 64 q = 213056. */
static inline void inverse_butterfly(uint32_t *a, uint32_t *b, uint32_t w, uint32_t bound)
{
    uint32_t t = *b + bound - *a;
    *a += *b;
    *b = cv_mlkem_times(t, w);
}

/* The layers of 2 `blocks` and of `blocks` blocks, for coefficients of at most `bound`. */
static inline void backward(uint16_t f[N], size_t blocks, uint32_t bound)
{
    size_t step = N / 4 / blocks;
    const uint32_t *w = cv_mlkem_zetas + 2 * blocks - 1, *w2 = cv_mlkem_zetas + 4 * blocks - 1;
    for (size_t b = 0; b < blocks; b++, f += 4 * step) {
        uint32_t wide = *(w - b), low = *(w2 - 2 * b), high = *(w2 - 2 * b - 1);
        for (uint16_t *p = f; p < f + step; p++) {
            uint32_t x0 = p[0], x1 = p[step], x2 = p[2 * step], x3 = p[3 * step];
            inverse_butterfly(&x0, &x1, low, bound);
            inverse_butterfly(&x2, &x3, high, bound);
            inverse_butterfly(&x0, &x2, wide, 2 * bound);
            inverse_butterfly(&x1, &x3, wide, 2 * bound);
            if (4 * bound > UINT16_MAX)
                x0 = cv_mlkem_reduce(x0);
            p[0] = (uint16_t)x0, p[step] = (uint16_t)x1, p[2 * step] = (uint16_t)x2, p[3 * step] = (uint16_t)x3;
        }
    }
}

/* Only x0, a sum of four, reaches 4 `bound`; x1, a sum of two products, stays below 2 q. After three passes the bounds
 * are q, 4 q, 16 q and, since the last one reduces, 2 q. The last layer includes the division by 128: 3303 = 1 / 128. */
void cv_portable_mlkem_inverse(uint16_t f[N])
{
    const uint32_t scale = 0xfe002760;                 /* ceil(2^32 3303 / q) */
    const uint32_t scaled_zeta = 0x7f09eb8c;           /* ceil(2^32 (17^64 3303 mod q) / q) */
    backward(f, 32, Q);
    backward(f, 8, 4 * Q);
    backward(f, 2, 16 * Q);
    for (size_t i = 0; i < N / 2; i++) {
        uint32_t a = f[i], b = f[i + N / 2];
        f[i] = (uint16_t)cv_mlkem_times(a + b, scale);
        f[i + N / 2] = (uint16_t)cv_mlkem_times(b + 2 * Q - a, scaled_zeta);
    }
}

/* The products of 4.3.1 (BaseCaseMultiply) before the reduction by X^2 - gamma, summed over `k` polynomials: the
 * coefficients of 1, X and X^2. */
struct sums {
    uint32_t constant, linear, square;
};

static inline struct sums sum(const uint16_t *f, size_t step, const uint16_t *g, size_t k)
{
    struct sums s = { 0, 0, 0 };
    for (; k; k--, f += step, g += N) {
        uint32_t f0 = f[0], f1 = f[1], g0 = g[0], g1 = g[1];
        s.constant += f0 * g0;
        s.square += f1 * g1;
        s.linear += f0 * g1 + f1 * g0;
    }
    return s;
}

/* Factors are below 4096, so sums over at most 4 polynomials are below 2^27. */
void cv_portable_mlkem_multiply(uint16_t h[N], const uint16_t *f, size_t step, const uint16_t *g, size_t k)
{
    for (size_t i = 0; i < N; i += 4) {
        uint32_t w = cv_mlkem_zetas[N / 4 + i / 4];
        struct sums a = sum(f + i, step, g + i, k), b = sum(f + i + 2, step, g + i + 2, k);
        uint32_t plus = cv_mlkem_times(cv_mlkem_reduce(a.square), w),
                 minus = cv_mlkem_times(cv_mlkem_reduce(b.square), w);
        h[i] = (uint16_t)cv_mlkem_reduce(a.constant + plus);
        h[i + 1] = (uint16_t)cv_mlkem_reduce(a.linear);
        h[i + 2] = (uint16_t)cv_mlkem_reduce(b.constant + Q - minus);
        h[i + 3] = (uint16_t)cv_mlkem_reduce(b.linear);
    }
}

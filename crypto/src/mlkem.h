/* What the files of ML-KEM share. A polynomial has 256 coefficients modulo q; sections are those of FIPS 203. */
#ifndef CV_MLKEM_H
#define CV_MLKEM_H

#include "capvec_mlkem.h"
#include "internal.h"

#define Q 3329
#define N 256

/* The largest k and ciphertext of the parameter sets in this build. */
#ifndef CV_NO_MLKEM1024
# define MOST_K 4
# define MOST_CIPHERTEXT CV_MLKEM_MAX_CIPHERTEXT
#elif !defined CV_NO_MLKEM768
# define MOST_K 3
# define MOST_CIPHERTEXT 1088
#elif !defined CV_NO_MLKEM512
# define MOST_K 2
# define MOST_CIPHERTEXT 768
#else
# error "no parameter set of ML-KEM is left: leave out MLKEM instead"
#endif

/* Bytes of an encoded polynomial. */
#define POLY_BYTES 384

/* Parts of a key. */
enum { HAS_PUBLIC = 1, HAS_PRIVATE = 2, HAS_SEED = 4 };

struct cv_mlkem_kind {
    uint8_t k, eta1, du, dv; /* table 2; eta2 is always 2 */
};

static inline const struct cv_mlkem_ops *cv_mlkem_kernels(void)
{
    return &cv_kernels_in_use()->mlkem;
}

/* x z modulo q, below q, for x below 2^20 and w = ceil(2^32 z / q): x w / 2^32 exceeds x z / q by less than 2^-12, which
 * multiplied by q is less than 1, so the integer part of q times its fraction is the remainder. */
static inline uint32_t cv_mlkem_times(uint32_t x, uint32_t w)
{
#ifdef __SIZEOF_INT128__
    /* The fraction in the high half of a word, so that no instruction has to clear the rest. */
    return (uint32_t)((unsigned __int128)((uint64_t)x * ((uint64_t)w << 32)) * Q >> 64);
#else
    return (uint32_t)((uint64_t)(x * w) * Q >> 32);
#endif
}

/* x modulo q, for any x: with 64 bits as above, with 2^64 in place of 2^32; otherwise by Barrett's method, whose quotient
 * is at most 1 too small. */
static inline uint32_t cv_mlkem_reduce(uint32_t x)
{
#ifdef __SIZEOF_INT128__
    return (uint32_t)((unsigned __int128)(x * UINT64_C(0x13afb7680bb055)) * Q >> 64);
#else
    x -= (uint32_t)((uint64_t)x * 0x13afb7 >> 32) * Q;
    x -= Q;
    return x + (Q & cv_mask(x >> 31));
#endif
}

/* 17^BitRev7(i) (appendix A), as cv_mlkem_times takes it: ceil(2^32 (17^BitRev7(i) mod q) / q). */
extern const uint32_t cv_mlkem_zetas[128];

/* The portable kernels. */
int cv_portable_mlkem_same(const uint8_t *a, const uint8_t *b, size_t len);
void cv_portable_mlkem_ntt(uint16_t f[N]);
void cv_portable_mlkem_inverse(uint16_t f[N]);
void cv_portable_mlkem_multiply(uint16_t h[N], const uint16_t *f, size_t step, const uint16_t *g, size_t k);
void cv_portable_mlkem_add(uint16_t h[N], const uint16_t f[N], const uint16_t g[N]);
void cv_portable_mlkem_subtract(uint16_t h[N], const uint16_t f[N], const uint16_t g[N]);
void cv_portable_mlkem_add_reduced(uint16_t h[N], const uint16_t f[N], const uint16_t g[N]);
size_t cv_portable_mlkem_reject(uint16_t *out, size_t room, const uint8_t *bytes, size_t len);
void cv_portable_mlkem_cbd2(uint16_t f[N], const uint8_t bytes[128]);
void cv_portable_mlkem_cbd3(uint16_t f[N], const uint8_t bytes[192]);
void cv_portable_mlkem_pack(uint8_t *out, const uint16_t f[N]);
int cv_portable_mlkem_unpack(uint16_t f[N], const uint8_t *in);
void cv_portable_mlkem_compress(uint8_t *out, const uint16_t f[N], unsigned d);
void cv_portable_mlkem_decompress(uint16_t f[N], const uint8_t *in, unsigned d);

/* Row after row of the matrix, in the NTT domain (4.2.2, SampleNTT). */
void cv_mlkem_expand(uint16_t matrix[][N], const uint8_t rho[32], unsigned k);
/* Bytes of noise for a polynomial, and the maximum number of polynomials with noise that an operation needs. */
#define CV_MLKEM_NOISE 192
#define CV_MLKEM_NOISES (2 * MOST_K + 1)
/* PRF (4.1) of `seed` and `count` nonces from `first` on: 64 eta bytes each. */
void cv_mlkem_noise(uint8_t noise[][CV_MLKEM_NOISE], const uint8_t seed[32], uint8_t first, size_t count, unsigned eta);
/* SamplePolyCBD; coefficients are below 4096. */
void cv_mlkem_sample(uint16_t f[N], const uint8_t noise[CV_MLKEM_NOISE], unsigned eta);

#endif

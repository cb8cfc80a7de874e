/* What the files of ML-DSA share. A polynomial has 256 coefficients modulo q, all reduced (0 to q - 1) unless a comment
 * says otherwise; sections and algorithms are those of FIPS 204. */
#ifndef CV_MLDSA_H
#define CV_MLDSA_H

#include "capvec_mldsa.h"
#include "internal.h"

#define Q 8380417
#define N 256
/* Dropped bits of t (table 1). */
#define D 13

/* The largest k and l, and the longest private key, of the parameter sets in this build. */
#ifndef CV_NO_MLDSA87
# define MOST_K 8
# define MOST_L 7
# define MOST_PRIVATE CV_MLDSA_MAX_PRIVATE
#elif !defined CV_NO_MLDSA65
# define MOST_K 6
# define MOST_L 5
# define MOST_PRIVATE 4032
#elif !defined CV_NO_MLDSA44
# define MOST_K 4
# define MOST_L 4
# define MOST_PRIVATE 2560
#else
# error "no parameter set of ML-DSA is left: leave out MLDSA instead"
#endif

/* Bytes of an encoded polynomial of t1 and of t0. */
#define POLY_T1 320
#define POLY_T0 416

/* Parts of a key. */
enum { HAS_PUBLIC = 1, HAS_PRIVATE = 2, HAS_SEED = 4 };

/* Table 1. */
struct cv_mldsa_kind {
    uint8_t k, l, eta, eta_bits, tau, beta, omega;
    uint8_t challenge; /* lambda / 4: bytes of the challenge's hash */
    uint8_t gamma1_bits, w1_bits;
    uint32_t gamma2;
};

/* Polynomials of a key, all in the NTT domain: s1, s2, t0, t1 2^d, and the matrix by rows. */
static inline const uint32_t *cv_mldsa_s1(const cv_mldsa_key *key)
{
    return key->polys[0];
}

static inline const uint32_t *cv_mldsa_s2(const cv_mldsa_key *key)
{
    return key->polys[key->kind->l];
}

static inline const uint32_t *cv_mldsa_t0(const cv_mldsa_key *key)
{
    return key->polys[key->kind->l + key->kind->k];
}

static inline const uint32_t *cv_mldsa_t1(const cv_mldsa_key *key)
{
    return key->polys[key->kind->l + 2 * key->kind->k];
}

static inline const uint32_t *cv_mldsa_row(const cv_mldsa_key *key, unsigned i)
{
    return key->polys[key->kind->l + 3 * key->kind->k + i * key->kind->l];
}

static inline const struct cv_mldsa_ops *cv_mldsa_kernels(void)
{
    return &cv_kernels_in_use()->mldsa;
}

/* x + q if x, as a signed number, is negative; x is between -q and q. */
static inline uint32_t cv_mldsa_positive(uint32_t x)
{
    return x + (Q & cv_mask(x >> 31));
}

/* x z modulo q for w = ceil(2^64 z / q) and x below 2^32: x w / 2^64 exceeds x z / q by less than 2^-32, which multiplied
 * by q is less than 1, so the integer part of q times its fraction is the remainder. With 32 bits: the quotient by
 * floor(2^32 z / q), the high half of w, is at most 1 too small; z itself is the integer part of this high half
 * times q / 2^32, plus 1. */
static inline uint32_t cv_mldsa_times(uint32_t x, uint64_t w)
{
#ifdef __SIZEOF_INT128__
    return (uint32_t)((unsigned __int128)(x * w) * Q >> 64);
#else
    uint32_t high = (uint32_t)(w >> 32), z = (uint32_t)((uint64_t)high * Q >> 32) + 1;
    return cv_mldsa_positive(x * z - (uint32_t)((uint64_t)x * high >> 32) * Q - Q);
#endif
}

/* x modulo q, for x below 2^57. With 128-bit products by Barrett's method, whose quotient is at most 1 too small.
 * Otherwise 2^23 = 2^13 - 1 modulo q, four times: then x is below 2^24. */
static inline uint32_t cv_mldsa_reduce(uint64_t x)
{
#ifdef __SIZEOF_INT128__
    x -= (uint64_t)((unsigned __int128)x * UINT64_C(0x200801c0601) >> 64) * Q;
#else
    for (int i = 0; i < 4; i++)
        x = (x & 0x7fffff) + (x >> 23 << 13) - (x >> 23);
#endif
    return cv_mldsa_positive((uint32_t)x - Q);
}

/* 1753^BitRev8(i) (appendix B), as cv_mldsa_times takes it: ceil(2^64 (1753^BitRev8(i) mod q) / q). */
extern const uint64_t cv_mldsa_zetas[256];

/* The portable kernels: see struct cv_mldsa_ops. */
void cv_portable_mldsa_ntt(uint32_t f[N]);
void cv_portable_mldsa_inverse(uint32_t f[N]);
void cv_portable_mldsa_multiply(uint32_t h[N], const uint32_t *f, const uint32_t *g, size_t n);
void cv_portable_mldsa_add(uint32_t h[N], const uint32_t f[N], const uint32_t g[N]);
void cv_portable_mldsa_subtract(uint32_t h[N], const uint32_t f[N], const uint32_t g[N]);
size_t cv_portable_mldsa_reject(uint32_t *out, size_t room, const uint8_t *bytes, size_t len);
size_t cv_portable_mldsa_reject_small(uint32_t *out, size_t room, const uint8_t *bytes, size_t len, unsigned eta);
void cv_portable_mldsa_shift(uint32_t f[N]);
void cv_portable_mldsa_round(uint32_t high[N], uint32_t low[N], const uint32_t f[N]);
void cv_portable_mldsa_decompose(uint32_t high[N], uint32_t low[N], const uint32_t f[N], uint32_t gamma2);
int cv_portable_mldsa_exceeds(const uint32_t f[N], uint32_t bound);
size_t cv_portable_mldsa_make_hint(uint32_t h[N], const uint32_t f[N], const uint32_t g[N], uint32_t gamma2);
void cv_portable_mldsa_use_hint(uint32_t high[N], const uint32_t f[N], const uint32_t h[N], uint32_t gamma2);
void cv_portable_mldsa_pack(uint8_t *out, const uint32_t f[N], unsigned d);
void cv_portable_mldsa_unpack(uint32_t f[N], const uint8_t *in, unsigned d);
void cv_portable_mldsa_pack_below(uint8_t *out, const uint32_t f[N], unsigned d, uint32_t top);
void cv_portable_mldsa_unpack_below(uint32_t f[N], const uint8_t *in, unsigned d, uint32_t top);

/* Whether the key has these parts. */
static inline int cv_mldsa_has(const cv_mldsa_key *key, uint32_t parts)
{
    return key->kind && (key->parts & parts) == parts;
}

/* A copy of f, out of the NTT domain. */
static inline void cv_mldsa_restore(uint32_t to[N], const uint32_t f[N])
{
    memcpy(to, f, sizeof(uint32_t[N]));
    cv_mldsa_kernels()->inverse(to);
}

/* The representative of a message, or of a digest by `hash`. */
int cv_mldsa_represent(const cv_mldsa_key *key, uint8_t mu[CV_MLDSA_MU], const cv_hash_kind *hash,
                       const uint8_t *message, size_t len, const uint8_t *context, size_t context_len);
/* ExpandA (algorithm 32): row after row. */
void cv_mldsa_expand(uint32_t matrix[][N], const uint8_t rho[32], unsigned k, unsigned l);
/* ExpandS (algorithm 33): the first `count` polynomials; and ExpandMask (algorithm 34): those of `count` numbers from
 * `first` on. */
void cv_mldsa_sample_small(uint32_t f[][N], const uint8_t seed[64], size_t count, unsigned eta);
void cv_mldsa_sample_mask(uint32_t f[][N], const uint8_t seed[64], unsigned first, size_t count, unsigned gamma1_bits);
/* SampleInBall (algorithm 29). */
void cv_mldsa_sample_ball(uint32_t c[N], const uint8_t *hash, size_t len, unsigned tau);

#endif

/* ML-DSA: polynomials from seeds. */
#include "mldsa.h"

/* Blocks of SHAKE128 and SHAKE256. Five of the former nearly always suffice for a polynomial of the matrix; two of the
 * latter for a small one, except for one in a hundred thousand. */
#define BLOCK128 168
#define BLOCK256 136
#define FIRST (5 * BLOCK128)
#define FIRST_SMALL (2 * BLOCK256)
/* Bytes of the longest mask, and of the longest seed with its nonce. */
#define MASK 640
#define SEED 66
/* Maximum number of streams at once. */
#define AT_ONCE 8

/* Several streams: their seeds, and their first bytes. */
struct streams {
    uint8_t seeds[AT_ONCE][SEED], bytes[AT_ONCE][FIRST] __attribute__((aligned(8)));
};

/* How many of `left` streams to compute at once; 0 for one alone. */
static size_t at_once(size_t left)
{
    return cv_hash_many_at_once(left < AT_ONCE ? left : AT_ONCE);
}

/* Sets the seed of stream i, which ends with two more bytes. */
static void set_seed(struct streams *s, size_t i, const uint8_t *seed, size_t len, unsigned low, unsigned high)
{
    memcpy(s->seeds[i], seed, len);
    s->seeds[i][len] = (uint8_t)low;
    s->seeds[i][len + 1] = (uint8_t)high;
}

static void squeeze(struct streams *s, const cv_hash_kind *kind, size_t size, size_t len, size_t count)
{
    const uint8_t *from[AT_ONCE] = { NULL };
    uint8_t *to[AT_ONCE] = { NULL };
    for (size_t i = 0; i < count; i++)
        from[i] = s->seeds[i], to[i] = s->bytes[i];
    cv_hash_many(kind, to, size, from, len, count);
}

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
static void sample_ntt_many(uint32_t f[][N], const uint8_t rho[32], unsigned l, unsigned first, size_t count)
{
    struct streams s;
    for (size_t i = 0; i < count; i++) {
        unsigned at = first + (unsigned)i;
        set_seed(&s, i, rho, 32, at % l, at / l);
    }
    squeeze(&s, &cv_shake128, FIRST, 34, count);
    for (size_t i = 0; i < count; i++)
        if (cv_mldsa_kernels()->reject(f[i], N, s.bytes[i], FIRST) < N)
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

static void sample_small(uint32_t f[N], const uint8_t seed[64], uint16_t nonce, unsigned eta)
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

static void sample_small_many(uint32_t f[][N], const uint8_t seed[64], unsigned first, size_t count, unsigned eta)
{
    struct streams s;
    squeeze_many(&s, seed, first, FIRST_SMALL, count);
    for (size_t i = 0; i < count; i++)
        if (cv_mldsa_kernels()->reject_small(f[i], N, s.bytes[i], FIRST_SMALL, eta) < N)
            sample_small(f[i], seed, (uint16_t)(first + i), eta);
    cv_wipe(&s, sizeof s);
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

static void sample_mask_many(uint32_t f[][N], const uint8_t seed[64], unsigned first, size_t count, unsigned bits)
{
    struct streams s;
    squeeze_many(&s, seed, first, 32 * bits, count);
    for (size_t i = 0; i < count; i++)
        cv_mldsa_kernels()->unpack_below(f[i], s.bytes[i], bits, UINT32_C(1) << (bits - 1));
    cv_wipe(&s, sizeof s);
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

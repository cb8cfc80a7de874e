/* GHASH (NIST SP 800-38D) in constant time, with integer multiplications. */
#include "internal.h"

/* Every fourth bit. */
#define HOLES UINT64_C(0x1111111111111111)

/* A word's bits in four parts, as the products need them. */
struct parts {
    uint64_t of[4];
};

static inline struct parts split(uint64_t x)
{
    struct parts p = { { x & HOLES, x & HOLES << 1, x & HOLES << 2, x & HOLES << 3 } };
    return p;
}

/* The low 64 bits of the product of polynomials. The bits of a part are four positions apart, so
 * no carry reaches the next kept position: a sum of at most fifteen bits fits into four, of which the masks keep the
 * lowest. Sixteen bits are added only from bit 60 on, where the carry leaves the word. */
static inline uint64_t multiply_low(uint64_t a, const struct parts *b)
{
    const struct parts x = split(a);
    const uint64_t *y = b->of;
    uint64_t p0 = x.of[0] * y[0] ^ x.of[1] * y[3] ^ x.of[2] * y[2] ^ x.of[3] * y[1];
    uint64_t p1 = x.of[0] * y[1] ^ x.of[1] * y[0] ^ x.of[2] * y[3] ^ x.of[3] * y[2];
    uint64_t p2 = x.of[0] * y[2] ^ x.of[1] * y[1] ^ x.of[2] * y[0] ^ x.of[3] * y[3];
    uint64_t p3 = x.of[0] * y[3] ^ x.of[1] * y[2] ^ x.of[2] * y[1] ^ x.of[3] * y[0];
    return (p0 & HOLES) | (p1 & HOLES << 1) | (p2 & HOLES << 2) | (p3 & HOLES << 3);
}

/* Reverses the order of bits. */
static inline uint64_t reverse(uint64_t x)
{
    x = (x >> 1 & UINT64_C(0x5555555555555555)) | (x & UINT64_C(0x5555555555555555)) << 1;
    x = (x >> 2 & UINT64_C(0x3333333333333333)) | (x & UINT64_C(0x3333333333333333)) << 2;
    x = (x >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (x & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    x = (x >> 8 & UINT64_C(0x00ff00ff00ff00ff)) | (x & UINT64_C(0x00ff00ff00ff00ff)) << 8;
    x = (x >> 16 & UINT64_C(0x0000ffff0000ffff)) | (x & UINT64_C(0x0000ffff0000ffff)) << 16;
    return x >> 32 | x << 32;
}

/* H: its first word, its second, and their sum; each both unchanged (x^0 at the top) and reversed. */
struct factor {
    struct parts word[3], reversed[3];
};

/* All 128 bits of a product, with x^0 at the top of the first word. The low half of the product of words is its end;
 * that of reversed words, reversed, is its beginning: 127 bits in total, so the end is shifted by one. */
static inline void multiply(uint64_t product[2], uint64_t a, uint64_t reversed, const struct factor *h, int i)
{
    product[0] = reverse(multiply_low(reversed, &h->reversed[i]));
    product[1] = multiply_low(a, &h->word[i]) << 1;
}

/* y = y h, modulo x^128 + x^7 + x^2 + x + 1. Multiplying by x is a shift to the right. */
static inline void times(uint64_t y[2], const struct factor *h)
{
    uint64_t low[2], high[2], middle[2], p[4], r0 = reverse(y[0]), r1 = reverse(y[1]);
    multiply(low, y[0], r0, h, 0);
    multiply(high, y[1], r1, h, 1);
    multiply(middle, y[0] ^ y[1], r0 ^ r1, h, 2);
    p[0] = low[0];
    p[1] = low[1] ^ middle[0] ^ low[0] ^ high[0];
    p[2] = high[0] ^ middle[1] ^ low[1] ^ high[1];
    p[3] = high[1];
    /* x^128 = x^7 + x^2 + x + 1: first the last word, then the one before. */
    p[2] ^= p[3] << 63 ^ p[3] << 62 ^ p[3] << 57;
    p[1] ^= p[3] ^ p[3] >> 1 ^ p[3] >> 2 ^ p[3] >> 7;
    p[1] ^= p[2] << 63 ^ p[2] << 62 ^ p[2] << 57;
    p[0] ^= p[2] ^ p[2] >> 1 ^ p[2] >> 2 ^ p[2] >> 7;
    y[0] = p[0];
    y[1] = p[1];
}

static void prepare(struct factor *h, const uint8_t *bytes)
{
    uint64_t word[3] = { cv_load_be64(bytes), cv_load_be64(bytes + 8), 0 };
    word[2] = word[0] ^ word[1];
    for (int i = 0; i < 3; i++) {
        h->word[i] = split(word[i]);
        h->reversed[i] = split(reverse(word[i]));
    }
}

static void blocks_portable(const cv_ghash_key *key, uint8_t *y, const uint8_t *in, size_t blocks)
{
    struct factor h;
    uint64_t state[2] = { cv_load_be64(y), cv_load_be64(y + 8) };
    prepare(&h, key->h);
    for (; blocks; blocks--, in += CV_BLOCK) {
        state[0] ^= cv_load_be64(in);
        state[1] ^= cv_load_be64(in + 8);
        times(state, &h);
    }
    cv_store_be64(y, state[0]);
    cv_store_be64(y + 8, state[1]);
    cv_wipe(&h, sizeof h);
}

const struct cv_ghash_ops cv_portable_ghash = { .blocks = blocks_portable };

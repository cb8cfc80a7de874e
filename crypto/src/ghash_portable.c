/* GHASH (NIST SP 800-38D) in constant time, with multiplications of integers. */
#include "internal.h"

/* Every fourth bit. */
#define HOLES UINT64_C(0x1111111111111111)

/* The low 64 bits of the product of polynomials. Bits that stand three apart cannot carry into each other's places: a sum of
 * at most sixteen fills four bits, and what carries falls on places that the masks clear; the sixteenth term would carry
 * into the next kept place only above bit 60, where there is none. */
static uint64_t multiply_low(uint64_t a, uint64_t b)
{
    uint64_t x[4], y[4], product = 0;
    for (int i = 0; i < 4; i++) {
        x[i] = a & HOLES << i;
        y[i] = b & HOLES << i;
    }
    for (int i = 0; i < 4; i++) {
        uint64_t sum = 0;
        for (int j = 0; j < 4; j++)
            sum ^= x[j] * y[(i - j) & 3];
        product |= sum & HOLES << i;
    }
    return product;
}

/* Bits in the opposite order. */
static uint64_t reverse(uint64_t x)
{
    x = (x >> 1 & UINT64_C(0x5555555555555555)) | (x & UINT64_C(0x5555555555555555)) << 1;
    x = (x >> 2 & UINT64_C(0x3333333333333333)) | (x & UINT64_C(0x3333333333333333)) << 2;
    x = (x >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (x & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    x = (x >> 8 & UINT64_C(0x00ff00ff00ff00ff)) | (x & UINT64_C(0x00ff00ff00ff00ff)) << 8;
    x = (x >> 16 & UINT64_C(0x0000ffff0000ffff)) | (x & UINT64_C(0x0000ffff0000ffff)) << 16;
    return x >> 32 | x << 32;
}

/* 128 bits of the product: the high half of a product is the reversed low half of the reversed factors', shifted by one. */
static void multiply(uint64_t product[2], uint64_t a, uint64_t b)
{
    product[0] = multiply_low(a, b);
    product[1] = reverse(multiply_low(reverse(a), reverse(b))) >> 1;
}

/* Bit i of a block, from the top of byte 0 on, is the coefficient of x^i. Little-endian words of reversed bytes hold x^i at
 * bit i. */
static void load(uint64_t v[2], const uint8_t *block)
{
    for (int i = 0; i < 2; i++) {
        uint64_t x = 0;
        for (int j = 0; j < 8; j++)
            x = x << 8 | block[8 * i + j];
        v[i] = reverse(x);
    }
}

static void store(uint8_t *block, const uint64_t v[2])
{
    for (int i = 0; i < 2; i++) {
        uint64_t x = reverse(v[i]);
        for (int j = 0; j < 8; j++)
            block[8 * i + j] = (uint8_t)(x >> (56 - 8 * j));
    }
}

/* y = y h, modulo x^128 + x^7 + x^2 + x + 1. */
static void times(uint64_t y[2], const uint64_t h[2])
{
    uint64_t low[2], high[2], middle[2], p[4];
    multiply(low, y[0], h[0]);
    multiply(high, y[1], h[1]);
    multiply(middle, y[0] ^ y[1], h[0] ^ h[1]);
    p[0] = low[0];
    p[1] = low[1] ^ middle[0] ^ low[0] ^ high[0];
    p[2] = high[0] ^ middle[1] ^ low[1] ^ high[1];
    p[3] = high[1];
    /* x^128 = x^7 + x^2 + x + 1: first the upper word of the high half, then the lower. */
    p[2] ^= p[3] >> 63 ^ p[3] >> 62 ^ p[3] >> 57;
    p[1] ^= p[3] ^ p[3] << 1 ^ p[3] << 2 ^ p[3] << 7;
    p[1] ^= p[2] >> 63 ^ p[2] >> 62 ^ p[2] >> 57;
    p[0] ^= p[2] ^ p[2] << 1 ^ p[2] << 2 ^ p[2] << 7;
    y[0] = p[0];
    y[1] = p[1];
}

static void blocks_portable(const cv_ghash_key *key, uint8_t *y, const uint8_t *in, size_t blocks)
{
    uint64_t h[2], state[2], x[2];
    load(h, key->h);
    load(state, y);
    for (; blocks; blocks--, in += CV_BLOCK) {
        load(x, in);
        state[0] ^= x[0];
        state[1] ^= x[1];
        times(state, h);
    }
    store(y, state);
    cv_wipe(h, sizeof h);
}

const struct cv_ghash_ops cv_portable_ghash = { .blocks = blocks_portable };

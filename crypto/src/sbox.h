/* S-boxes of AES and SM4, bitsliced: bit i of 64 bytes is in q[i].
 *
 * Both are an inversion in a field of 256 elements between affine maps. All such fields are isomorphic, so one
 * inversion serves all: in the tower GF(16)[X] / (X^2 + X + 8) over GF(16) = GF(2)[x] / (x^4 + x + 1), where an element
 * is a1 X + a0 with a0 in q[0..3] and a1 in q[4..7]. The affine maps before and after are merged with an isomorphism:
 * one of the sixteen that needs few operations. Common terms are found by greedy pairing (Paar 1997). Tests compare
 * each S-box with its definition for all bytes. */
#ifndef CV_SBOX_H
#define CV_SBOX_H

#include <stdint.h>

/* A call would move slices to memory. */
#define CV_SBOX_PART static inline __attribute__((always_inline)) void

/* The product in GF(16), from the definition: x^4 = x + 1. */
CV_SBOX_PART cv_gf16_mul(uint64_t r[4], const uint64_t a[4], const uint64_t b[4])
{
    uint64_t p4 = (a[1] & b[3]) ^ (a[2] & b[2]) ^ (a[3] & b[1]);
    uint64_t p5 = (a[2] & b[3]) ^ (a[3] & b[2]);
    uint64_t p6 = a[3] & b[3];
    uint64_t p0 = a[0] & b[0];
    uint64_t p1 = (a[0] & b[1]) ^ (a[1] & b[0]);
    uint64_t p2 = (a[0] & b[2]) ^ (a[1] & b[1]) ^ (a[2] & b[0]);
    uint64_t p3 = (a[0] & b[3]) ^ (a[1] & b[2]) ^ (a[2] & b[1]) ^ (a[3] & b[0]);
    r[0] = p0 ^ p4;
    r[1] = p1 ^ p4 ^ p5;
    r[2] = p2 ^ p5 ^ p6;
    r[3] = p3 ^ p6;
}

/* 1/a in GF(16), and 0 for 0: the algebraic normal form of the fourteenth power, whose terms share factors. */
CV_SBOX_PART cv_gf16_invert(uint64_t r[4], const uint64_t a[4])
{
    uint64_t s01 = a[0] ^ a[1], s03 = a[0] ^ a[3], s23 = a[2] ^ a[3], s123 = a[1] ^ s23;
    uint64_t p12 = a[1] & a[2], p13 = a[1] & a[3], p23 = a[2] & a[3];
    r[0] = s01 ^ s23 ^ (a[2] & s01) ^ (p12 & s03);
    r[1] = a[3] ^ p12 ^ p13 ^ (a[0] & (a[1] ^ a[2] ^ p13));
    r[2] = s23 ^ (a[0] & (s123 ^ p23));
    r[3] = s123 ^ (a[3] & (s01 ^ a[2] ^ p12));
}

/* (a1 X + a0)^-1 = (a1 X + a0 + a1) / N with the norm N = a0^2 + a0 a1 + 8 a1^2. */
CV_SBOX_PART cv_tower_invert(uint64_t q[8])
{
    uint64_t *a0 = q, *a1 = q + 4, norm[4], inverse[4], sum[4];
    sum[0] = a0[0] ^ a1[0];
    sum[1] = a0[1] ^ a1[1];
    sum[2] = a0[2] ^ a1[2];
    sum[3] = a0[3] ^ a1[3];
    cv_gf16_mul(norm, a0, a1);
    /* Squares are linear: a0^2, and 8 a1^2. */
    norm[0] ^= a0[0] ^ a0[2] ^ a1[2];
    norm[1] ^= a0[2] ^ a1[1] ^ a1[2] ^ a1[3];
    norm[2] ^= a0[1] ^ a0[3] ^ a1[1];
    norm[3] ^= a0[3] ^ a1[0] ^ a1[2] ^ a1[3];
    cv_gf16_invert(inverse, norm);
    cv_gf16_mul(a0, sum, inverse);
    cv_gf16_mul(a1, a1, inverse);
}

/* 10 exclusive-ors. */
CV_SBOX_PART cv_to_tower_aes(uint64_t q[8])
{
    uint64_t x0 = q[0], x1 = q[1], x2 = q[2], x3 = q[3], x4 = q[4], x5 = q[5], x6 = q[6], x7 = q[7];
    uint64_t t0 = x5 ^ x7;
    uint64_t t1 = x4 ^ x6;
    uint64_t t2 = x2 ^ x3;
    uint64_t t3 = t0 ^ t2;
    q[0] = x0 ^ t0;
    q[1] = x2;
    q[2] = t1 ^ t3;
    q[3] = x3 ^ x4;
    q[4] = x5 ^ t1;
    q[5] = x1 ^ x7 ^ t1;
    q[6] = t3;
    q[7] = t0;
}

/* 15 exclusive-ors. */
CV_SBOX_PART cv_from_tower_aes(uint64_t q[8])
{
    uint64_t x0 = q[0], x1 = q[1], x2 = q[2], x3 = q[3], x4 = q[4], x5 = q[5], x6 = q[6], x7 = q[7];
    uint64_t t0 = x0 ^ x5;
    uint64_t t1 = x1 ^ x2;
    uint64_t t2 = x3 ^ t0;
    uint64_t t3 = x4 ^ t2;
    uint64_t t4 = x6 ^ x7;
    q[0] = ~(x0 ^ x2 ^ x6);
    q[1] = ~(t1 ^ t3);
    q[2] = x6 ^ t2;
    q[3] = x2 ^ t0;
    q[4] = x1 ^ t3;
    q[5] = ~(x3 ^ x5 ^ t1 ^ t4);
    q[6] = ~(x4 ^ t4);
    q[7] = t1;
}

/* 14 exclusive-ors. */
CV_SBOX_PART cv_to_tower_aes_inverse(uint64_t q[8])
{
    uint64_t x0 = q[0], x1 = q[1], x2 = q[2], x3 = q[3], x4 = q[4], x5 = q[5], x6 = q[6], x7 = q[7];
    uint64_t t0 = x5 ^ x6;
    uint64_t t1 = x0 ^ t0;
    uint64_t t2 = x1 ^ x2;
    uint64_t t3 = x1 ^ x4;
    uint64_t t4 = x4 ^ t1;
    uint64_t t5 = x7 ^ t2;
    q[0] = ~(x1 ^ t0);
    q[1] = ~(x7 ^ t3);
    q[2] = ~t3;
    q[3] = x3 ^ t1 ^ t2;
    q[4] = t4 ^ t5;
    q[5] = x3 ^ x4 ^ t0;
    q[6] = ~t4;
    q[7] = x6 ^ t5;
}

/* 11 exclusive-ors. */
CV_SBOX_PART cv_from_tower_aes_inverse(uint64_t q[8])
{
    uint64_t x0 = q[0], x1 = q[1], x2 = q[2], x3 = q[3], x4 = q[4], x5 = q[5], x6 = q[6], x7 = q[7];
    uint64_t t0 = x1 ^ x7;
    uint64_t t1 = x2 ^ x4;
    uint64_t t2 = x3 ^ t0;
    uint64_t t3 = x6 ^ t1;
    q[0] = x0 ^ x7;
    q[1] = x4 ^ x5 ^ x7;
    q[2] = x1;
    q[3] = x6 ^ t0;
    q[4] = x6 ^ t2;
    q[5] = t3;
    q[6] = x2 ^ t2;
    q[7] = x7 ^ t3;
}

/* 16 exclusive-ors. */
CV_SBOX_PART cv_to_tower_sm4(uint64_t q[8])
{
    uint64_t x0 = q[0], x1 = q[1], x2 = q[2], x3 = q[3], x4 = q[4], x5 = q[5], x6 = q[6], x7 = q[7];
    uint64_t t0 = x2 ^ x6;
    uint64_t t1 = x0 ^ x1;
    uint64_t t2 = x3 ^ t1;
    uint64_t t3 = x1 ^ x7;
    uint64_t t4 = x4 ^ x5;
    uint64_t t5 = t2 ^ t4;
    q[0] = ~(x5 ^ t3);
    q[1] = ~(x0 ^ t0);
    q[2] = t0 ^ t3;
    q[3] = x6 ^ x7 ^ t2;
    q[4] = x4 ^ t0 ^ t1;
    q[5] = x7 ^ t0;
    q[6] = x2 ^ t5;
    q[7] = ~(t0 ^ t5);
}

/* 13 exclusive-ors. */
CV_SBOX_PART cv_from_tower_sm4(uint64_t q[8])
{
    uint64_t x0 = q[0], x1 = q[1], x2 = q[2], x3 = q[3], x4 = q[4], x5 = q[5], x6 = q[6], x7 = q[7];
    uint64_t t0 = x2 ^ x5;
    uint64_t t1 = x0 ^ x3;
    uint64_t t2 = x4 ^ x7;
    uint64_t t3 = x1 ^ x7;
    uint64_t t4 = x6 ^ t0;
    uint64_t t5 = t1 ^ t3;
    q[0] = ~(t0 ^ t5);
    q[1] = ~x0;
    q[2] = x1;
    q[3] = x0 ^ t2;
    q[4] = ~(t2 ^ t4);
    q[5] = t0 ^ t2;
    q[6] = ~(t1 ^ t4);
    q[7] = ~(x5 ^ x6 ^ t5);
}

static inline void cv_sbox_aes(uint64_t q[8])
{
    cv_to_tower_aes(q);
    cv_tower_invert(q);
    cv_from_tower_aes(q);
}

static inline void cv_sbox_aes_inverse(uint64_t q[8])
{
    cv_to_tower_aes_inverse(q);
    cv_tower_invert(q);
    cv_from_tower_aes_inverse(q);
}

static inline void cv_sbox_sm4(uint64_t q[8])
{
    cv_to_tower_sm4(q);
    cv_tower_invert(q);
    cv_from_tower_sm4(q);
}

#endif

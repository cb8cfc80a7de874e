/* Poly1305 with vectors: the code around the lanes of poly1305_v.S. */
#include "internal.h"

/* Five limbs of 26 bits, then the last four multiplied by five. */
struct limbs {
    uint32_t word[9];
};

#define MASK UINT32_C(0x3ffffff)
/* VLEN 65536 has 4096 lanes. */
#define POWERS 13

void cv_poly1305_v_lanes(uint32_t h[5], const struct limbs *power, const uint8_t *data, size_t groups, size_t lanes);

static void times_five(struct limbs *x)
{
    for (int i = 1; i < 5; i++)
        x->word[4 + i] = 5 * x->word[i];
}

/* Converts words of 64, 64 and a few bits to limbs; the last may be longer by a bit. */
static void split(struct limbs *x, uint64_t low, uint64_t middle, uint64_t high)
{
    x->word[0] = (uint32_t)low & MASK;
    x->word[1] = (uint32_t)(low >> 26) & MASK;
    x->word[2] = (uint32_t)(low >> 52 | middle << 12) & MASK;
    x->word[3] = (uint32_t)(middle >> 14) & MASK;
    x->word[4] = (uint32_t)(middle >> 40 | high << 24);
    times_five(x);
}

/* a b; 2^130 = 5. Limbs are below 2^26, except the second and the last, which may exceed it slightly. */
static void multiply(struct limbs *product, const struct limbs *a, const struct limbs *b)
{
    uint64_t a0 = a->word[0], a1 = a->word[1], a2 = a->word[2], a3 = a->word[3], a4 = a->word[4];
    uint64_t b0 = b->word[0], b1 = b->word[1], b2 = b->word[2], b3 = b->word[3], b4 = b->word[4];
    uint64_t f1 = b->word[5], f2 = b->word[6], f3 = b->word[7], f4 = b->word[8];
    uint64_t d0 = a0 * b0 + a1 * f4 + a2 * f3 + a3 * f2 + a4 * f1;
    uint64_t d1 = a0 * b1 + a1 * b0 + a2 * f4 + a3 * f3 + a4 * f2 + (d0 >> 26);
    uint64_t d2 = a0 * b2 + a1 * b1 + a2 * b0 + a3 * f4 + a4 * f3 + (d1 >> 26);
    uint64_t d3 = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + a4 * f4 + (d2 >> 26);
    uint64_t d4 = a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + (d3 >> 26);
    uint64_t first = (d0 & MASK) + 5 * (d4 >> 26);
    product->word[0] = (uint32_t)first & MASK;
    product->word[1] = ((uint32_t)d1 & MASK) + (uint32_t)(first >> 26);
    product->word[2] = (uint32_t)d2 & MASK;
    product->word[3] = (uint32_t)d3 & MASK;
    product->word[4] = (uint32_t)d4 & MASK;
    times_five(product);
}

/* Converts the limbs' sum to words. */
static void join(uint64_t h[3], const struct limbs *x)
{
    uint64_t carry = 0, word[5];
    for (int i = 0; i < 5; i++) {
        carry += x->word[i];
        word[i] = i < 4 ? carry & MASK : carry;
        carry >>= 26;
    }
    h[0] = word[0] | word[1] << 26 | word[2] << 52;
    h[1] = word[2] >> 12 | word[3] << 14 | word[4] << 40;
    h[2] = word[4] >> 24;
}

/* For few blocks: the scalar kernel, if there is one. No token has V without M if the library is compiled for M
 * (src/caps.c). */
#ifdef __riscv_mul
# define SCALAR cv_poly1305_m
void cv_poly1305_m(uint64_t h[3], const uint64_t r[2], const uint8_t *data, size_t blocks);
#else
# define SCALAR cv_portable_poly1305
#endif

/* Number of blocks for which another halving pays off. The caller knows from how many blocks on the powers pay off at
 * all (vlen_policy.c): in instructions, from 40 on. */
#define AGAIN 16

void cv_poly1305_v(uint64_t h[3], const uint64_t r[2], const uint8_t *data, size_t blocks)
{
    struct limbs power[POWERS], x;
    size_t lanes, n = 0;
    if (blocks < AGAIN) {
        SCALAR(h, r, data, blocks);
        return;
    }
    __asm__("csrr %0, 0xc22" : "=r"(lanes));
    lanes /= 2;
    split(&power[0], r[0], r[1], 0);
    for (; (size_t)1 << n < lanes && (size_t)4 << n <= blocks; n++)
        multiply(&power[n + 1], &power[n], &power[n]);
    split(&x, h[0], h[1], h[2]);
    while (blocks >= AGAIN) {
        size_t groups;
        while ((size_t)2 << n > blocks)
            n--;
        groups = blocks >> n;
        cv_poly1305_v_lanes(x.word, &power[n], data, groups, (size_t)1 << n);
        multiply(&x, &x, &power[0]);
        data += 16 * (groups << n), blocks -= groups << n;
    }
    join(h, &x);
    cv_wipe(power, sizeof power);
    cv_wipe(&x, sizeof x);
    if (blocks)
        SCALAR(h, r, data, blocks);
}

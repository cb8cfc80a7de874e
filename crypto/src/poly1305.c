/* Poly1305 (RFC 8439, 2.5), modulo p = 2^130 - 5, in 64-bit words. */
#include "chacha.h"

/* A number below 2^128. */
struct wide {
    uint64_t low, high;
};

/* Whether a < b. On 32-bit processors, GCC would compare the two words one after the other and branch in between, so there this
 * is computed as the borrow of a - b (Hacker's Delight, 2-13). */
#if UINTPTR_MAX > UINT32_MAX
# define BELOW(a, b) ((a) < (b))
#else
# define BELOW(a, b) below(a, b)
static inline uint64_t below(uint64_t a, uint64_t b)
{
    return ((~a & b) | (~(a ^ b) & (a - b))) >> 63;
}
#endif

/* acc + a b */
static inline struct wide multiply_add(struct wide acc, uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 x = (unsigned __int128)a * b + acc.low;
    struct wide sum = { (uint64_t)x, acc.high + (uint64_t)(x >> 64) };
#else
    uint64_t mask = 0xffffffff;
    uint64_t low = (a & mask) * (b & mask), cross = (a >> 32) * (b & mask) + (low >> 32);
    uint64_t other = (a & mask) * (b >> 32) + (cross & mask);
    struct wide sum = { acc.low + (other << 32 | (low & mask)), acc.high + (a >> 32) * (b >> 32) };
    sum.high += (cross >> 32) + (other >> 32) + BELOW(sum.low, acc.low);
#endif
    return sum;
}

/* h = (h + m + 2^128) r, not yet reduced below p, but below 2^130 + 2^68. r is clamped as in RFC 8439, so r1 / 4 is an
 * integer, and 2^128 r1 = 2^130 (r1 / 4) = 5 r1 / 4. */
static inline void take(uint64_t h[3], const uint64_t r[2], const uint8_t m[16])
{
    uint64_t m0 = cv_load_le64(m), m1 = cv_load_le64(m + 8), folded = r[1] + (r[1] >> 2), carry, high;
    struct wide d0 = { 0, 0 }, d1 = { 0, 0 };
    h[0] += m0;
    carry = BELOW(h[0], m0);
    m1 += carry;
    h[2] += 1 + BELOW(m1, carry);
    h[1] += m1;
    h[2] += BELOW(h[1], m1);

    d0 = multiply_add(multiply_add(d0, h[0], r[0]), h[1], folded);
    d1.low = d0.high;
    d1 = multiply_add(multiply_add(d1, h[0], r[1]), h[1], r[0]);
    /* h[2] is at most 9, so both products fit into one word. */
    high = h[2] * folded;
    d1.low += high;
    d1.high += BELOW(d1.low, high);
    h[2] = h[2] * r[0] + d1.high;
    h[0] = d0.low, h[1] = d1.low;

    carry = (h[2] & ~UINT64_C(3)) + (h[2] >> 2);
    h[2] &= 3;
    h[0] += carry;
    carry = BELOW(h[0], carry);
    h[1] += carry;
    h[2] += BELOW(h[1], carry);
}

void cv_portable_poly1305(uint64_t h[3], const uint64_t r[2], const uint8_t *data, size_t blocks)
{
    uint64_t x[3] = { h[0], h[1], h[2] }, key[2] = { r[0], r[1] }, copy[2];
    const uint8_t *end = data + 16 * blocks, *m;
    unsigned misaligned = (uintptr_t)data & 7;
    for (; data != end; data += 16) {
        m = data;
        if (misaligned) {
            memcpy(copy, data, 16);
            m = (const uint8_t *)copy;
        }
        take(x, key, __builtin_assume_aligned(m, 8));
    }
    h[0] = x[0], h[1] = x[1], h[2] = x[2];
    cv_wipe(copy, sizeof copy);
    cv_wipe(key, sizeof key);
}

/* The marker of a finished context, which otherwise could not be distinguished from one with a zero key. */
#define ENDED UINT32_MAX

void cv_poly1305_init(cv_poly1305 *p, const uint8_t key[32])
{
    memset(p, 0, sizeof *p);
    p->r[0] = cv_load_le64(key) & UINT64_C(0x0ffffffc0fffffff);
    p->r[1] = cv_load_le64(key + 8) & UINT64_C(0x0ffffffc0ffffffc);
    p->s[0] = cv_load_le64(key + 16);
    p->s[1] = cv_load_le64(key + 24);
}

void cv_poly1305_update(cv_poly1305 *p, const uint8_t *data, size_t len)
{
    size_t blocks;
    if (len == 0)
        return;
    if (p->held) {
        size_t n = 16 - p->held < len ? 16 - p->held : len;
        if (p->held == ENDED)
            return;
        memcpy(p->block + p->held, data, n);
        p->held += (uint32_t)n, data += n, len -= n;
        if (p->held < 16)
            return;
        cv_chacha_kernels(CV_POLY1305, 1)->poly1305(p->h, p->r, p->block, 1);
        p->held = 0;
    }
    blocks = len / 16;
    if (blocks)
        cv_chacha_kernels(CV_POLY1305, blocks)->poly1305(p->h, p->r, data, blocks);
    data += 16 * blocks, len %= 16;
    if (len)
        memcpy(p->block, data, len);
    p->held = (uint32_t)len;
}

/* h - 2^128 = h + 3 2^128 - 5, for a short block, since the block function adds 2^128 to each. h is below 2^130 + 2^68
 * and afterwards, as that function requires, below 2^131. */
static void take_off_top(uint64_t h[3])
{
    uint64_t borrow = BELOW(h[0], 5);
    h[0] -= 5;
    h[2] += 3 - BELOW(h[1], borrow);
    h[1] -= borrow;
}

/* h modulo p: h + 5 has bit 130 if h is not below p. Without the empty statement, GCC 14 makes the selection a branch. */
static void reduce(uint64_t h[3])
{
    uint64_t g0 = h[0] + 5, g1 = h[1] + BELOW(g0, 5), g2 = h[2] + BELOW(g1, h[1]), mask = 0 - (g2 >> 2 & 1);
    __asm__("" : "+r"(mask));
    h[0] ^= (h[0] ^ g0) & mask;
    h[1] ^= (h[1] ^ g1) & mask;
}

void cv_poly1305_final(cv_poly1305 *p, uint8_t tag[16])
{
    uint64_t low;
    if (p->held == ENDED)
        return;
    if (p->held) {
        p->block[p->held] = 1;
        memset(p->block + p->held + 1, 0, 15 - p->held);
        take_off_top(p->h);
        cv_chacha_kernels(CV_POLY1305, 1)->poly1305(p->h, p->r, p->block, 1);
    }
    reduce(p->h);
    low = p->h[0] + p->s[0];
    cv_store_le64(tag, low);
    cv_store_le64(tag + 8, p->h[1] + p->s[1] + BELOW(low, p->s[0]));
    cv_wipe(p, sizeof *p);
    p->held = ENDED;
}

void cv_poly1305_message(const uint8_t key[32], uint8_t tag[16], const uint8_t *data, size_t len)
{
    cv_poly1305 p;
    cv_poly1305_init(&p, key);
    cv_poly1305_update(&p, data, len);
    cv_poly1305_final(&p, tag);
}

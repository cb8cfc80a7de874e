/* ML-DSA: arithmetic by coefficients, and rejection sampling. */
#include "mldsa.h"

const struct cv_mldsa_ops cv_portable_mldsa = {
    .ntt = cv_portable_mldsa_ntt,
    .inverse = cv_portable_mldsa_inverse,
    .multiply = cv_portable_mldsa_multiply,
    .add = cv_portable_mldsa_add,
    .subtract = cv_portable_mldsa_subtract,
    .reject = cv_portable_mldsa_reject,
    .reject_small = cv_portable_mldsa_reject_small,
    .shift = cv_portable_mldsa_shift,
    .round = cv_portable_mldsa_round,
    .decompose = cv_portable_mldsa_decompose,
    .exceeds = cv_portable_mldsa_exceeds,
    .make_hint = cv_portable_mldsa_make_hint,
    .use_hint = cv_portable_mldsa_use_hint,
    .pack = cv_portable_mldsa_pack,
    .unpack = cv_portable_mldsa_unpack,
    .pack_below = cv_portable_mldsa_pack_below,
    .unpack_below = cv_portable_mldsa_unpack_below,
};

void cv_portable_mldsa_add(uint32_t h[N], const uint32_t f[N], const uint32_t g[N])
{
    for (size_t i = 0; i < N; i++)
        h[i] = cv_mldsa_positive(f[i] + g[i] - Q);
}

void cv_portable_mldsa_subtract(uint32_t h[N], const uint32_t f[N], const uint32_t g[N])
{
    for (size_t i = 0; i < N; i++)
        h[i] = cv_mldsa_positive(f[i] - g[i]);
}

/* Algorithm 14, without a branch on whether a number is taken: it is stored, and overwritten if it was not. */
size_t cv_portable_mldsa_reject(uint32_t *out, size_t room, const uint8_t *bytes, size_t len)
{
    size_t n = 0;
    for (; len >= 3 && n < room; len -= 3, bytes += 3) {
        uint32_t x = bytes[0] | (uint32_t)bytes[1] << 8 | ((uint32_t)bytes[2] & 0x7f) << 16;
        out[n] = x;
        n += x < Q;
    }
    return n;
}

/* Algorithm 15 for half a byte: whether it is taken is no secret, but its value is. b mod 5 without a division: 205 / 1024 is
 * close enough to 1 / 5 for b below 15. */
static inline size_t small(uint32_t *to, uint32_t b, unsigned eta)
{
    if (eta == 2) {
        *to = cv_mldsa_positive(2 - (b - 5 * (b * 205 >> 10)));
        return (b - 15) >> 31;
    }
    *to = cv_mldsa_positive(4 - b);
    return (b - 9) >> 31;
}

size_t cv_portable_mldsa_reject_small(uint32_t *out, size_t room, const uint8_t *bytes, size_t len, unsigned eta)
{
    size_t n = 0;
    for (size_t i = 0; i < len && n < room; i++) {
        n += small(out + n, bytes[i] & 15, eta);
        CV_PUBLIC(&n, sizeof n);
        if (n < room)
            n += small(out + n, bytes[i] >> 4, eta);
        CV_PUBLIC(&n, sizeof n);
    }
    return n;
}

void cv_portable_mldsa_shift(uint32_t f[N])
{
    for (size_t i = 0; i < N; i++)
        f[i] <<= D;
}

/* Power2Round (algorithm 35): low is from -2^12 + 1 to 2^12, modulo q. */
void cv_portable_mldsa_round(uint32_t high[N], uint32_t low[N], const uint32_t f[N])
{
    for (size_t i = 0; i < N; i++) {
        uint32_t r = f[i], top = (r + (1 << (D - 1)) - 1) >> D;
        high[i] = top;
        low[i] = cv_mldsa_positive(r - (top << D));
    }
}

/* HighBits (algorithm 37): floor((r + gamma2 - 1) / (2 gamma2)), which rounds so that low bits are from -gamma2 + 1 to
 * gamma2; the topmost value becomes 0. The product with ceil(2^42 / (2 gamma2)) has the same integer part as the quotient
 * for every numerator below q + gamma2. */
static inline uint32_t high_bits(uint32_t r, uint32_t gamma2)
{
    int is_32 = gamma2 == (Q - 1) / 32;
    uint32_t h = (uint32_t)((r + gamma2 - 1) * (is_32 ? UINT64_C(8396809) : UINT64_C(23091223)) >> 42);
    return h & cv_mask((h - (is_32 ? 16 : 44)) >> 31);
}

/* Decompose (algorithm 36). If the top wraps to 0, r is -q + r, so the low bits are r modulo q. */
void cv_portable_mldsa_decompose(uint32_t high[N], uint32_t low[N], const uint32_t f[N], uint32_t gamma2)
{
    for (size_t i = 0; i < N; i++) {
        uint32_t r = f[i], h = high_bits(r, gamma2);
        high[i] = h;
        low[i] = cv_mldsa_positive(r - 2 * gamma2 * h);
    }
}

/* One of the differences is negative if the coefficient is between -bound and bound. */
int cv_portable_mldsa_exceeds(const uint32_t f[N], uint32_t bound)
{
    uint32_t within = UINT32_MAX;
    for (size_t i = 0; i < N; i++)
        within &= (f[i] - bound) | (Q - bound - f[i]);
    return (int)(~within >> 31);
}

size_t cv_portable_mldsa_make_hint(uint32_t h[N], const uint32_t f[N], const uint32_t g[N], uint32_t gamma2)
{
    size_t ones = 0;
    for (size_t i = 0; i < N; i++) {
        uint32_t difference = high_bits(f[i], gamma2) ^ high_bits(g[i], gamma2);
        h[i] = (0 - difference) >> 31;
        ones += h[i];
    }
    return ones;
}

/* UseHint (algorithm 40); nothing here is secret. Reduced low bits are positive if they are at most gamma2. */
void cv_portable_mldsa_use_hint(uint32_t high[N], const uint32_t f[N], const uint32_t h[N], uint32_t gamma2)
{
    uint32_t m = gamma2 == (Q - 1) / 32 ? 16 : 44;
    for (size_t i = 0; i < N; i++) {
        uint32_t top = high_bits(f[i], gamma2), low = cv_mldsa_positive(f[i] - 2 * gamma2 * top);
        if (h[i] && low - 1 < gamma2)
            top = top == m - 1 ? 0 : top + 1;
        else if (h[i])
            top = top == 0 ? m - 1 : top - 1;
        high[i] = top;
    }
}

/* The transforms of ML-DSA in wide arithmetic: each coefficient is a range. A product with a constant z is
 * r = x z - q floor(x w / 2^32); with e = w q - 2^32 z, r is q times the fraction of x w / 2^32, minus x e / 2^32. */
#include "bounds_mldsa.h"
#include "mldsa_zetas.h"

#define WORD (INT64_C(1) << 32)

int64_t power(unsigned k, int64_t a)
{
    int64_t z = 1;
    for (int bit = 0; bit < 8; bit++)
        z = z * z % Q * (k >> bit & 1 ? 1753 : 1) % Q;
    return z * a % Q;
}

static void widen(struct range *worst, struct range x)
{
    worst->low = x.low < worst->low ? x.low : worst->low;
    worst->high = x.high > worst->high ? x.high : worst->high;
}

/* x / 2^32, rounded down and up. */
static int64_t down(int64_t x)
{
    return (x - (x < 0 ? WORD - 1 : 0)) / WORD;
}

static int64_t up(int64_t x)
{
    return -down(-x);
}

/* With 1753^BitRev8(k): the centred number, and 2^32 / q times it, rounded. */
static struct range times_zeta(struct range x, unsigned k)
{
    int64_t z = power(k, 1), w = (z * WORD + Q / 2) / Q, e = w * Q - z * WORD;
    struct range errors = { x.low * e, x.high * e };
    if (e < 0)
        errors = (struct range){ x.high * e, x.low * e };
    require(x.low >= INT32_MIN && x.high <= INT32_MAX, "mldsa-factor");
    return (struct range){ -up(errors.high), Q - 1 - down(errors.low) };
}

static struct range plus(struct range a, struct range b)
{
    return (struct range){ a.low + b.low, a.high + b.high };
}

static struct range minus(struct range a, struct range b)
{
    return (struct range){ a.low - b.high, a.high - b.low };
}

void forward(struct range f[N], struct range *worst)
{
    unsigned k = 1;
    for (size_t len = 128; len >= 1; len /= 2) {
        for (size_t start = 0; start < N; start += 2 * len, k++) {
            for (struct range *a = f + start; a < f + start + len; a++) {
                struct range t = times_zeta(a[len], k);
                a[len] = minus(*a, t);
                *a = plus(*a, t);
                widen(worst, *a);
                widen(worst, a[len]);
            }
        }
    }
}

/* x minus q times its quotient by 2^23, which is rounded down: at its extremes, and where the quotient changes. */
static struct range reduce(struct range x)
{
    const int64_t step = INT64_C(1) << QUOTIENT_BITS;
    struct range all = { INT64_MAX, INT64_MIN };
    for (int64_t n = x.low;;) {
        int64_t quotient = n >> QUOTIENT_BITS, end = (quotient + 1) * step - 1;
        end = end < x.high ? end : x.high;
        widen(&all, (struct range){ n - Q * quotient, end - Q * quotient });
        if (end == x.high)
            return all;
        n = end + 1;
    }
}

void backward(struct range f[N], struct range *worst)
{
    unsigned k = 255;
    for (size_t len = 1; len < 128; len *= 2) {
        for (size_t start = 0; start < N; start += 2 * len, k--) {
            for (struct range *a = f + start; a < f + start + len; a++) {
                struct range t = minus(a[len], *a);
                *a = plus(*a, a[len]);
                a[len] = times_zeta(t, k);
                widen(worst, *a);
                widen(worst, a[len]);
            }
        }
        for (size_t i = 0; len == 8 && i < N; i++) {
            f[i] = reduce(f[i]);
            require(f[i].low >= 0 && f[i].high <= Q + Q / 50, "mldsa-inverse-reduction");
        }
    }
    for (struct range *a = f; a < f + N / 2; a++) {
        struct range sum = plus(*a, a[N / 2]), difference = minus(a[N / 2], *a);
        *a = (struct range){ sum.low + SUM_OFFSET, sum.high + SUM_OFFSET };
        a[N / 2] = (struct range){ difference.low + DIFFERENCE_OFFSET, difference.high + DIFFERENCE_OFFSET };
    }
}

static void fill(struct range f[N])
{
    for (size_t i = 0; i < N; i++)
        f[i] = (struct range){ 0, Q - 1 };
}

/* The comments of mldsa_ntt_v.S have these bounds. */
static void check_forward(void)
{
    struct range f[N], worst = { 0, 0 };
    fill(f);
    forward(f, &worst);
    require(worst.low >= -82 * Q / 10 && worst.high <= 92 * (int64_t)Q / 10, "mldsa-forward");
    for (size_t i = 0; i < N; i++) {
        struct range x = { f[i].low + NTT_OFFSET, f[i].high + NTT_OFFSET }, rest = reduce(x);
        require(x.low >= 0 && rest.low >= 0 && rest.high < 2 * Q, "mldsa-forward-reduction");
    }
}

/* What the last layer of the inverse multiplies, by z, with 2^32 z / q rounded down. */
static void check_scaled(struct range x, int64_t z)
{
    int64_t w = z * WORD / Q;
    require(x.low >= 0 && x.high <= 18 * (int64_t)Q, "mldsa-inverse-last-layer");
    /* Before it is rounded down, the quotient is too small by less than 1, so the remainder is below 2 q. */
    require(x.high * (z * WORD - w * Q) < WORD * Q, "mldsa-inverse-scale");
}

static void check_backward(void)
{
    struct range f[N], worst = { 0, 0 };
    fill(f);
    backward(f, &worst);
    require(worst.low >= -(int64_t)Q && worst.high <= 162 * (int64_t)Q / 10, "mldsa-inverse");
    for (size_t i = 0; i < N / 2; i++) {
        check_scaled(f[i], SCALE);
        check_scaled(f[i + N / 2], power(1, SCALE));
    }
    require(INT64_C(256) * SCALE % Q == 1, "mldsa-constants");
}

/* Just below and at multiples of q, up to what the callers pass. */
static void check_multiplications(void)
{
    const uint64_t barrett = (UINT64_C(1) << 52) / Q, most = 8 * (uint64_t)(Q - 1) * (Q - 1);
    for (uint64_t m = 1; m <= 300000; m++) {
        uint64_t top = (m % 2 ? most / Q - m : m) * Q;
        for (uint64_t x = top - 1; x <= top; x++) {
            uint64_t r = x - Q * ((x >> 20) * barrett >> 32);
            require(cv_mldsa_reduce(x) == x % Q, "mldsa-reduce");
            require(r < 2 * Q, "mldsa-multiply-reduction");
        }
    }
    /* The portable transforms multiply any numbers below 2^32. */
    for (unsigned k = 1; k < 256; k++) {
        uint64_t z = (uint64_t)power(k, 1);
        for (uint64_t m = 0; m < 512; m++) {
            uint32_t x = (uint32_t)(m * Q + (k * m) % 3 - 1);
            require(cv_mldsa_times(x, cv_mldsa_zetas[k]) == x * z % Q, "mldsa-times");
        }
    }
}

void bounds_mldsa(void)
{
    check_forward();
    check_backward();
    check_multiplications();
}

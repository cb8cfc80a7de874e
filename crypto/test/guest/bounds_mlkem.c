/* The transforms of ML-KEM in wide arithmetic: each coefficient is a range, and products with a constant are computed for
 * every number of it, so that ranges are exact but for dependences between coefficients. The constants are those of the
 * kernels' own header. */
#include "bounds_mlkem.h"
#include "mlkem_zetas.h"

int32_t power(unsigned k, int32_t a)
{
    int32_t z = 1;
    for (int bit = 0; bit < 7; bit++)
        z = z * z % Q * (k >> bit & 1 ? 17 : 1) % Q;
    return z * a % Q;
}

static struct range plus(struct range a, struct range b, int32_t more)
{
    return (struct range){ a.low + b.low + more, a.high + b.high + more };
}

static struct range minus(struct range a, struct range b, int32_t more)
{
    return (struct range){ a.low - b.high + more, a.high - b.low + more };
}

/* Largest absolute value in the layer that was computed last. */
static int32_t largest(const struct range f[N])
{
    int32_t most = 0;
    for (size_t i = 0; i < N; i++) {
        most = f[i].high > most ? f[i].high : most;
        most = -f[i].low > most ? -f[i].low : most;
    }
    return most;
}

/* x z - q (x w / 2^16), rounded down, for each x of 16 bits: with the `w` of a kernel. */
static struct range product(struct range x, int32_t z, int32_t w)
{
    struct range all = { INT32_MAX, INT32_MIN };
    require(x.low >= INT16_MIN && x.high <= INT16_MAX, "a factor exceeds 16 bits");
    for (int32_t n = x.low; n <= x.high; n++) {
        int32_t r = n * z - Q * (n * w >> 16);
        all.low = r < all.low ? r : all.low;
        all.high = r > all.high ? r : all.high;
    }
    return all;
}

/* With 17^BitRev7(k): the centred number, and 2^16 / q times it, rounded. */
static struct range times_zeta(struct range x, unsigned k)
{
    int32_t z = power(k, 1), w = (z * 65536 + Q / 2) / Q;
    return z > Q / 2 ? product(x, z - Q, w - 65536) : product(x, z, w);
}

void forward(struct range f[N], int32_t most[7])
{
    unsigned k = 1;
    for (size_t len = 128, layer = 0; len >= 2; len /= 2, layer++) {
        for (size_t start = 0; start < N; start += 2 * len, k++) {
            for (struct range *a = f + start; a < f + start + len; a++) {
                struct range t = times_zeta(a[len], k);
                a[len] = minus(*a, t, 0);
                *a = plus(*a, t, 0);
            }
        }
        most[layer] = largest(f);
    }
}

static void reduce(struct range f[N])
{
    for (size_t i = 0; i < N; i++)
        f[i] = product(f[i], 1, INVERSE_QUOTIENT);
}

void backward(struct range f[N], int32_t most[8])
{
    unsigned k = 127;
    size_t layer = 0;
    for (size_t len = 2; len < 128; len *= 2) {
        for (size_t start = 0; start < N; start += 2 * len, k--) {
            for (struct range *a = f + start; a < f + start + len; a++) {
                struct range t = minus(a[len], *a, 0);
                *a = plus(*a, a[len], 0);
                a[len] = times_zeta(t, k);
            }
        }
        most[layer++] = largest(f);
        if (len == 8 || len == 64) {
            reduce(f);
            most[layer++] = largest(f);
        }
    }
    for (struct range *a = f; a < f + N / 2; a++) {
        struct range sum = plus(*a, a[N / 2], SUM_OFFSET);
        a[N / 2] = minus(a[N / 2], *a, DIFFERENCE_OFFSET);
        *a = sum;
    }
}

static void fill(struct range f[N], int32_t high)
{
    for (size_t i = 0; i < N; i++)
        f[i] = (struct range){ 0, high };
}

/* The comments of mlkem_ntt_v.S have these numbers. */
static void check_forward(void)
{
    static const int32_t stated[7] = { 7422, 10736, 14300, 17627, 21109, 24821, 28139 };
    int32_t most[7];
    struct range f[N];
    fill(f, SMALL - 1);
    forward(f, most);
    for (size_t i = 0; i < 7; i++)
        require(most[i] == stated[i], "forward-layer");
    for (size_t i = 0; i < N; i++) {
        for (int32_t x = f[i].low + NTT_OFFSET; x <= f[i].high + NTT_OFFSET; x++) {
            int32_t r = x - Q * (x * NTT_QUOTIENT >> 16);
            require(x >= 0 && x <= UINT16_MAX && (r >= Q ? r - Q : r) == x % Q, "forward-last-reduction");
        }
    }
}

static void check_scaled(struct range x, int32_t z)
{
    int32_t w = 65536 * z / Q;
    require(x.low >= 0 && x.high <= 10404, "inverse-last-layer");
    for (int64_t n = x.low; n <= x.high; n++) {
        int64_t r = n * z - Q * (n * w >> 16);
        require(r >= 0 && (r >= Q ? r - Q : r) == n * z % Q, "inverse-scale");
    }
}

static void check_backward(void)
{
    static const int32_t stated[8] = { 6656, 13312, 26624, 3328, 6656, 13312, 26624, 3381 };
    int32_t most[8];
    struct range f[N];
    fill(f, Q - 1);
    backward(f, most);
    for (size_t i = 0; i < 8; i++)
        require(most[i] == stated[i], "inverse-layer");
    for (size_t i = 0; i < N / 2; i++) {
        check_scaled(f[i], SCALE);
        check_scaled(f[i + N / 2], SCALED_ZETA);
    }
    require(128 * SCALE % Q == 1 && power(1, SCALE) == SCALED_ZETA, "inverse-constants");
}

/* Where floors of x / q can go wrong: just below and at multiples of q. */
static void check_multiplications(void)
{
    const uint64_t barrett = (UINT64_C(1) << 32) / Q;
    for (uint64_t m = Q; m < UINT64_C(1) << 32; m += Q) {
        for (uint64_t x = m - 1; x <= m && x < UINT64_C(1) << 32; x++) {
            uint64_t r = x - Q * (x * barrett >> 32);
            require(cv_mlkem_reduce((uint32_t)x) == x % Q, "reduce");
            require(x >= UINT64_C(1) << 28 || r < 2 * Q, "multiply-reduction");
        }
    }
    /* The portable transforms multiply numbers of at most 64 q. */
    for (unsigned k = 1; k < 128; k++) {
        uint64_t z = (uint64_t)power(k, 1);
        require(cv_mlkem_zetas[k] == ((z << 32) + Q - 1) / Q, "zetas");
        for (uint32_t x = 0; x <= 64 * Q; x += k % 8 ? 17 : 1)
            require(cv_mlkem_times(x, cv_mlkem_zetas[k]) == x * z % Q, "times");
    }
}

void bounds_mlkem(void)
{
    check_forward();
    check_backward();
    check_multiplications();
}

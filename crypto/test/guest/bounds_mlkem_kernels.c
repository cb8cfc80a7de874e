/* The kernels of ML-KEM in use, compared with the definitions of the transform and of products, on inputs that the model
 * of bounds_mlkem.c drives towards the limits. */
#include "bounds_mlkem.h"

/* The transform by its definition (FIPS 203, 4.3): the remainders modulo X^2 - 17^(2 BitRev7(i) + 1). */
static void define(int32_t out[N], const uint16_t f[N])
{
    for (unsigned i = 0; i < N / 2; i++) {
        int32_t zeta = power(i, 1), gamma = zeta * zeta % Q * 17 % Q;
        out[2 * i] = out[2 * i + 1] = 0;
        for (unsigned j = N; j; j -= 2) {
            out[2 * i] = (out[2 * i] * gamma + f[j - 2]) % Q;
            out[2 * i + 1] = (out[2 * i + 1] * gamma + f[j - 1]) % Q;
        }
    }
}

/* Both directions of the kernels in use: what they make of `f`, and that it is reduced. */
static void check_transforms(const uint16_t f[N])
{
    uint16_t there[N], back[N];
    int32_t right[N], again[N];
    int same = 1, reduced = 1, inverse = 1;
    memcpy(there, f, sizeof there);
    cv_mlkem_kernels()->ntt(there);
    define(right, f);
    for (size_t i = 0; i < N; i++) {
        reduced &= there[i] < Q;
        same &= there[i] % Q == right[i];
        back[i] = f[i] % Q;
    }
    require(same, "ntt");
    require(reduced, "ntt-reduced");
    memcpy(there, back, sizeof there);
    cv_mlkem_kernels()->inverse(back);
    define(again, back);
    for (size_t i = 0; i < N; i++)
        inverse &= back[i] < Q && again[i] == there[i];
    require(inverse, "inverse");
}

static void numbers(struct range f[N], const uint16_t from[N])
{
    for (size_t i = 0; i < N; i++)
        f[i] = (struct range){ from[i], from[i] };
}

/* The model's number `at`, before the last reduction, for the input `f`. */
static int32_t reached(const uint16_t f[N], size_t at, int inverse)
{
    int32_t most[8];
    struct range wide[N];
    numbers(wide, f);
    if (inverse)
        backward(wide, most);
    else
        forward(wide, most);
    return wide[at].low;
}

/* Changes coefficients to 0 or `high`, each for as long as that moves the number `at` in the direction `sign`. */
static void drive(uint16_t f[N], size_t at, int inverse, int32_t sign, uint16_t high)
{
    int32_t best = sign * reached(f, at, inverse);
    for (size_t i = 0; i < N; i++) {
        uint16_t before = f[i];
        f[i] = before ? 0 : high;
        int32_t now = sign * reached(f, at, inverse);
        if (now >= best)
            best = now;
        else
            f[i] = before;
    }
}

static uint32_t random_number(void)
{
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

static void check_kernels(void)
{
    static const size_t places[] = { 0, 1, 2, 63, 126, 129, 200, 255 };
    uint16_t f[N];
    for (unsigned pattern = 0; pattern < 40; pattern++) {
        for (unsigned i = 0; i < N; i++)
            f[i] = (uint16_t)(pattern < 8        ? (i >> pattern & 1) * (SMALL - 1)
                                  : pattern < 16 ? (~i >> (pattern - 8) & 1) * (Q - 1)
                                  : pattern < 24 ? (random_number() & 1) * (SMALL - 1)
                                                 : random_number() % SMALL);
        check_transforms(f);
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (int way = 0; way < 4; way++) {
            uint16_t high = way < 2 ? SMALL - 1 : Q - 1;
            for (size_t j = 0; j < N; j++)
                f[j] = (random_number() & 1) * high;
            drive(f, places[i], way >= 2, way % 2 ? 1 : -1, high);
            check_transforms(f);
        }
    }
}

/* Sums of four products of the largest factors, and of others. */
static void check_products(void)
{
    static uint16_t f[4 * N], g[4 * N], h[N];
    for (unsigned round = 0; round < 20; round++) {
        for (size_t i = 0; i < 4 * N; i++) {
            f[i] = (uint16_t)(round ? random_number() % SMALL : SMALL - 1);
            g[i] = (uint16_t)(round ? random_number() % SMALL : SMALL - 1);
        }
        cv_mlkem_kernels()->multiply(h, f, N, g, 4);
        for (unsigned i = 0; i < N; i += 2) {
            int32_t zeta = power(i / 2, 1), gamma = zeta * zeta % Q * 17 % Q, low = 0, high = 0;
            for (size_t j = i; j < 4 * N; j += N) {
                low = (low + f[j] * g[j] + f[j + 1] * g[j + 1] % Q * gamma) % Q;
                high = (high + f[j] * g[j + 1] + f[j + 1] * g[j]) % Q;
            }
            require(h[i] == low && h[i + 1] == high, "multiply");
        }
    }
}

void bounds_mlkem_kernels(void)
{
    check_kernels();
    check_products();
}

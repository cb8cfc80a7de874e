/* The kernels of ML-DSA in use, compared with the definitions of the transform and of products, on inputs that the model of
 * bounds_mldsa.c drives towards the limits. */
#include "bounds_mldsa.h"

/* The transform by its definition (FIPS 204, 7.5): the values at 1753^(2 BitRev8(i) + 1). */
static void define(int64_t out[N], const uint32_t f[N])
{
    for (unsigned i = 0; i < N; i++) {
        int64_t zeta = power(i, 1), point = zeta * zeta % Q * 1753 % Q;
        out[i] = 0;
        for (unsigned j = N; j; j--)
            out[i] = (out[i] * point + f[j - 1]) % Q;
    }
}

static void check_transforms(const uint32_t f[N])
{
    uint32_t there[N], back[N];
    int64_t right[N];
    int same = 1, inverse = 1;
    memcpy(there, f, sizeof there);
    cv_mldsa_kernels()->ntt(there);
    define(right, f);
    for (size_t i = 0; i < N; i++)
        same &= there[i] == right[i];
    require(same, "mldsa-ntt");
    memcpy(back, f, sizeof back);
    cv_mldsa_kernels()->inverse(back);
    define(right, back);
    for (size_t i = 0; i < N; i++)
        inverse &= back[i] < Q && right[i] == f[i];
    require(inverse, "mldsa-inverse");
}

/* The model's number `at`, before the last reduction, for the input `f`. */
static int64_t reached(const uint32_t f[N], size_t at, int inverse)
{
    struct range wide[N], worst = { 0, 0 };
    for (size_t i = 0; i < N; i++)
        wide[i] = (struct range){ f[i], f[i] };
    if (inverse)
        backward(wide, &worst);
    else
        forward(wide, &worst);
    return wide[at].low + wide[at].high;
}

/* Changes coefficients to 0 or q - 1, each for as long as that moves the number `at` in the direction `sign`. */
static void drive(uint32_t f[N], size_t at, int inverse, int64_t sign)
{
    int64_t best = sign * reached(f, at, inverse);
    for (size_t i = 0; i < N; i++) {
        uint32_t before = f[i];
        f[i] = before ? 0 : Q - 1;
        int64_t now = sign * reached(f, at, inverse);
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

void bounds_mldsa_kernels(void)
{
    static const size_t places[] = { 0, 1, 130, 255 };
    static uint32_t f[N], g[8 * N], h[N];
    for (unsigned pattern = 0; pattern < 40; pattern++) {
        for (unsigned i = 0; i < N; i++)
            f[i] = pattern < 8 ? (i >> pattern & 1) * (Q - 1)
                : pattern < 16 ? (~i >> (pattern - 8) & 1) * (Q - 1)
                : pattern < 24 ? (random_number() & 1) * (Q - 1)
                               : random_number() % Q;
        check_transforms(f);
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (int way = 0; way < 4; way++) {
            for (size_t j = 0; j < N; j++)
                f[j] = (random_number() & 1) * (Q - 1);
            drive(f, places[i], way >= 2, way % 2 ? 1 : -1);
            check_transforms(f);
        }
    }
    /* Sums of eight products of the largest factors. */
    for (size_t i = 0; i < 8 * N; i++)
        g[i] = Q - 1;
    cv_mldsa_kernels()->multiply(h, g, g, 8);
    for (size_t i = 0; i < N; i++)
        require(h[i] == 8, "mldsa-multiply");
}

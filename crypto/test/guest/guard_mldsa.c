/* The kernels of ML-DSA in use: see guard.c. */
#include "guard.h"
#include "mldsa.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define POLY sizeof(uint32_t[N])
/* Polynomials of the longest argument. */
#define MOST 8

static uint32_t first[MOST * N], second[MOST * N], third[N];
static uint8_t stream[840];
static uint32_t random = 1;

/* The kernels that the functions below call. */
static const struct cv_mldsa_ops *ops;

/* Zeros, `most`, both in turn, beginning with either, or random numbers up to it, of which some are `most`. */
static uint32_t number(size_t i, uint32_t most, unsigned pattern)
{
    random = random * 1664525 + 1013904223;
    if (pattern < 2)
        return pattern * most;
    if (pattern < 18)
        return ((uint32_t)((i >> (pattern - 2) / 2) ^ pattern) & 1) * most;
    return random >> 28 ? (uint32_t)((uint64_t)random * 2654435761u >> 16) % (most + 1) : most;
}

#define PATTERNS 22

static void fill(uint32_t *f, size_t count, uint32_t most, unsigned pattern)
{
    for (size_t i = 0; i < count; i++)
        f[i] = number(i, most, pattern);
}

/* Numbers at most 2 away from the multiples of `step`, where rounding changes. */
static void fill_around(uint32_t f[N], uint32_t step)
{
    for (size_t i = 0; i < N; i++) {
        random = random * 1664525 + 1013904223;
        f[i] = ((random >> 8) % (Q / step + 1) * step + (random >> 4) % 5 + Q - 2) % Q;
    }
}

/* Operations with their arguments in the order of guard.c, and their results in memory. What rejection sampling leaves
 * after the numbers taken does not matter. */
static void do_round(uint32_t *high, const uint32_t *f, uint32_t *low)
{
    ops->round(high, low, f);
}

static void do_decompose(uint32_t *high, const uint32_t *f, uint32_t *low, uint32_t gamma2)
{
    ops->decompose(high, low, f, gamma2);
}

/* Twice, since a call leaves other vector registers behind than a system call does. */
static void do_exceeds(uint32_t *result, const uint32_t *f, uint32_t bound)
{
    uint32_t before = ops->exceeds(f, bound) != 0;
    *result = 2 * before + (ops->exceeds(f, bound) != 0);
}

static void do_make_hint(uint32_t *h, const uint32_t *f, const uint32_t *g, uint32_t gamma2, uint32_t *result)
{
    *result = (uint32_t)ops->make_hint(h, f, g, gamma2);
}

static void do_reject(uint32_t *out, size_t room, const uint8_t *bytes, size_t len, uint32_t *result)
{
    size_t n = ops->reject(out, room, bytes, len);
    memset(out + n, 0, (room - n) * sizeof *out);
    *result = (uint32_t)n;
}

static void do_reject_small(uint32_t *out, size_t room, const uint8_t *bytes, size_t len, unsigned eta,
                            uint32_t *result)
{
    size_t n = ops->reject_small(out, room, bytes, len, eta);
    memset(out + n, 0, (room - n) * sizeof *out);
    *result = (uint32_t)n;
}

static const struct cv_mldsa_ops *used, *portable;
static void (*called)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static void with_used(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f)
{
    ops = used;
    called(a, b, c, d, e, f);
}

static void with_portable(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f)
{
    ops = portable;
    called(a, b, c, d, e, f);
}

#define VALUE_OF(x) { VALUE, .value = (x) }
#define CHECK_CALL(label, from, to, ...) \
    do { \
        const struct argument arguments[] = { __VA_ARGS__ }; \
        struct kernel k = { "mldsa-", label, (void *)(from), (void *)(to), 1, COUNT(arguments), { { 0 } } }; \
        memcpy(k.arguments, arguments, sizeof arguments); \
        guard_check(&k); \
    } while (0)
#define CHECK(field, ...) CHECK_CALL(#field, used->field, portable->field, __VA_ARGS__)
/* Through do_FIELD; where execution is slow, not for C. */
#define CHECK_DO(field, ...) \
    do { \
        called = (void *)do_##field; \
        if (!GUARD_KERNELS_ALONE || used->field != portable->field) \
            CHECK_CALL(#field, with_used, with_portable, __VA_ARGS__); \
    } while (0)

static void check_products(unsigned pattern)
{
    fill(first, MOST * N, Q - 1, pattern);
    CHECK(ntt, { CHANGED, POLY, first });
    CHECK(inverse, { CHANGED, POLY, first });
    for (unsigned other = 0; other < PATTERNS; other += 7) {
        fill(second, MOST * N, Q - 1, other);
        for (size_t n = 1; n <= MOST; n++)
            CHECK(multiply, { OUT, POLY }, { IN, n * POLY, first }, { READ, n * POLY, second }, VALUE_OF(n));
        CHECK(add, { OUT, POLY }, { IN, POLY, first }, { READ, POLY, second });
        CHECK(subtract, { OUT, POLY }, { IN, POLY, first }, { READ, POLY, second });
    }
}

static const uint32_t bounds[] = { 1, 3, 5, (Q - 1) / 88 - 78, (Q - 1) / 32 - 196, (1 << 17) - 78, (1 << 19) - 120 };

/* `first` has numbers to be rounded or compared. */
static void check_rounding(void)
{
    static const uint32_t gammas[] = { (Q - 1) / 88, (Q - 1) / 32 };
    CHECK_DO(round, { OUT, POLY }, { IN, POLY, first }, { CHANGED, POLY });
    for (size_t i = 0; i < COUNT(gammas); i++) {
        const struct argument gamma2 = VALUE_OF(gammas[i]);
        fill_around(second, gammas[i]);
        CHECK_DO(decompose, { OUT, POLY }, { IN, POLY, first }, { CHANGED, POLY }, gamma2);
        CHECK_DO(decompose, { OUT, POLY }, { IN, POLY, second }, { CHANGED, POLY }, gamma2);
        CHECK_DO(make_hint, { OUT, POLY }, { IN, POLY, first }, { READ, POLY, second }, gamma2, { CHANGED, 4 });
        fill(third, N, 1, 18 + (unsigned)i);
        CHECK(use_hint, { OUT, POLY }, { IN, POLY, first }, { READ, POLY, third }, gamma2);
        CHECK(use_hint, { OUT, POLY }, { IN, POLY, second }, { READ, POLY, third }, gamma2);
    }
    for (size_t i = 0; i < COUNT(bounds); i++)
        CHECK_DO(exceeds, { CHANGED, 4 }, { READ, POLY, first }, VALUE_OF(bounds[i]));
}

/* One coefficient at the limit on either side, or just below. */
static void check_limits(void)
{
    for (size_t i = 0; i < 4 * COUNT(bounds); i++) {
        uint32_t size = bounds[i / 4] - (i & 1);
        for (size_t at = 0; at < N; at += 51) {
            memset(third, 0, sizeof third);
            third[at] = i & 2 ? (Q - size) % Q : size;
            CHECK_DO(exceeds, { CHANGED, 4 }, { READ, POLY, third }, VALUE_OF(bounds[i / 4]));
        }
    }
}

static void check_rejection(unsigned pattern)
{
    static const size_t rooms[] = { 256, 255, 100, 7, 1 }, lens[] = { 840, 168, 136, 135, 9, 3 };
    for (size_t i = 0; i < sizeof stream; i++)
        stream[i] = (uint8_t)number(i, 255, pattern);
    /* Around q. */
    for (size_t i = 0; i + 3 <= sizeof stream; i += 15) {
        uint32_t x = Q - 2 + random % 5;
        random = random * 1664525 + 1013904223;
        stream[i] = (uint8_t)x, stream[i + 1] = (uint8_t)(x >> 8);
        stream[i + 2] = (uint8_t)((x >> 16) | (random >> 31 << 7));
    }
    for (size_t r = 0; r < COUNT(rooms); r++) {
        for (size_t l = 0; l < COUNT(lens); l++) {
            const struct argument to = { CHANGED, rooms[r] * sizeof(uint32_t) }, room = VALUE_OF(rooms[r]);
            CHECK_DO(reject, to, room, { READ, lens[l], stream }, VALUE_OF(lens[l]), { CHANGED, 4 });
            for (unsigned eta = 2; eta <= 4; eta += 2)
                CHECK_DO(reject_small, to, room, { READ, lens[l], stream }, VALUE_OF(lens[l]), VALUE_OF(eta),
                         { CHANGED, 4 });
        }
    }
}

static void check_packing(unsigned pattern)
{
    static const unsigned widths[] = { 4, 6, 10 };
    static const struct {
        unsigned bits;
        uint32_t top;
    } below[] = { { 3, 2 }, { 4, 4 }, { 13, 1 << (D - 1) }, { 18, 1 << 17 }, { 20, 1 << 19 } };
    for (size_t i = 0; i < COUNT(widths); i++) {
        unsigned d = widths[i];
        fill(first, N, (1u << d) - 1, pattern);
        CHECK(shift, { CHANGED, POLY, first });
        CHECK(pack, { CHANGED, 32 * d }, { READ, POLY, first }, VALUE_OF(d));
        CHECK(unpack, { CHANGED, POLY }, { READ, 32 * d }, VALUE_OF(d));
    }
    for (size_t i = 0; i < COUNT(below); i++) {
        unsigned d = below[i].bits;
        const struct argument top = VALUE_OF(below[i].top);
        for (size_t j = 0; j < N; j++)
            first[j] = cv_mldsa_positive(below[i].top - number(j, (1u << d) - 1, pattern));
        CHECK(pack_below, { CHANGED, 32 * d }, { READ, POLY, first }, VALUE_OF(d), top);
        CHECK(unpack_below, { CHANGED, POLY }, { READ, 32 * d }, VALUE_OF(d), top);
        memset(stream, pattern & 1 ? 255 : 0, sizeof stream);
        CHECK(unpack_below, { CHANGED, POLY }, { READ, 32 * d, stream }, VALUE_OF(d), top);
    }
}

void guard_mldsa(const struct cv_mldsa_ops *in_use, const struct cv_mldsa_ops *of_c)
{
    used = in_use, portable = of_c;
    /* Found by search: in the last layer of the inverse with vectors, a sum is negative. */
    random = 0x5d7663d2;
    fill(first, N, Q - 1, PATTERNS - 1);
    CHECK(inverse, { CHANGED, POLY, first });
    check_limits();
    for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
        check_products(pattern);
        fill(first, N, Q - 1, pattern);
        if (pattern == 2)
            fill_around(first, 1 << (D - 1));
        check_rounding();
        check_rejection(pattern);
        check_packing(pattern);
    }
}

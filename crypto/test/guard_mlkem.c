/* The kernels of ML-KEM in use: see guard.c. */
#include "guard.h"
#include "mlkem.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define POLY sizeof(uint16_t[N])
/* Polynomials of the longest argument. */
#define MOST 4

static uint16_t first[MOST * N], second[MOST * N];

/* Numbers below `bound`: zeros, the largest, both in turn, or random ones, of which some are the largest. */
static void fill(uint16_t f[MOST * N], unsigned bound, unsigned pattern)
{
    static uint32_t random = 1;
    for (size_t i = 0; i < MOST * N; i++) {
        uint32_t turn = (uint32_t)(i >> (pattern - 2)) & 1;
        random = random * 1664525 + 1013904223;
        f[i] = (uint16_t)(pattern < 2        ? pattern * (bound - 1)
                              : pattern < 10 ? turn * (bound - 1)
                              : random >> 28 ? (random >> 8) % bound
                                             : bound - 1);
    }
}

#define PATTERNS 14
#define CHECK(field, ...) \
    do { \
        const struct argument arguments[] = { __VA_ARGS__ }; \
        struct kernel k = { "mlkem-",         #field,   (void *)used->field, (void *)portable->field, 1, \
                            COUNT(arguments), { { 0 } } }; \
        memcpy(k.arguments, arguments, sizeof arguments); \
        guard_check(&k); \
    } while (0)
#define VALUE_OF(x) { VALUE, .value = (x) }

static void check_arithmetic(const struct cv_mlkem_ops *used, const struct cv_mlkem_ops *portable)
{
    for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
        fill(first, 4096, pattern);
        CHECK(ntt, { CHANGED, POLY, first });
        for (unsigned other = 0; other < PATTERNS; other += 3) {
            fill(second, 4096, other);
            for (size_t k = 1; k <= MOST; k++)
                CHECK(multiply, { OUT, POLY }, { IN, k * POLY, first }, VALUE_OF(N), { READ, k * POLY, second },
                      VALUE_OF(k));
            CHECK(multiply, { OUT, POLY }, { IN, MOST * POLY, first }, VALUE_OF(2 * N), { READ, 2 * POLY, second },
                  VALUE_OF(2));
            CHECK(add, { OUT, POLY }, { IN, POLY, first }, { READ, POLY, second });
        }
        fill(second, Q + 1, pattern);
        CHECK(subtract, { OUT, POLY }, { IN, POLY, first }, { READ, POLY, second });
        fill(first, Q, pattern);
        CHECK(inverse, { CHANGED, POLY, first });
    }
}

void guard_mlkem(const struct cv_mlkem_ops *used, const struct cv_mlkem_ops *portable)
{
    check_arithmetic(used, portable);
}

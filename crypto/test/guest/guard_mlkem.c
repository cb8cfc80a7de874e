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

static const struct cv_mlkem_ops *ops, *model;

#define PATTERNS 14
#define CHECK(field, ...) \
    do { \
        const struct argument arguments[] = { __VA_ARGS__ }; \
        struct kernel k = { \
            "mlkem-", #field, (void *)ops->field, (void *)model->field, 1, COUNT(arguments), { { 0 } } \
        }; \
        memcpy(k.arguments, arguments, sizeof arguments); \
        guard_check(&k); \
    } while (0)
#define VALUE_OF(x) { VALUE, .value = (x) }
/* For a kernel that returns something: functions of this file that call it and store that. */
#define CHECK_BY(field, ...) \
    do { \
        const struct argument arguments[] = { __VA_ARGS__ }; \
        struct kernel k = { "mlkem-",         #field,   (void *)field##_used, (void *)field##_portable, 1, \
                            COUNT(arguments), { { 0 } } }; \
        memcpy(k.arguments, arguments, sizeof arguments); \
        guard_check(&k); \
    } while (0)

static void check_arithmetic(void)
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
            fill(first, Q, pattern);
            fill(second, Q, other);
            CHECK(add_reduced, { OUT, POLY }, { IN, POLY, first }, { READ, POLY, second });
            fill(first, 4096, pattern);
        }
        fill(second, Q + 1, pattern);
        CHECK(subtract, { OUT, POLY }, { IN, POLY, first }, { READ, POLY, second });
        fill(first, Q, pattern);
        CHECK(inverse, { CHANGED, POLY, first });
    }
}

/* Encodes `f` with 12 bits, independently of what is tested. */
static void encode(uint8_t *bytes, const uint16_t *f, size_t count)
{
    for (size_t i = 0; i < count; i += 2, bytes += 3) {
        bytes[0] = (uint8_t)f[i];
        bytes[1] = (uint8_t)(f[i] >> 8 | f[i + 1] << 4);
        bytes[2] = (uint8_t)(f[i + 1] >> 4);
    }
}

static uint8_t bytes[MOST * N * 3 / 2];

static void reject_by(const struct cv_mlkem_ops *by, uint16_t *out, size_t room, const uint8_t *from, size_t len,
                      size_t *taken)
{
    *taken = by->reject(out, room, from, len);
    for (size_t i = *taken; i < room; i++)
        out[i] = 0;
}

static void reject_used(uint16_t *out, size_t room, const uint8_t *from, size_t len, size_t *taken)
{
    reject_by(ops, out, room, from, len, taken);
}

static void reject_portable(uint16_t *out, size_t room, const uint8_t *from, size_t len, size_t *taken)
{
    reject_by(model, out, room, from, len, taken);
}

/* Lengths from the shortest on, and as for a matrix; numbers of which all, none, or those at the limit are taken. */
static void check_reject(void)
{
    static const size_t lengths[] = { 12, 18, 42, 90, 168, 330, 504 }, rooms[] = { 1, 2, 3, 31, 128, 255, 256 };
    for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
        for (unsigned bound = Q; bound <= 4096; bound += bound == Q ? 1 : 4096 - Q - 1) {
            fill(first, bound, pattern);
            encode(bytes, first, MOST * N);
            for (size_t i = 0; i < COUNT(lengths); i++)
                for (size_t j = 0; j < COUNT(rooms); j++)
                    CHECK_BY(reject, { CHANGED, 2 * rooms[j] }, VALUE_OF(rooms[j]), { READ, lengths[i], bytes },
                             VALUE_OF(lengths[i]), { CHANGED, sizeof(size_t) });
        }
    }
}

static void unpack_used(uint16_t *f, const uint8_t *from, int *reduced)
{
    *reduced = ops->unpack(f, from);
}

static void unpack_portable(uint16_t *f, const uint8_t *from, int *reduced)
{
    *reduced = model->unpack(f, from);
}

#define CHECK_UNPACK CHECK_BY(unpack, { CHANGED, POLY }, { READ, 384, bytes }, { CHANGED, sizeof(int) })

/* Every place may have the one coefficient that is not reduced. */
static void check_encoding(void)
{
    for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
        fill(first, 4096, pattern);
        CHECK(pack, { CHANGED, 384 }, { READ, POLY, first });
        encode(bytes, first, N);
        CHECK_UNPACK;
    }
    fill(first, Q, 1);
    for (size_t i = 0; i <= N; i++) {
        first[i] = Q;
        encode(bytes, first, N);
        CHECK_UNPACK;
        first[i] = Q - 1;
    }
}

/* Every number that may be compressed, and all numbers of `d` bits, in each of four places. */
static void check_compression(unsigned d)
{
    for (unsigned from = 0; from < 1 << 14; from += N) {
        for (unsigned i = 0; i < N; i++)
            first[i] = (uint16_t)(from + i);
        CHECK(compress, { CHANGED, 32 * d }, { READ, POLY, first }, VALUE_OF(d));
    }
    for (unsigned from = 0; from < 1u << d || from < 4 * N; from += N) {
        for (unsigned i = 0; i < 32 * d; i++)
            bytes[i] = 0;
        for (unsigned i = 0; i < N * d; i++)
            bytes[i / 8] |= (uint8_t)(((from + i / d) * 5 >> i % d & 1) << i % 8);
        CHECK(decompress, { CHANGED, POLY }, { READ, 32 * d, bytes }, VALUE_OF(d));
    }
}

/* Every byte, and random ones. */
static void check_binomial(void)
{
    for (unsigned pattern = 0; pattern < 6; pattern++) {
        static uint32_t random = 1;
        for (size_t i = 0; i < 192; i++) {
            random = random * 1664525 + 1013904223;
            bytes[i] = (uint8_t)(pattern < 2 ? i + 128 * pattern : random >> 24);
        }
        CHECK(cbd2, { CHANGED, POLY }, { READ, 128, bytes });
        CHECK(cbd3, { CHANGED, POLY }, { READ, 192, bytes });
    }
}

static void same_used(const uint8_t *a, const uint8_t *b, size_t len, int *same)
{
    *same = ops->same(a, b, len);
}

static void same_portable(const uint8_t *a, const uint8_t *b, size_t len, int *same)
{
    *same = model->same(a, b, len);
}

/* Ciphertexts that differ nowhere, or in a bit of one byte. */
static void check_same(size_t len)
{
    static uint8_t other[sizeof bytes];
    memcpy(other, bytes, len);
    for (size_t i = 0; i <= len; i++) {
        if (i < len)
            other[i] ^= (uint8_t)(1 << i % 8);
        CHECK_BY(same, { READ, len, bytes }, { READ, len, other }, VALUE_OF(len), { CHANGED, sizeof(int) });
        other[i] = bytes[i];
    }
}

void guard_mlkem(const struct cv_mlkem_ops *used, const struct cv_mlkem_ops *portable)
{
    static const unsigned widths[] = { 1, 4, 5, 10, 11 };
    ops = used, model = portable;
    check_arithmetic();
    check_reject();
    check_encoding();
    check_binomial();
    check_same(768);
    check_same(1088);
    for (size_t i = 0; i < COUNT(widths); i++)
        check_compression(widths[i]);
}

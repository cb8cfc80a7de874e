/* Keccak-f[1600] (FIPS 202, 3.2 and 3.3) on RV32, where the even and the odd bits of a lane are a word each: a rotation
 * by 2n rotates both words by n, one by 2n + 1 exchanges them and rotates one word by n and the other by n + 1
 * (Bertoni et al., "Keccak implementation overview", version 3.2, section 2.1).
 *
 * The file that includes this defines UNZIP, which moves the even bits of a word to its low half and the odd bits to its
 * high half; ZIP, the inverse; and PACK, the low halves of two words as one word. Lane A[x, y] is a[5 y + x]. */
#include "insn.h"
#include "internal.h"

struct lane {
    uint32_t even, odd;
};

static inline struct lane split(uint64_t x)
{
    uint32_t low = UNZIP((uint32_t)x), high = UNZIP((uint32_t)(x >> 32));
    return (struct lane){ PACK(low, high), PACK(low >> 16, high >> 16) };
}

static inline uint64_t join(struct lane a)
{
    uint32_t low = ZIP(PACK(a.even, a.odd)), high = ZIP(PACK(a.even >> 16, a.odd >> 16));
    return (uint64_t)high << 32 | low;
}

/* By 0 to 31 bits to the left. */
#define ROL(x, n) ((n) % 32 ? cv_rori(x, (32 - (n) % 32) % 32) : (x))
#define ROTATE(a, n) \
    ((n) % 2 ? (struct lane){ ROL((a).odd, (n) / 2 + 1), ROL((a).even, (n) / 2) } \
             : (struct lane){ ROL((a).even, (n) / 2), ROL((a).odd, (n) / 2) })

static inline struct lane both(struct lane a, struct lane b)
{
    return (struct lane){ a.even ^ b.even, a.odd ^ b.odd };
}

static inline struct lane column(const struct lane *a)
{
    return both(both(both(a[0], a[5]), both(a[10], a[15])), a[20]);
}

static inline void add(struct lane *a, struct lane d)
{
    for (int y = 0; y < 25; y += 5)
        a[y] = both(a[y], d);
}

/* 3.2.1 */
static inline void theta(struct lane a[25])
{
    struct lane c0 = column(a), c1 = column(a + 1), c2 = column(a + 2), c3 = column(a + 3), c4 = column(a + 4);
    add(a, both(c4, ROTATE(c1, 1)));
    add(a + 1, both(c0, ROTATE(c2, 1)));
    add(a + 2, both(c1, ROTATE(c3, 1)));
    add(a + 3, both(c2, ROTATE(c4, 1)));
    add(a + 4, both(c3, ROTATE(c0, 1)));
}

/* a ^ (~b & c) */
static inline struct lane chosen(struct lane a, struct lane b, struct lane c)
{
    return (struct lane){ a.even ^ cv_andn(c.even, b.even), a.odd ^ cv_andn(c.odd, b.odd) };
}

/* 3.2.4, for row y, whose lanes are b. */
static inline void chi(struct lane *row, struct lane b0, struct lane b1, struct lane b2, struct lane b3, struct lane b4)
{
    row[0] = chosen(b0, b1, b2);
    row[1] = chosen(b1, b2, b3);
    row[2] = chosen(b2, b3, b4);
    row[3] = chosen(b3, b4, b0);
    row[4] = chosen(b4, b0, b1);
}

/* 3.2.2 and 3.2.3: the source of each lane of a row, and its rotation; then chi. */
static inline void rho_pi_chi(struct lane to[25], const struct lane a[25])
{
    chi(to + 0, a[0], ROTATE(a[6], 44), ROTATE(a[12], 43), ROTATE(a[18], 21), ROTATE(a[24], 14));
    chi(to + 5, ROTATE(a[3], 28), ROTATE(a[9], 20), ROTATE(a[10], 3), ROTATE(a[16], 45), ROTATE(a[22], 61));
    chi(to + 10, ROTATE(a[1], 1), ROTATE(a[7], 6), ROTATE(a[13], 25), ROTATE(a[19], 8), ROTATE(a[20], 18));
    chi(to + 15, ROTATE(a[4], 27), ROTATE(a[5], 36), ROTATE(a[11], 10), ROTATE(a[17], 15), ROTATE(a[23], 56));
    chi(to + 20, ROTATE(a[2], 62), ROTATE(a[8], 55), ROTATE(a[14], 39), ROTATE(a[15], 41), ROTATE(a[21], 2));
}

/* The round constants, split. */
static const struct lane constants[24] = {
    { 0x00000001, 0x00000000 }, { 0x00000000, 0x00000089 }, { 0x00000000, 0x8000008b }, { 0x00000000, 0x80008080 },
    { 0x00000001, 0x0000008b }, { 0x00000001, 0x00008000 }, { 0x00000001, 0x80008088 }, { 0x00000001, 0x80000082 },
    { 0x00000000, 0x0000000b }, { 0x00000000, 0x0000000a }, { 0x00000001, 0x00008082 }, { 0x00000000, 0x00008003 },
    { 0x00000001, 0x0000808b }, { 0x00000001, 0x8000000b }, { 0x00000001, 0x8000008a }, { 0x00000001, 0x80000081 },
    { 0x00000000, 0x80000081 }, { 0x00000000, 0x80000008 }, { 0x00000000, 0x00000083 }, { 0x00000000, 0x80008003 },
    { 0x00000001, 0x80008088 }, { 0x00000000, 0x80000088 }, { 0x00000001, 0x00008000 }, { 0x00000000, 0x80008082 },
};

/* Algorithm 7, two rounds at a time. */
static void permute(struct lane a[25], struct lane b[25])
{
    for (int round = 0; round < 24; round += 2) {
        theta(a);
        rho_pi_chi(b, a);
        b[0] = both(b[0], constants[round]);
        theta(b);
        rho_pi_chi(a, b);
        a[0] = both(a[0], constants[round + 1]);
    }
}

/* Converts the state in both directions, once for all blocks. */
static inline void split_all(struct lane a[25], const uint64_t state[25])
{
    for (size_t i = 0; i < 25; i++)
        a[i] = split(state[i]);
}

static inline void join_all(uint64_t state[25], struct lane a[25], struct lane b[25])
{
    for (size_t i = 0; i < 25; i++)
        state[i] = join(a[i]);
    cv_wipe(a, 25 * sizeof *a);
    cv_wipe(b, 25 * sizeof *b);
}

static inline void absorb(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes)
{
    struct lane a[25], b[25];
    split_all(a, state);
    for (; blocks; blocks--, data += 8 * lanes) {
        for (size_t i = 0; i < lanes; i++)
            a[i] = both(a[i], split(cv_load_le64(data + 8 * i)));
        permute(a, b);
    }
    join_all(state, a, b);
}

static inline void squeeze(uint64_t state[25], uint8_t *out, size_t blocks, size_t lanes)
{
    struct lane a[25], b[25];
    split_all(a, state);
    for (; blocks; blocks--) {
        permute(a, b);
        for (size_t i = 0; i < lanes; i++, out += 8)
            cv_store_le64(out, join(a[i]));
    }
    join_all(state, a, b);
}

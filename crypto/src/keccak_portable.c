/* Keccak-f[1600] (FIPS 202, 3.2 and 3.3). Lane A[x, y] is a[5 y + x]. */
#include "internal.h"

/* 3.2.5: from the shift register of algorithm 5. Aligned, since kernels use it too. */
const uint64_t cv_keccak_constants[24] __attribute__((aligned(64))) = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000008082), UINT64_C(0x800000000000808a),
    UINT64_C(0x8000000080008000), UINT64_C(0x000000000000808b), UINT64_C(0x0000000080000001),
    UINT64_C(0x8000000080008081), UINT64_C(0x8000000000008009), UINT64_C(0x000000000000008a),
    UINT64_C(0x0000000000000088), UINT64_C(0x0000000080008009), UINT64_C(0x000000008000000a),
    UINT64_C(0x000000008000808b), UINT64_C(0x800000000000008b), UINT64_C(0x8000000000008089),
    UINT64_C(0x8000000000008003), UINT64_C(0x8000000000008002), UINT64_C(0x8000000000000080),
    UINT64_C(0x000000000000800a), UINT64_C(0x800000008000000a), UINT64_C(0x8000000080008081),
    UINT64_C(0x8000000000008080), UINT64_C(0x0000000080000001), UINT64_C(0x8000000080008008),
};

static inline uint64_t rotate(uint64_t x, int n)
{
    return x << n | x >> ((64 - n) & 63);
}

/* Indices are constants throughout, so that lanes need not be in memory. */
#define COLUMN(x) (a[x] ^ a[(x) + 5] ^ a[(x) + 10] ^ a[(x) + 15] ^ a[(x) + 20])
#define ADD(x, d) (a[x] ^= (d), a[(x) + 5] ^= (d), a[(x) + 10] ^= (d), a[(x) + 15] ^= (d), a[(x) + 20] ^= (d))

/* 3.2.1 */
static inline void theta(uint64_t a[25])
{
    uint64_t c0 = COLUMN(0), c1 = COLUMN(1), c2 = COLUMN(2), c3 = COLUMN(3), c4 = COLUMN(4);
    uint64_t d0 = c4 ^ rotate(c1, 1), d1 = c0 ^ rotate(c2, 1), d2 = c1 ^ rotate(c3, 1);
    uint64_t d3 = c2 ^ rotate(c4, 1), d4 = c3 ^ rotate(c0, 1);
    ADD(0, d0);
    ADD(1, d1);
    ADD(2, d2);
    ADD(3, d3);
    ADD(4, d4);
}

/* 3.2.4, for row y, whose lanes are b. */
static inline void chi(uint64_t *row, uint64_t b0, uint64_t b1, uint64_t b2, uint64_t b3, uint64_t b4)
{
    row[0] = b0 ^ (~b1 & b2);
    row[1] = b1 ^ (~b2 & b3);
    row[2] = b2 ^ (~b3 & b4);
    row[3] = b3 ^ (~b4 & b0);
    row[4] = b4 ^ (~b0 & b1);
}

/* 3.2.2 and 3.2.3: the source of each lane of a row, and its rotation; then chi. */
static inline void rho_pi_chi(uint64_t to[25], const uint64_t a[25])
{
    chi(to + 0, a[0], rotate(a[6], 44), rotate(a[12], 43), rotate(a[18], 21), rotate(a[24], 14));
    chi(to + 5, rotate(a[3], 28), rotate(a[9], 20), rotate(a[10], 3), rotate(a[16], 45), rotate(a[22], 61));
    chi(to + 10, rotate(a[1], 1), rotate(a[7], 6), rotate(a[13], 25), rotate(a[19], 8), rotate(a[20], 18));
    chi(to + 15, rotate(a[4], 27), rotate(a[5], 36), rotate(a[11], 10), rotate(a[17], 15), rotate(a[23], 56));
    chi(to + 20, rotate(a[2], 62), rotate(a[8], 55), rotate(a[14], 39), rotate(a[15], 41), rotate(a[21], 2));
}

/* Algorithm 7, two rounds at a time. */
static void permute(uint64_t a[25])
{
    uint64_t b[25];
    for (int round = 0; round < 24; round += 2) {
        theta(a);
        rho_pi_chi(b, a);
        b[0] ^= cv_keccak_constants[round];
        theta(b);
        rho_pi_chi(a, b);
        a[0] ^= cv_keccak_constants[round + 1];
    }
    cv_wipe(b, sizeof b);
}

void cv_portable_keccak(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes)
{
    for (; blocks; blocks--, data += 8 * lanes) {
        for (size_t i = 0; i < lanes; i++)
            state[i] ^= cv_load_le64(data + 8 * i);
        permute(state);
    }
}

/* The compression function of SM3 (GB/T 32905-2016, 5.3). The including file defines P0 and P1 (4.4). */

static inline uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

/* 5.3.3: round t + i, with rotated variable names. `constant` is T(t + i) <<< (t + i). The four words after w[i] must
 * already be there. */
#define ROUND(FF, GG, a, b, c, d, e, f, g, h, i) \
    do { \
        uint32_t rotated = rotate(a, 12), ss1 = rotate(rotated + e + constant, 7); \
        d += FF(a, b, c) + (ss1 ^ rotated) + (w[i] ^ w[((i) + 4) & 15]); \
        h = P0(h + GG(e, f, g) + ss1 + w[i]); \
        b = rotate(b, 9); \
        f = rotate(f, 19); \
        constant = rotate(constant, 1); \
    } while (0)

#define FOUR_ROUNDS(FF, GG, i) \
    do { \
        ROUND(FF, GG, a, b, c, d, e, f, g, h, i); \
        ROUND(FF, GG, d, a, b, c, h, e, f, g, i + 1); \
        ROUND(FF, GG, c, d, a, b, g, h, e, f, i + 2); \
        ROUND(FF, GG, b, c, d, a, f, g, h, e, i + 3); \
    } while (0)

#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJORITY(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))
#define CHOICE(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))

/* A word of the schedule, which replaces the one sixteen before it. */
#define NEXT(i) \
    (w[i] = P1(w[i] ^ w[((i) + 7) & 15] ^ rotate(w[((i) + 13) & 15], 15)) ^ rotate(w[((i) + 3) & 15], 7) \
         ^ w[((i) + 10) & 15])

#define NEXT_FOUR(i) (NEXT(i), NEXT(i + 1), NEXT(i + 2), NEXT(i + 3))

static void rounds_of_blocks(uint32_t state[8], const uint8_t *data, size_t blocks)
{
    uint32_t w[16];
    for (; blocks; blocks--, data += sizeof w) {
        uint32_t constant = 0x79cc4519;
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        for (size_t i = 0; i < 16; i++)
            w[i] = cv_load_be32(data + 4 * i);
        FOUR_ROUNDS(PARITY, PARITY, 0);
        FOUR_ROUNDS(PARITY, PARITY, 4);
        FOUR_ROUNDS(PARITY, PARITY, 8);
        NEXT_FOUR(0);
        FOUR_ROUNDS(PARITY, PARITY, 12);
        constant = rotate(0x7a879d8a, 16);
        for (int t = 16; t < 64; t += 16) {
            NEXT_FOUR(4);
            FOUR_ROUNDS(MAJORITY, CHOICE, 0);
            NEXT_FOUR(8);
            FOUR_ROUNDS(MAJORITY, CHOICE, 4);
            NEXT_FOUR(12);
            FOUR_ROUNDS(MAJORITY, CHOICE, 8);
            NEXT_FOUR(0);
            FOUR_ROUNDS(MAJORITY, CHOICE, 12);
        }
        state[0] ^= a, state[1] ^= b, state[2] ^= c, state[3] ^= d;
        state[4] ^= e, state[5] ^= f, state[6] ^= g, state[7] ^= h;
    }
    cv_wipe(w, sizeof w);
}

/* The compression function of SHA-2 (FIPS 180-4, 6.2.2 and 6.4.2) for the word size that the including file defines:
 * WORD, ROUNDS, K, LOAD, and either the functions BIG_A, BIG_E (the upper-case sigmas of a and e), SMALL_FAR and
 * SMALL_NEAR (the lower-case ones of the words fifteen and two before), or BITS and the amounts of their rotations and
 * shifts. */

#ifndef BIG_A
# define BIG_A(x) sum(x, SUM_A)
# define BIG_E(x) sum(x, SUM_E)
# define SMALL_FAR(x) sigma(x, SIGMA_FAR)
# define SMALL_NEAR(x) sigma(x, SIGMA_NEAR)

static inline WORD rotate(WORD x, int n)
{
    return x >> n | x << (BITS - n);
}

static inline WORD sum(WORD x, int a, int b, int c)
{
    return rotate(x, a) ^ rotate(x, b) ^ rotate(x, c);
}

static inline WORD sigma(WORD x, int a, int b, int shift)
{
    return rotate(x, a) ^ rotate(x, b) ^ x >> shift;
}
#endif

/* Round t + i with rotated variable names, so that none is copied. */
#define ROUND(a, b, c, d, e, f, g, h, i) \
       do { \
           h += BIG_E(e) + (g ^ (e & (f ^ g))) + K[t + (i)] + w[i]; \
           d += h; \
           h += BIG_A(a) + ((a & b) | (c & (a | b))); \
       } while (0)

#define EIGHT_ROUNDS(i) \
       do { \
           ROUND(a, b, c, d, e, f, g, h, i); \
           ROUND(h, a, b, c, d, e, f, g, i + 1); \
           ROUND(g, h, a, b, c, d, e, f, i + 2); \
           ROUND(f, g, h, a, b, c, d, e, i + 3); \
           ROUND(e, f, g, h, a, b, c, d, i + 4); \
           ROUND(d, e, f, g, h, a, b, c, i + 5); \
           ROUND(c, d, e, f, g, h, a, b, i + 6); \
           ROUND(b, c, d, e, f, g, h, a, i + 7); \
       } while (0)

/* A word of the schedule, which replaces the one sixteen before it. */
#define NEXT(i) (w[i] += SMALL_NEAR(w[((i) + 14) & 15]) + w[((i) + 9) & 15] + SMALL_FAR(w[((i) + 1) & 15]))

#define NEXT_FOUR(i) (NEXT(i), NEXT(i + 1), NEXT(i + 2), NEXT(i + 3))

static void compress(WORD *state, const uint8_t *data, size_t blocks)
{
    WORD w[16];
    for (; blocks; blocks--, data += sizeof w) {
        WORD a = state[0], b = state[1], c = state[2], d = state[3];
        WORD e = state[4], f = state[5], g = state[6], h = state[7];
        for (int i = 0; i < 16; i++)
            w[i] = LOAD(data + sizeof(WORD) * (size_t)i);
        for (int t = 0; t < ROUNDS; t += 16) {
            if (t) {
                NEXT_FOUR(0);
                NEXT_FOUR(4);
                NEXT_FOUR(8);
                NEXT_FOUR(12);
            }
            EIGHT_ROUNDS(0);
            EIGHT_ROUNDS(8);
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
    cv_wipe(w, sizeof w);
}

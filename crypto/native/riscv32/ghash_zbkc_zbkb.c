/* GHASH by Zbkc and Zbkb on RV32 (NIST SP 800-38D).
 *
 * Bits of a block are numbered from the most significant bit of byte 0. Little-endian words whose bytes are reversed by
 * brev8 hold the coefficient of x^i at bit i. */
#include "insn.h"
#include "internal.h"

enum { WORDS = 4 };

/* x^128 = x^7 + x^2 + x + 1 */
#define FOLD UINT32_C(0x87)

static inline void load(uint32_t v[WORDS], const uint8_t *block)
{
    for (size_t i = 0; i < WORDS; i++)
        v[i] = cv_brev8(cv_load_le32(block + 4 * i));
}

/* p += a b, in two words. */
static inline void add_product(uint32_t *p, uint32_t a, uint32_t b)
{
    p[0] ^= cv_clmul(a, b);
    p[1] ^= cv_clmulh(a, b);
}

static inline void add_row(uint32_t *p, uint32_t a, const uint32_t b[WORDS])
{
    add_product(p, a, b[0]);
    add_product(p + 1, a, b[1]);
    add_product(p + 2, a, b[2]);
    add_product(p + 3, a, b[3]);
}

/* y = y h: a product of eight words, of which the upper four are folded, from the top downwards. */
static inline void times(uint32_t y[WORDS], const uint32_t h[WORDS])
{
    uint32_t p[2 * WORDS] = { 0 };
    add_row(p, y[0], h);
    add_row(p + 1, y[1], h);
    add_row(p + 2, y[2], h);
    add_row(p + 3, y[3], h);
    add_product(p + 3, p[7], FOLD);
    add_product(p + 2, p[6], FOLD);
    add_product(p + 1, p[5], FOLD);
    add_product(p, p[4], FOLD);
    y[0] = p[0], y[1] = p[1], y[2] = p[2], y[3] = p[3];
}

void cv_ghash_zbkc_zbkb_rv32(const cv_ghash_key *key, uint8_t *y, const uint8_t *in, size_t blocks)
{
    uint32_t h[WORDS], state[WORDS], block[WORDS];
    load(h, key->h);
    load(state, y);
    for (; blocks; blocks--, in += CV_BLOCK) {
        load(block, in);
        for (size_t i = 0; i < WORDS; i++)
            state[i] ^= block[i];
        times(state, h);
    }
    for (size_t i = 0; i < WORDS; i++)
        cv_store_le32(y + 4 * i, cv_brev8(state[i]));
    cv_wipe(h, sizeof h);
}

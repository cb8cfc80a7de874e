/* SHA-1 (FIPS 180-4, 6.1.2). Not for new designs: collisions are known. */
#include "hash.h"

/* 5.3.1 */
static const uint32_t initial[6] CV_INITIAL = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };

static inline uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

/* 4.1.1 and 4.2.1: the function of three words and the constant of round `t`. */
static inline uint32_t mix(int t, uint32_t b, uint32_t c, uint32_t d)
{
    if (t < 20)
        return (d ^ (b & (c ^ d))) + 0x5a827999;
    if (t < 40)
        return (b ^ c ^ d) + 0x6ed9eba1;
    if (t < 60)
        return ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
    return (b ^ c ^ d) + 0xca62c1d6;
}

void cv_portable_sha1(uint32_t state[5], const uint8_t *data, size_t blocks)
{
    uint32_t w[16], s[5];
    for (; blocks; blocks--, data += sizeof w) {
        for (size_t i = 0; i < 16; i++)
            w[i] = cv_load_be32(data + 4 * i);
        memcpy(s, state, sizeof s);
        for (int t = 0; t < 80; t++) {
            uint32_t *word = &w[t & 15], next;
            if (t >= 16)
                *word = rotate(*word ^ w[(t + 2) & 15] ^ w[(t + 8) & 15] ^ w[(t + 13) & 15], 1);
            next = rotate(s[0], 5) + mix(t, s[1], s[2], s[3]) + s[4] + *word;
            s[4] = s[3], s[3] = s[2], s[2] = rotate(s[1], 30), s[1] = s[0], s[0] = next;
        }
        for (int i = 0; i < 5; i++)
            state[i] += s[i];
    }
    cv_wipe(w, sizeof w);
    cv_wipe(s, sizeof s);
}

static void compress(cv_hash *h, const uint8_t *data, size_t blocks)
{
    cv_hash_kernels()->sha1(h->state.w32, data, blocks);
}

const cv_hash_kind cv_sha1 = { .size = 20,
                               .block = 64,
                               .words = 6,
                               .initial = (const cv_pair *)initial,
                               .compress = compress,
                               .finish = cv_finish_be32 };

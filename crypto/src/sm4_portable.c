/* SM4 (GB/T 32907-2016), in constant time. A round needs the S-box of one word of each block: the words of sixteen blocks
 * are 64 bytes, which are sliced together, and a few blocks are processed one by one. */
#include "bitslice.h"
#include "sbox.h"

#define BLOCKS 16

/* From this number on, blocks cost less when processed together. */
#define SLICE_THRESHOLD 4

static inline uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

/* The S-box of every byte of `word`. */
static uint32_t substitute_word(uint32_t word)
{
    uint64_t q[8];
    cv_slice_word(q, word);
    cv_sbox_sm4(q);
    return cv_unslice_word(q);
}

/* The same for all `words`. */
static void substitute(uint32_t words[BLOCKS])
{
    uint64_t q[8];
    CV_UNROLL_8
    for (int i = 0; i < 8; i++)
        q[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
    cv_transpose(q);
    cv_sbox_sm4(q);
    cv_transpose(q);
    CV_UNROLL_8
    for (int i = 0; i < 8; i++) {
        words[2 * i] = (uint32_t)q[i];
        words[2 * i + 1] = (uint32_t)(q[i] >> 32);
    }
}

/* X[r+4] = X[r] ^ L(tau(X[r+1] ^ X[r+2] ^ X[r+3] ^ rk[r])); x[r % 4] holds X[r]. */
static void rounds(uint32_t x[4][BLOCKS], const uint32_t *round_key)
{
    uint32_t t[BLOCKS];
    for (int r = 0; r < 32; r++) {
        for (int b = 0; b < BLOCKS; b++)
            t[b] = x[(r + 1) % 4][b] ^ x[(r + 2) % 4][b] ^ x[(r + 3) % 4][b] ^ round_key[r];
        substitute(t);
        for (int b = 0; b < BLOCKS; b++)
            x[r % 4][b] ^= t[b] ^ rotate(t[b], 2) ^ rotate(t[b], 10) ^ rotate(t[b], 18) ^ rotate(t[b], 24);
    }
    cv_wipe(t, sizeof t);
}

static void one_block(const uint32_t *round_key, uint8_t *out, const uint8_t *in)
{
    uint32_t a = cv_load_be32(in), b = cv_load_be32(in + 4), c = cv_load_be32(in + 8), d = cv_load_be32(in + 12);
    for (int r = 0; r < 32; r++) {
        uint32_t t = substitute_word(b ^ c ^ d ^ round_key[r]);
        t ^= a ^ rotate(t, 2) ^ rotate(t, 10) ^ rotate(t, 18) ^ rotate(t, 24);
        a = b, b = c, c = d, d = t;
    }
    cv_store_be32(out, d), cv_store_be32(out + 4, c), cv_store_be32(out + 8, b), cv_store_be32(out + 12, a);
}

static void ecb(const uint8_t *round_keys, uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint32_t x[4][BLOCKS], round_key[32];
    memcpy(round_key, round_keys, sizeof round_key);
    while (blocks >= SLICE_THRESHOLD) {
        size_t n = blocks < BLOCKS ? blocks : BLOCKS;
        memset(x, 0, sizeof x);
        for (size_t b = 0; b < n; b++)
            for (size_t i = 0; i < 4; i++)
                x[i][b] = cv_load_be32(in + CV_BLOCK * b + 4 * i);
        rounds(x, round_key);
        for (size_t b = 0; b < n; b++)
            for (size_t i = 0; i < 4; i++)
                cv_store_be32(out + CV_BLOCK * b + 4 * i, x[3 - i][b]);
        out += n * CV_BLOCK, in += n * CV_BLOCK, blocks -= n;
    }
    for (; blocks; blocks--, out += CV_BLOCK, in += CV_BLOCK)
        one_block(round_key, out, in);
    cv_wipe(x, sizeof x);
    cv_wipe(round_key, sizeof round_key);
}

static void ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(key->round_key[0], out, in, blocks);
}

static void ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(key->round_key[8], out, in, blocks);
}

/* FK of the standard, clause 7.3. */
static const uint32_t family_key[4] = { 0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc };

/* CK: byte j of CK[i] is (4 i + j) * 7 mod 256. */
static uint32_t constant_key(uint32_t i)
{
    uint32_t ck = 0;
    for (uint32_t j = 0; j < 4; j++)
        ck = ck << 8 | ((4 * i + j) * 7 & 255);
    return ck;
}

static void expand(cv_block_key *key, const uint8_t *bytes, unsigned bits)
{
    uint32_t k[4], words[2][32], t;
    (void)bits;
    for (size_t i = 0; i < 4; i++)
        k[i] = cv_load_be32(bytes + 4 * i) ^ family_key[i];
    for (uint32_t r = 0; r < 32; r++) {
        t = substitute_word(k[(r + 1) % 4] ^ k[(r + 2) % 4] ^ k[(r + 3) % 4] ^ constant_key(r));
        k[r % 4] ^= t ^ rotate(t, 13) ^ rotate(t, 23);
        words[0][r] = words[1][31 - r] = k[r % 4];
    }
    memcpy(key->round_key, words, sizeof words);
    cv_wipe(words, sizeof words);
    cv_wipe(k, sizeof k);
}

const struct cv_block_ops cv_portable_sm4 = {
    .expand = expand,
    .ecb_encrypt = ecb_encrypt,
    .ecb_decrypt = ecb_decrypt,
};

/* SM4 (GB/T 32907-2016), in constant time. Sixteen blocks at once: a round needs the S-box of one word of each block, and
 * those are the 64 bytes of a slice. */
#include "bitslice.h"
#include "sbox.h"

#define BLOCKS 16

static inline uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

/* The S-box of every byte of `words`. */
static void substitute(uint32_t words[BLOCKS])
{
    uint64_t q[8];
    for (int i = 0; i < 8; i++)
        q[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
    cv_transpose(q);
    cv_sbox_sm4(q);
    cv_transpose(q);
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

static void ecb(const uint8_t *round_keys, uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint32_t x[4][BLOCKS], round_key[32];
    memcpy(round_key, round_keys, sizeof round_key);
    while (blocks) {
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
    uint32_t k[4], words[2][32], t[BLOCKS] = { 0 };
    (void)bits;
    for (size_t i = 0; i < 4; i++)
        k[i] = cv_load_be32(bytes + 4 * i) ^ family_key[i];
    for (uint32_t r = 0; r < 32; r++) {
        t[0] = k[(r + 1) % 4] ^ k[(r + 2) % 4] ^ k[(r + 3) % 4] ^ constant_key(r);
        substitute(t);
        k[r % 4] ^= t[0] ^ rotate(t[0], 13) ^ rotate(t[0], 23);
        words[0][r] = words[1][31 - r] = k[r % 4];
    }
    memcpy(key->round_key, words, sizeof words);
    cv_wipe(words, sizeof words);
    cv_wipe(k, sizeof k);
    cv_wipe(t, sizeof t);
}

const struct cv_block_ops cv_portable_sm4 = {
    .expand = expand,
    .ecb_encrypt = ecb_encrypt,
    .ecb_decrypt = ecb_decrypt,
};

/* AES by Zkne and Zknd, with aligned memory: four blocks at a time where they do not depend on each other. */
#include "scalar_chain.h"

#define AT_ONCE 4

/* aes_zkn.S */
void cv_aes_zkn_encrypt4(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_aes_zkn_decrypt4(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_aes_zkn_encrypt1(const cv_block_key *key, uint8_t *out, const uint8_t *in);
void cv_aes_zkn_decrypt1(const cv_block_key *key, uint8_t *out, const uint8_t *in);
void cv_aes_zkn_expand(cv_block_key *key, const uint8_t *bytes, unsigned bits);

void cv_aes_zkn_key(cv_block_key *key, const uint8_t *bytes, unsigned bits)
{
    uint64_t copy[4];
    memcpy(copy, bytes, bits / 8);
    cv_aes_zkn_expand(key, (const uint8_t *)copy, bits);
    cv_wipe(copy, sizeof copy);
}

struct crypt {
    void (*four)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
    void (*one)(const cv_block_key *key, uint8_t *out, const uint8_t *in);
};

static void ecb(const struct crypt *crypt, const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint64_t text[AT_ONCE * CV_BLOCK / 8] = { 0 };
    int aligned = (((uintptr_t)in | (uintptr_t)out) & 7) == 0;
    size_t fours = blocks - blocks % AT_ONCE;
    if (aligned && fours) {
        crypt->four(key, out, in, fours);
        out += fours * CV_BLOCK, in += fours * CV_BLOCK, blocks -= fours;
    }
    for (; aligned && blocks; blocks--, out += CV_BLOCK, in += CV_BLOCK)
        crypt->one(key, out, in);
    while (blocks) {
        size_t n = blocks < AT_ONCE ? blocks : AT_ONCE;
        memcpy(text, in, n * CV_BLOCK);
        crypt->four(key, (uint8_t *)text, (const uint8_t *)text, AT_ONCE);
        memcpy(out, text, n * CV_BLOCK);
        out += n * CV_BLOCK, in += n * CV_BLOCK, blocks -= n;
    }
}

void cv_aes_zkn_ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    static const struct crypt encrypt = { cv_aes_zkn_encrypt4, cv_aes_zkn_encrypt1 };
    ecb(&encrypt, key, out, in, blocks);
}

void cv_aes_zkn_ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    static const struct crypt decrypt = { cv_aes_zkn_decrypt4, cv_aes_zkn_decrypt1 };
    ecb(&decrypt, key, out, in, blocks);
}

void cv_aes_zkn_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
{
    cv_chain_cbc(cv_aes_zkn_encrypt1, key, out, in, blocks, iv);
}

void cv_aes_zkn_cfb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
{
    cv_chain_cfb(cv_aes_zkn_encrypt1, key, out, in, blocks, iv);
}

void cv_aes_zkn_mac(const cv_block_key *key, uint8_t *mac, const uint8_t *in, size_t blocks)
{
    cv_chain_mac(cv_aes_zkn_encrypt1, key, mac, in, blocks);
}

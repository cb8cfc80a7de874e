/* SM4 by Zksed and Zbkb, with aligned memory. */
#include "scalar_chain.h"

/* sm4_zksed_zbkb.S */
void cv_sm4_zksed_zbkb_encrypt_aligned(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_sm4_zksed_zbkb_decrypt_aligned(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_sm4_zksed_zbkb_expand_aligned(cv_block_key *key, const uint8_t *bytes);

void cv_sm4_zksed_zbkb_expand(cv_block_key *key, const uint8_t *bytes, unsigned bits)
{
    uint32_t copy[4];
    (void)bits;
    memcpy(copy, bytes, sizeof copy);
    cv_sm4_zksed_zbkb_expand_aligned(key, (const uint8_t *)copy);
    cv_wipe(copy, sizeof copy);
}

static inline void ecb(void (*crypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks),
                       const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint64_t text[CV_BLOCK / 8];
    if ((((uintptr_t)in | (uintptr_t)out) & 3) == 0) {
        crypt(key, out, in, blocks);
        return;
    }
    for (; blocks; blocks--, out += CV_BLOCK, in += CV_BLOCK) {
        memcpy(text, in, CV_BLOCK);
        crypt(key, (uint8_t *)text, (const uint8_t *)text, 1);
        memcpy(out, text, CV_BLOCK);
    }
    cv_wipe(text, sizeof text);
}

void cv_sm4_zksed_zbkb_ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(cv_sm4_zksed_zbkb_encrypt_aligned, key, out, in, blocks);
}

void cv_sm4_zksed_zbkb_ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(cv_sm4_zksed_zbkb_decrypt_aligned, key, out, in, blocks);
}

static void encrypt_one(const cv_block_key *key, uint8_t *out, const uint8_t *in)
{
    cv_sm4_zksed_zbkb_encrypt_aligned(key, out, in, 1);
}

void cv_sm4_zksed_zbkb_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                                   const uint8_t *iv)
{
    cv_chain_cbc(encrypt_one, key, out, in, blocks, iv);
}

void cv_sm4_zksed_zbkb_cfb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                                   const uint8_t *iv)
{
    cv_chain_cfb(encrypt_one, key, out, in, blocks, iv);
}

void cv_sm4_zksed_zbkb_mac(const cv_block_key *key, uint8_t *mac, const uint8_t *in, size_t blocks)
{
    cv_chain_mac(encrypt_one, key, mac, in, blocks);
}

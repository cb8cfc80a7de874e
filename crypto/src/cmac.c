/* CMAC (NIST SP 800-38B). */
#include "internal.h"

/* Twice a block, as a polynomial whose highest coefficient is the top of byte 0, modulo x^128 + x^7 + x^2 + x + 1. */
static void twice(uint8_t block[CV_BLOCK])
{
    uint8_t carry = block[0] >> 7;
    for (int i = 0; i < CV_BLOCK - 1; i++)
        block[i] = (uint8_t)(block[i] << 1 | block[i + 1] >> 7);
    block[CV_BLOCK - 1] = (uint8_t)(block[CV_BLOCK - 1] << 1 ^ ((0 - carry) & 0x87));
}

void cv_cmac_init(cv_cmac *cmac, const cv_block_key *key)
{
    cmac->key = key;
    cmac->held = 0;
    memset(cmac->mac, 0, CV_BLOCK);
}

void cv_cmac_update(cv_cmac *cmac, const uint8_t *in, size_t len)
{
    size_t blocks;
    /* The last block waits: it is treated in another way. */
    if (cmac->held && len) {
        size_t n = CV_BLOCK - cmac->held < len ? CV_BLOCK - cmac->held : len;
        cv_copy(cmac->last + cmac->held, in, n);
        cmac->held += (uint32_t)n;
        in += n, len -= n;
        if (len == 0)
            return;
        cmac->key->ops->mac(cmac->key, cmac->mac, cmac->last, 1);
        cmac->held = 0;
    }
    if (len == 0)
        return;
    blocks = (len - 1) / CV_BLOCK;
    if (blocks)
        cmac->key->ops->mac(cmac->key, cmac->mac, in, blocks);
    cmac->held = (uint32_t)(len - blocks * CV_BLOCK);
    cv_copy(cmac->last, in + blocks * CV_BLOCK, cmac->held);
}

int cv_cmac_final(cv_cmac *cmac, uint8_t *mac, size_t len)
{
    uint8_t subkey[CV_BLOCK] = { 0 };
    if (len == 0 || len > CV_BLOCK)
        return CV_ERR_LENGTH;
    cmac->key->ops->ecb_encrypt(cmac->key, subkey, subkey, 1);
    twice(subkey);
    if (cmac->held < CV_BLOCK) {
        twice(subkey);
        memset(cmac->last + cmac->held, 0, CV_BLOCK - cmac->held);
        cmac->last[cmac->held] = 0x80;
    }
    cv_xor(cmac->last, cmac->last, subkey, CV_BLOCK);
    cmac->key->ops->mac(cmac->key, cmac->mac, cmac->last, 1);
    memcpy(mac, cmac->mac, len);
    cv_wipe(subkey, sizeof subkey);
    cv_cmac_init(cmac, cmac->key);
    return CV_OK;
}

/* CMAC (NIST SP 800-38B). */
#include "gf128_double.h"

void cv_cmac_init(cv_cmac *cmac, const cv_block_key *key)
{
    cmac->key = key;
    cmac->held = 0;
    memset(cmac->mac, 0, CV_BLOCK);
}

void cv_cmac_update(cv_cmac *cmac, const uint8_t *in, size_t len)
{
    size_t blocks;
    /* The last block is held back, since it is processed differently. */
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
    uint8_t subkey[CV_BLOCK] __attribute__((aligned(16))) = { 0 };
    struct cv_words key;
    if (len == 0 || len > CV_BLOCK)
        return CV_ERR_LENGTH;
    cmac->key->ops->ecb_encrypt(cmac->key, subkey, subkey, 1);
    key = cv_twice(cv_load_words(subkey));
    if (cmac->held < CV_BLOCK) {
        key = cv_twice(key);
        memset(cmac->last + cmac->held, 0, CV_BLOCK - cmac->held);
        cmac->last[cmac->held] = 0x80;
    }
    cv_store_words(subkey, key);
    cv_xor(cmac->last, cmac->last, subkey, CV_BLOCK);
    cmac->key->ops->mac(cmac->key, cmac->mac, cmac->last, 1);
    cv_copy(mac, cmac->mac, len);
    cv_wipe_block(subkey);
    cv_cmac_init(cmac, cmac->key);
    return CV_OK;
}

/* Cipher block chaining. */
#include "internal.h"

void cv_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t iv[CV_BLOCK])
{
    uint8_t chain[CV_BLOCK] __attribute__((aligned(16)));
    if (blocks == 0)
        return;
    memcpy(chain, iv, CV_BLOCK);
    key->ops->cbc_encrypt(key, out, in, blocks, chain);
    memcpy(iv, out + (blocks - 1) * CV_BLOCK, CV_BLOCK);
}

void cv_cbc_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t iv[CV_BLOCK])
{
    uint8_t chain[CV_BLOCK] __attribute__((aligned(16)));
    if (blocks == 0)
        return;
    memcpy(chain, iv, CV_BLOCK);
    /* Before output overwrites it. */
    memcpy(iv, in + (blocks - 1) * CV_BLOCK, CV_BLOCK);
    key->ops->cbc_decrypt(key, out, in, blocks, chain);
}

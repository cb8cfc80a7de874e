/* Electronic codebook. */
#include "internal.h"

void cv_ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    if (blocks)
        key->ops->ecb_encrypt(key, out, in, blocks);
}

void cv_ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    if (blocks)
        key->ops->ecb_decrypt(key, out, in, blocks);
}

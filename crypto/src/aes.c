/* AES: keys. */
#include "internal.h"

int cv_aes_init(cv_block_key *key, const uint8_t *bytes, size_t len)
{
    if (len != 16 && len != 24 && len != 32)
        return CV_ERR_LENGTH;
    key->ops = &cv_kernels_in_use()->aes;
    key->bits = (uint32_t)(8 * len);
    key->rounds = (uint32_t)(6 + len / 4);
    key->ops->expand(key, bytes, key->bits);
    return CV_OK;
}

/* SM4: keys. */
#include "internal.h"

void cv_sm4_init(cv_block_key *key, const uint8_t bytes[16])
{
    key->ops = &cv_kernels_in_use()->sm4;
    key->bits = 128;
    key->rounds = 32;
    key->ops->expand(key, bytes, 128);
}

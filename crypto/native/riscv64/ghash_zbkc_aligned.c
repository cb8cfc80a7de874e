/* GHASH by Zbkc, with aligned memory. */
#include "internal.h"

/* ghash_zbkc_zbkb.S */
void cv_ghash_zbkc_zbkb_aligned(const cv_ghash_key *key, uint8_t *y, const uint8_t *in, size_t blocks);

void cv_ghash_zbkc_zbkb(const cv_ghash_key *key, uint8_t *y, const uint8_t *in, size_t blocks)
{
    uint64_t block[CV_BLOCK / 8], state[CV_BLOCK / 8];
    memcpy(state, y, CV_BLOCK);
    if (((uintptr_t)in & 7) == 0)
        cv_ghash_zbkc_zbkb_aligned(key, (uint8_t *)state, in, blocks);
    else
        for (; blocks; blocks--, in += CV_BLOCK) {
            memcpy(block, in, CV_BLOCK);
            cv_ghash_zbkc_zbkb_aligned(key, (uint8_t *)state, (const uint8_t *)block, 1);
        }
    memcpy(y, state, CV_BLOCK);
}

/* Counter mode. */
#include "internal.h"

/* Blocks of key stream made at once: enough for any kernel to work in parallel. */
#define BATCH 32

void cv_generic_ctr32(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv,
                      uint32_t counter)
{
    uint8_t stream[BATCH][CV_BLOCK];
    while (blocks) {
        size_t n = blocks < BATCH ? blocks : BATCH;
        for (size_t i = 0; i < n; i++) {
            memcpy(stream[i], iv, 12);
            cv_store_be32(stream[i] + 12, counter++);
        }
        key->ops->ecb_encrypt(key, stream[0], stream[0], n);
        cv_xor(out, in, stream[0], n * CV_BLOCK);
        out += n * CV_BLOCK, in += n * CV_BLOCK, blocks -= n;
    }
    cv_wipe(stream, sizeof stream);
}

void cv_ctr_init(cv_ctr *ctr, const cv_block_key *key, const uint8_t iv[CV_BLOCK])
{
    ctr->key = key;
    memcpy(ctr->counter, iv, CV_BLOCK);
    ctr->used = 0;
}

/* Adds to the counter: `n` reaches the end of its last 32 bits at most. */
static void advance(uint8_t counter[CV_BLOCK], uint64_t n)
{
    uint64_t low = cv_load_be32(counter + 12) + n;
    cv_store_be32(counter + 12, (uint32_t)low);
    for (int i = 11; i >= 0 && low >> 32; i--)
        low = ++counter[i] == 0 ? low : 0;
}

/* Whole blocks, in parts within which only the last 32 bits of the counter change. */
static void whole(cv_ctr *ctr, uint8_t *out, const uint8_t *in, size_t blocks)
{
    while (blocks) {
        uint32_t low = cv_load_be32(ctr->counter + 12);
        uint64_t room = (UINT64_C(1) << 32) - low;
        size_t n = blocks < room ? blocks : (size_t)room;
        ctr->key->ops->ctr32(ctr->key, out, in, n, ctr->counter, low);
        advance(ctr->counter, n);
        out += n * CV_BLOCK, in += n * CV_BLOCK, blocks -= n;
    }
}

void cv_ctr_update(cv_ctr *ctr, uint8_t *out, const uint8_t *in, size_t len)
{
    size_t blocks;
    while (len && ctr->used) {
        *out++ = *in++ ^ ctr->stream[ctr->used];
        ctr->used = (ctr->used + 1) % CV_BLOCK;
        len--;
    }
    blocks = len / CV_BLOCK;
    whole(ctr, out, in, blocks);
    out += blocks * CV_BLOCK, in += blocks * CV_BLOCK, len %= CV_BLOCK;
    if (len) {
        memset(ctr->stream, 0, CV_BLOCK);
        whole(ctr, ctr->stream, ctr->stream, 1);
        cv_xor(out, in, ctr->stream, len);
        ctr->used = (uint32_t)len;
    }
}

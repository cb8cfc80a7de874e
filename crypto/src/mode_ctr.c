/* Counter mode. */
#include "internal.h"

void cv_stream_init(cv_stream *s, const cv_block_key *key, const uint8_t iv[CV_BLOCK])
{
    s->key = key;
    memcpy(s->chain, iv, CV_BLOCK);
    s->used = 0;
}

/* Adds n; the last 32 bits reach at most 2^32, where they wrap to 0. */
static void advance(uint8_t counter[CV_BLOCK], uint64_t n)
{
    uint64_t low = cv_load_be32(counter + 12) + n;
    cv_store_be32(counter + 12, (uint32_t)low);
    for (int i = 11; i >= 0 && low >> 32; i--)
        low = ++counter[i] == 0 ? low : 0;
}

/* Whole blocks, in parts within which only the last 32 bits of the counter change. */
static void whole(cv_stream *s, uint8_t *out, const uint8_t *in, size_t blocks)
{
    while (blocks) {
        uint32_t low = cv_load_be32(s->chain + 12);
        uint64_t room = (UINT64_C(1) << 32) - low;
        size_t n = blocks < room ? blocks : (size_t)room;
        s->key->ops->ctr32(s->key, out, in, n, s->chain, low);
        advance(s->chain, n);
        out += n * CV_BLOCK, in += n * CV_BLOCK, blocks -= n;
    }
}

void cv_ctr(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len)
{
    size_t blocks;
    if (len == 0)
        return;
    for (; len && s->used; len--) {
        *out++ = *in++ ^ s->stream[s->used];
        s->used = (s->used + 1) % CV_BLOCK;
    }
    blocks = len / CV_BLOCK;
    whole(s, out, in, blocks);
    out += blocks * CV_BLOCK, in += blocks * CV_BLOCK, len %= CV_BLOCK;
    if (len) {
        memset(s->stream, 0, CV_BLOCK);
        whole(s, s->stream, s->stream, 1);
        cv_xor(out, in, s->stream, len);
        s->used = (uint32_t)len;
    }
}

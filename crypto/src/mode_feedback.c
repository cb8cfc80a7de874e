/* Cipher feedback and output feedback. */
#include "internal.h"

/* Bytes of an unfinished block: `chain` receives the ciphertext, byte by byte, while `stream` is E of the previous
 * chain. */
static size_t begun(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len, int encrypt)
{
    size_t done = 0;
    for (; done < len && s->used; done++) {
        uint8_t from = in[done], to = from ^ s->stream[s->used];
        s->chain[s->used] = encrypt ? to : from;
        out[done] = to;
        s->used = (s->used + 1) % CV_BLOCK;
    }
    return done;
}

static void cfb(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len, int encrypt)
{
    uint8_t chain[CV_BLOCK] __attribute__((aligned(16)));
    size_t done = begun(s, out, in, len, encrypt), blocks = (len - done) / CV_BLOCK, end = done + blocks * CV_BLOCK;
    if (blocks) {
        memcpy(chain, s->chain, CV_BLOCK);
        if (!encrypt)
            memcpy(s->chain, in + end - CV_BLOCK, CV_BLOCK);
        (encrypt ? s->key->ops->cfb_encrypt : s->key->ops->cfb_decrypt)(s->key, out + done, in + done, blocks, chain);
        if (encrypt)
            memcpy(s->chain, out + end - CV_BLOCK, CV_BLOCK);
    }
    if (end < len) {
        s->key->ops->ecb_encrypt(s->key, s->stream, s->chain, 1);
        uint8_t from = in[end], to = from ^ s->stream[0];
        s->chain[0] = encrypt ? to : from;
        out[end++] = to;
        s->used = 1;
        begun(s, out + end, in + end, len - end, encrypt);
    }
}

void cv_cfb_encrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len)
{
    cfb(s, out, in, len, 1);
}

void cv_cfb_decrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len)
{
    cfb(s, out, in, len, 0);
}

static void cfb8(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len, int encrypt)
{
    for (size_t i = 0; i < len; i++) {
        s->key->ops->ecb_encrypt(s->key, s->stream, s->chain, 1);
        uint8_t from = in[i], to = from ^ s->stream[0];
        memmove(s->chain, s->chain + 1, CV_BLOCK - 1);
        s->chain[CV_BLOCK - 1] = encrypt ? to : from;
        out[i] = to;
    }
}

void cv_cfb8_encrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len)
{
    cfb8(s, out, in, len, 1);
}

void cv_cfb8_decrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len)
{
    cfb8(s, out, in, len, 0);
}

static void cfb1(cv_stream *s, uint8_t *out, const uint8_t *in, size_t bits, int encrypt)
{
    for (size_t i = 0; i < bits; i++) {
        unsigned at = 7 - i % 8, from = in[i / 8] >> at & 1;
        s->key->ops->ecb_encrypt(s->key, s->stream, s->chain, 1);
        unsigned to = from ^ s->stream[0] >> 7, next = encrypt ? to : from;
        for (size_t b = 0; b < CV_BLOCK; b++) {
            unsigned low = b + 1 < CV_BLOCK ? s->chain[b + 1] >> 7 : next;
            s->chain[b] = (uint8_t)(s->chain[b] << 1 | low);
        }
        out[i / 8] = (uint8_t)((out[i / 8] & ~(1u << at)) | to << at);
    }
}

void cv_cfb1_encrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t bits)
{
    cfb1(s, out, in, bits, 1);
}

void cv_cfb1_decrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t bits)
{
    cfb1(s, out, in, bits, 0);
}

/* OFB's key stream is the CBC encryption of zeros, so CBC's kernel computes it, in batches. */
#define BATCH 32

void cv_ofb(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len)
{
    uint8_t stream[BATCH * CV_BLOCK] __attribute__((aligned(16)));
    for (; len && s->used; len--) {
        *out++ = *in++ ^ s->chain[s->used];
        s->used = (s->used + 1) % CV_BLOCK;
    }
    while (len) {
        size_t n = len < sizeof stream ? len : sizeof stream, blocks = (n + CV_BLOCK - 1) / CV_BLOCK;
        memset(stream, 0, blocks * CV_BLOCK);
        s->key->ops->cbc_encrypt(s->key, stream, stream, blocks, s->chain);
        memcpy(s->chain, stream + (blocks - 1) * CV_BLOCK, CV_BLOCK);
        cv_xor(out, in, stream, n);
        s->used = n % CV_BLOCK;
        out += n, in += n, len -= n;
    }
    cv_wipe(stream, sizeof stream);
}

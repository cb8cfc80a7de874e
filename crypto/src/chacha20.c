/* ChaCha20 (RFC 8439, 2.3 and 2.4). */
#include "chacha.h"

static inline uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

#define QUARTER(a, b, c, d) \
    do { \
        a += b, d = rotate(d ^ a, 16); \
        c += d, b = rotate(b ^ c, 12); \
        a += b, d = rotate(d ^ a, 8); \
        c += d, b = rotate(b ^ c, 7); \
    } while (0)

/* 2.3: a block of the stream, in words. */
static void block(uint32_t x[16], const uint32_t state[16], uint32_t counter)
{
    memcpy(x, state, 16 * sizeof *x);
    x[12] = counter;
    for (int i = 0; i < 10; i++) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; i++)
        x[i] += i == 12 ? counter : state[i];
}

void cv_portable_chacha20(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t state[16])
{
    uint32_t x[16], counter = state[12];
    for (; blocks; blocks--, in += 64, out += 64) {
        block(x, state, counter++);
        for (size_t i = 0; i < 16; i++)
            cv_store_le32(out + 4 * i, cv_load_le32(in + 4 * i) ^ x[i]);
    }
    cv_wipe(x, sizeof x);
}

void cv_chacha20_init(cv_chacha20 *c, const uint8_t key[32], const uint8_t nonce[12], uint32_t counter)
{
    /* "expand 32-byte k" */
    static const uint32_t constants[4] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 };
    memcpy(c->state, constants, sizeof constants);
    for (size_t i = 0; i < 8; i++)
        c->state[4 + i] = cv_load_le32(key + 4 * i);
    c->state[12] = counter;
    for (size_t i = 0; i < 3; i++)
        c->state[13 + i] = cv_load_le32(nonce + 4 * i);
    c->used = 0;
}

/* In parts within which the counter does not wrap. */
static void crypt_blocks(cv_chacha20 *c, uint8_t *out, const uint8_t *in, size_t blocks)
{
    while (blocks) {
        uint64_t room = (UINT64_C(1) << 32) - c->state[12];
        size_t n = blocks < room ? blocks : (size_t)room;
        cv_chacha_kernels(CV_CHACHA20, n)->chacha20(out, in, n, c->state);
        c->state[12] += (uint32_t)n;
        /* The 32-bit counter carries into the nonce's first word, as capvec.h says; RFC 8439 has no carry. */
        c->state[13] += n == room;
        out += 64 * n, in += 64 * n, blocks -= n;
    }
}

void cv_chacha20_update(cv_chacha20 *c, uint8_t *out, const uint8_t *in, size_t len)
{
    size_t blocks;
    if (len == 0)
        return;
    while (len && c->used) {
        *out++ = *in++ ^ c->stream[c->used];
        c->used = (c->used + 1) % 64;
        len--;
    }
    blocks = len / 64;
    crypt_blocks(c, out, in, blocks);
    out += 64 * blocks, in += 64 * blocks, len %= 64;
    if (len) {
        memset(c->stream, 0, sizeof c->stream);
        crypt_blocks(c, c->stream, c->stream, 1);
        cv_xor(out, in, c->stream, len);
        c->used = (uint32_t)len;
    }
}

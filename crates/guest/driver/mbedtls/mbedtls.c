/* Mbed TLS: AES, GCM and ChaCha20 by their own functions, hashes by the layer md. It has no algorithm of ShangMi. */
#include "packaged.h"
#include <mbedtls/aes.h>
#include <mbedtls/chacha20.h>
#include <mbedtls/gcm.h>
#include <mbedtls/md.h>
#include <mbedtls/version.h>
#include <stdlib.h>
#include <string.h>

#define MODE(name, bytes, iv, mode, unit) { name, bytes, iv, EVP_CIPH_##mode, unit, NULL }
#define BLOCK(name, bytes) \
    MODE(name "-ECB", bytes, 0, ECB_MODE, 16), MODE(name "-CBC", bytes, 16, CBC_MODE, 16), \
        MODE(name "-CTR", bytes, 16, CTR_MODE, 1), MODE(name "-GCM", bytes, 12, GCM_MODE, 1)
#define XTS(name, bytes) MODE(name "-XTS", bytes, 16, XTS_MODE, 0)

const EVP_CIPHER library_ciphers[] = {
    BLOCK("AES-128", 16),
    BLOCK("AES-192", 24),
    BLOCK("AES-256", 32),
    XTS("AES-128", 32),
    XTS("AES-256", 64),
    MODE("ChaCha20", 32, 16, STREAM_CIPHER, 1),
    { 0 },
};

const EVP_MD library_hashes[] = {
    FIPS_HASHES(mbedtls_md_type_t, MBEDTLS_MD_),
    { 0 },
};

/* The context of a cipher; its mode says which. */
union state {
    struct {
        mbedtls_aes_context aes;
        /* Of CTR: the last block of the key stream, and how many of its bytes are used. */
        unsigned char stream[16];
        size_t used;
    } block;
    mbedtls_aes_xts_context xts;
    mbedtls_gcm_context gcm;
    mbedtls_chacha20_context chacha;
};

int library_begin(void)
{
    return 1;
}

const char *library_version(void)
{
    static char text[18];
    mbedtls_version_get_string_full(text);
    return text;
}

size_t library_cipher_size(const EVP_CIPHER *cipher)
{
    (void)cipher;
    return sizeof(union state);
}

void library_close(EVP_CIPHER_CTX *ctx)
{
    union state *state = ctx->state;
    switch (ctx->cipher->mode) {
    case EVP_CIPH_GCM_MODE:
        mbedtls_gcm_free(&state->gcm);
        break;
    case EVP_CIPH_XTS_MODE:
        mbedtls_aes_xts_free(&state->xts);
        break;
    case EVP_CIPH_STREAM_CIPHER:
        mbedtls_chacha20_free(&state->chacha);
        break;
    default:
        mbedtls_aes_free(&state->block.aes);
    }
}

int library_key(EVP_CIPHER_CTX *ctx, const unsigned char *key)
{
    union state *state = ctx->state;
    unsigned bits = (unsigned)ctx->cipher->key_len * 8;
    library_close(ctx);
    switch (ctx->cipher->mode) {
    case EVP_CIPH_GCM_MODE:
        mbedtls_gcm_init(&state->gcm);
        return mbedtls_gcm_setkey(&state->gcm, MBEDTLS_CIPHER_ID_AES, key, bits) == 0;
    case EVP_CIPH_XTS_MODE:
        mbedtls_aes_xts_init(&state->xts);
        return (ctx->encrypt ? mbedtls_aes_xts_setkey_enc : mbedtls_aes_xts_setkey_dec)(&state->xts, key, bits) == 0;
    case EVP_CIPH_STREAM_CIPHER:
        mbedtls_chacha20_init(&state->chacha);
        return mbedtls_chacha20_setkey(&state->chacha, key) == 0;
    default:
        mbedtls_aes_init(&state->block.aes);
        break;
    }
    int forward = ctx->encrypt || ctx->cipher->mode == EVP_CIPH_CTR_MODE;
    return (forward ? mbedtls_aes_setkey_enc : mbedtls_aes_setkey_dec)(&state->block.aes, key, bits) == 0;
}

int library_iv(EVP_CIPHER_CTX *ctx)
{
    union state *state = ctx->state;
    switch (ctx->cipher->mode) {
    case EVP_CIPH_GCM_MODE:
        return mbedtls_gcm_starts(&state->gcm, ctx->encrypt ? MBEDTLS_GCM_ENCRYPT : MBEDTLS_GCM_DECRYPT, ctx->iv,
                                  ctx->iv_len)
            == 0;
    case EVP_CIPH_STREAM_CIPHER:
        return mbedtls_chacha20_starts(&state->chacha, ctx->iv + 4, chacha20_first_block(ctx->iv)) == 0;
    case EVP_CIPH_CTR_MODE:
        state->block.used = 0;
        return 1;
    default:
        return 1;
    }
}

/* The library has no call for several blocks. */
static int ecb(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    union state *state = ctx->state;
    int direction = ctx->encrypt ? MBEDTLS_AES_ENCRYPT : MBEDTLS_AES_DECRYPT;
    for (size_t i = 0; i < len; i += 16)
        if (mbedtls_aes_crypt_ecb(&state->block.aes, direction, in + i, out + i))
            return 0;
    return 1;
}

/* In place, the library overwrites the end of a message that is not whole blocks before it has read it: such a message is copied. */
static int xts(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    union state *state = ctx->state;
    int direction = ctx->encrypt ? MBEDTLS_AES_ENCRYPT : MBEDTLS_AES_DECRYPT;
    unsigned char *copy = NULL;
    if (in == out && len % 16) {
        copy = malloc(len);
        if (copy == NULL)
            return 0;
        in = memcpy(copy, in, len);
    }
    int failed = mbedtls_aes_crypt_xts(&state->xts, direction, len, ctx->iv, in, out);
    free(copy);
    return !failed;
}

/* The modes of AES without authentication keep their IV in the context of EVP. */
int library_crypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len, int last)
{
    union state *state = ctx->state;
    int direction = ctx->encrypt ? MBEDTLS_AES_ENCRYPT : MBEDTLS_AES_DECRYPT;
    size_t written;
    (void)last;
    switch (ctx->cipher->mode) {
    case EVP_CIPH_GCM_MODE:
        return mbedtls_gcm_update(&state->gcm, in, len, out, len, &written) == 0 && written == len;
    case EVP_CIPH_STREAM_CIPHER:
        return mbedtls_chacha20_update(&state->chacha, len, in, out) == 0;
    case EVP_CIPH_CTR_MODE:
        return mbedtls_aes_crypt_ctr(&state->block.aes, len, &state->block.used, ctx->iv, state->block.stream, in, out)
            == 0;
    case EVP_CIPH_CBC_MODE:
        return mbedtls_aes_crypt_cbc(&state->block.aes, direction, len, ctx->iv, in, out) == 0;
    case EVP_CIPH_XTS_MODE:
        return xts(ctx, out, in, len);
    default:
        return ecb(ctx, out, in, len);
    }
}

int library_authenticate(EVP_CIPHER_CTX *ctx, const unsigned char *in, size_t len)
{
    union state *state = ctx->state;
    return mbedtls_gcm_update_ad(&state->gcm, in, len) == 0;
}

int library_tag(EVP_CIPHER_CTX *ctx, unsigned char tag[LONGEST_TAG])
{
    union state *state = ctx->state;
    size_t written;
    return mbedtls_gcm_finish(&state->gcm, NULL, 0, &written, tag, LONGEST_TAG) == 0;
}

static const mbedtls_md_info_t *info(const EVP_MD *md)
{
    return mbedtls_md_info_from_type(*(const mbedtls_md_type_t *)md->own);
}

size_t library_hash_size(const EVP_MD *md)
{
    (void)md;
    return sizeof(mbedtls_md_context_t);
}

int library_hash_begin(EVP_MD_CTX *ctx)
{
    mbedtls_md_init(ctx->state);
    return mbedtls_md_setup(ctx->state, info(ctx->md), 0) == 0 && mbedtls_md_starts(ctx->state) == 0;
}

void library_hash_update(EVP_MD_CTX *ctx, const void *data, size_t len)
{
    mbedtls_md_update(ctx->state, data, len);
}

void library_hash_end(EVP_MD_CTX *ctx, unsigned char *out)
{
    mbedtls_md_finish(ctx->state, out);
}

int library_hash_copy(EVP_MD_CTX *out, const EVP_MD_CTX *in)
{
    mbedtls_md_init(out->state);
    return mbedtls_md_setup(out->state, info(in->md), 0) == 0 && mbedtls_md_clone(out->state, in->state) == 0;
}

void library_hash_close(EVP_MD_CTX *ctx)
{
    mbedtls_md_free(ctx->state);
}

int library_hash(const EVP_MD *md, unsigned char *out, const void *data, size_t len)
{
    return mbedtls_md(info(md), data, len, out) == 0;
}

#include "no_ccm.h"
#include "no_shake.h"

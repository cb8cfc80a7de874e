/* AES for Mbed TLS, implemented with libcapvec. */
#include "mbedtls/aes.h"
#include <string.h>

void mbedtls_aes_init(mbedtls_aes_context *ctx)
{
    memset(ctx, 0, sizeof *ctx);
}

void mbedtls_aes_free(mbedtls_aes_context *ctx)
{
    if (ctx)
        cv_wipe(ctx, sizeof *ctx);
}

static int set_key(cv_block_key *key, const unsigned char *bytes, unsigned int bits)
{
    return bits % 8 || cv_aes_init(key, bytes, bits / 8) != CV_OK ? MBEDTLS_ERR_AES_INVALID_KEY_LENGTH : 0;
}

int mbedtls_aes_setkey_enc(mbedtls_aes_context *ctx, const unsigned char *key, unsigned int keybits)
{
    return set_key(&ctx->key, key, keybits);
}

int mbedtls_aes_setkey_dec(mbedtls_aes_context *ctx, const unsigned char *key, unsigned int keybits)
{
    return set_key(&ctx->key, key, keybits);
}

static int is_mode(int mode)
{
    return mode == MBEDTLS_AES_ENCRYPT || mode == MBEDTLS_AES_DECRYPT;
}

int mbedtls_aes_crypt_ecb(mbedtls_aes_context *ctx, int mode, const unsigned char input[16], unsigned char output[16])
{
    if (!is_mode(mode))
        return MBEDTLS_ERR_AES_BAD_INPUT_DATA;
    (mode == MBEDTLS_AES_ENCRYPT ? cv_ecb_encrypt : cv_ecb_decrypt)(&ctx->key, output, input, 1);
    return 0;
}

int mbedtls_internal_aes_encrypt(mbedtls_aes_context *ctx, const unsigned char input[16], unsigned char output[16])
{
    return mbedtls_aes_crypt_ecb(ctx, MBEDTLS_AES_ENCRYPT, input, output);
}

int mbedtls_internal_aes_decrypt(mbedtls_aes_context *ctx, const unsigned char input[16], unsigned char output[16])
{
    return mbedtls_aes_crypt_ecb(ctx, MBEDTLS_AES_DECRYPT, input, output);
}

int mbedtls_aes_crypt_cbc(mbedtls_aes_context *ctx, int mode, size_t length, unsigned char iv[16],
                          const unsigned char *input, unsigned char *output)
{
    if (!is_mode(mode))
        return MBEDTLS_ERR_AES_BAD_INPUT_DATA;
    if (length % CV_BLOCK)
        return MBEDTLS_ERR_AES_INVALID_INPUT_LENGTH;
    (mode == MBEDTLS_AES_ENCRYPT ? cv_cbc_encrypt : cv_cbc_decrypt)(&ctx->key, output, input, length / CV_BLOCK, iv);
    return 0;
}

void mbedtls_aes_xts_init(mbedtls_aes_xts_context *ctx)
{
    memset(ctx, 0, sizeof *ctx);
}

void mbedtls_aes_xts_free(mbedtls_aes_xts_context *ctx)
{
    if (ctx)
        cv_wipe(ctx, sizeof *ctx);
}

int mbedtls_aes_xts_setkey_enc(mbedtls_aes_xts_context *ctx, const unsigned char *key, unsigned int keybits)
{
    if (keybits != 256 && keybits != 512)
        return MBEDTLS_ERR_AES_INVALID_KEY_LENGTH;
    set_key(&ctx->key, key, keybits / 2);
    return set_key(&ctx->tweak, key + keybits / 16, keybits / 2);
}

int mbedtls_aes_xts_setkey_dec(mbedtls_aes_xts_context *ctx, const unsigned char *key, unsigned int keybits)
{
    return mbedtls_aes_xts_setkey_enc(ctx, key, keybits);
}

int mbedtls_aes_crypt_xts(mbedtls_aes_xts_context *ctx, int mode, size_t length, const unsigned char data_unit[16],
                          const unsigned char *input, unsigned char *output)
{
    if (!is_mode(mode))
        return MBEDTLS_ERR_AES_BAD_INPUT_DATA;
    /* SP 800-38E: at most 2^20 blocks. */
    if (length < CV_BLOCK || length > (CV_BLOCK << 20))
        return MBEDTLS_ERR_AES_INVALID_INPUT_LENGTH;
    (mode == MBEDTLS_AES_ENCRYPT ? cv_xts_encrypt : cv_xts_decrypt)(&ctx->key, &ctx->tweak, output, input, length,
                                                                    data_unit);
    return 0;
}

/* Mbed TLS keeps a block or two of a stream, and the number of its consumed bytes, in the caller's memory. Returns
 * whether that number is possible. */
static int resume(cv_stream *s, const mbedtls_aes_context *ctx, const unsigned char chain[16],
                  const unsigned char *stream, size_t used)
{
    if (used >= CV_BLOCK)
        return 0;
    cv_stream_init(s, &ctx->key, chain);
    memcpy(s->stream, stream, CV_BLOCK);
    s->used = (uint32_t)used;
    return 1;
}

/* If a block is unfinished, `iv` holds its ciphertext, followed by the rest of the stream. */
int mbedtls_aes_crypt_cfb128(mbedtls_aes_context *ctx, int mode, size_t length, size_t *iv_off, unsigned char iv[16],
                             const unsigned char *input, unsigned char *output)
{
    cv_stream s;
    if (!is_mode(mode) || !resume(&s, ctx, iv, iv, *iv_off))
        return MBEDTLS_ERR_AES_BAD_INPUT_DATA;
    (mode == MBEDTLS_AES_ENCRYPT ? cv_cfb_encrypt : cv_cfb_decrypt)(&s, output, input, length);
    memcpy(iv, s.chain, CV_BLOCK);
    if (s.used)
        memcpy(iv + s.used, s.stream + s.used, CV_BLOCK - s.used);
    *iv_off = s.used;
    cv_wipe(&s, sizeof s);
    return 0;
}

int mbedtls_aes_crypt_cfb8(mbedtls_aes_context *ctx, int mode, size_t length, unsigned char iv[16],
                           const unsigned char *input, unsigned char *output)
{
    cv_stream s;
    if (!is_mode(mode))
        return MBEDTLS_ERR_AES_BAD_INPUT_DATA;
    resume(&s, ctx, iv, iv, 0);
    (mode == MBEDTLS_AES_ENCRYPT ? cv_cfb8_encrypt : cv_cfb8_decrypt)(&s, output, input, length);
    memcpy(iv, s.chain, CV_BLOCK);
    cv_wipe(&s, sizeof s);
    return 0;
}

int mbedtls_aes_crypt_ofb(mbedtls_aes_context *ctx, size_t length, size_t *iv_off, unsigned char iv[16],
                          const unsigned char *input, unsigned char *output)
{
    cv_stream s;
    if (!resume(&s, ctx, iv, iv, *iv_off))
        return MBEDTLS_ERR_AES_BAD_INPUT_DATA;
    cv_ofb(&s, output, input, length);
    memcpy(iv, s.chain, CV_BLOCK);
    *iv_off = s.used;
    cv_wipe(&s, sizeof s);
    return 0;
}

int mbedtls_aes_crypt_ctr(mbedtls_aes_context *ctx, size_t length, size_t *nc_off, unsigned char nonce_counter[16],
                          unsigned char stream_block[16], const unsigned char *input, unsigned char *output)
{
    cv_stream s;
    if (!resume(&s, ctx, nonce_counter, stream_block, *nc_off))
        return MBEDTLS_ERR_AES_BAD_INPUT_DATA;
    cv_ctr(&s, output, input, length);
    memcpy(nonce_counter, s.chain, CV_BLOCK);
    memcpy(stream_block, s.stream, CV_BLOCK);
    *nc_off = s.used;
    cv_wipe(&s, sizeof s);
    return 0;
}

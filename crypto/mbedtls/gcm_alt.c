/* GCM for Mbed TLS, implemented with libcapvec: for AES only. */
#include "mbedtls/error.h"
#include "mbedtls/gcm.h"
#include <string.h>

void mbedtls_gcm_init(mbedtls_gcm_context *ctx)
{
    memset(ctx, 0, sizeof *ctx);
}

void mbedtls_gcm_free(mbedtls_gcm_context *ctx)
{
    if (ctx)
        cv_wipe(ctx, sizeof *ctx);
}

int mbedtls_gcm_setkey(mbedtls_gcm_context *ctx, mbedtls_cipher_id_t cipher, const unsigned char *key,
                       unsigned int keybits)
{
    if (cipher != MBEDTLS_CIPHER_ID_AES)
        return MBEDTLS_ERR_PLATFORM_FEATURE_UNSUPPORTED;
    if (keybits % 8 || cv_aes_init(&ctx->key, key, keybits / 8) != CV_OK)
        return MBEDTLS_ERR_GCM_BAD_INPUT;
    cv_gcm_init(&ctx->gcm, &ctx->key);
    return 0;
}

int mbedtls_gcm_starts(mbedtls_gcm_context *ctx, int mode, const unsigned char *iv, size_t iv_len)
{
    /* The context may have been moved. */
    ctx->gcm.key = &ctx->key;
    ctx->mode = mode;
    return cv_gcm_start(&ctx->gcm, iv, iv_len) != CV_OK ? MBEDTLS_ERR_GCM_BAD_INPUT : 0;
}

int mbedtls_gcm_update_ad(mbedtls_gcm_context *ctx, const unsigned char *add, size_t add_len)
{
    return cv_gcm_aad(&ctx->gcm, add, add_len) != CV_OK ? MBEDTLS_ERR_GCM_BAD_INPUT : 0;
}

int mbedtls_gcm_update(mbedtls_gcm_context *ctx, const unsigned char *input, size_t input_length, unsigned char *output,
                       size_t output_size, size_t *output_length)
{
    int error;
    if (output_size < input_length)
        return MBEDTLS_ERR_GCM_BUFFER_TOO_SMALL;
    *output_length = input_length;
    ctx->gcm.key = &ctx->key;
    error =
        (ctx->mode == MBEDTLS_GCM_ENCRYPT ? cv_gcm_encrypt : cv_gcm_decrypt)(&ctx->gcm, output, input, input_length);
    return error != CV_OK ? MBEDTLS_ERR_GCM_BAD_INPUT : 0;
}

int mbedtls_gcm_finish(mbedtls_gcm_context *ctx, unsigned char *output, size_t output_size, size_t *output_length,
                       unsigned char *tag, size_t tag_len)
{
    (void)output, (void)output_size;
    *output_length = 0;
    if (tag_len < 4 || tag_len > CV_BLOCK)
        return MBEDTLS_ERR_GCM_BAD_INPUT;
    ctx->gcm.key = &ctx->key;
    return cv_gcm_tag(&ctx->gcm, tag, tag_len) != CV_OK ? MBEDTLS_ERR_GCM_BAD_INPUT : 0;
}

int mbedtls_gcm_crypt_and_tag(mbedtls_gcm_context *ctx, int mode, size_t length, const unsigned char *iv, size_t iv_len,
                              const unsigned char *add, size_t add_len, const unsigned char *input,
                              unsigned char *output, size_t tag_len, unsigned char *tag)
{
    size_t written;
    int error =
        tag_len < 4 || tag_len > CV_BLOCK ? MBEDTLS_ERR_GCM_BAD_INPUT : mbedtls_gcm_starts(ctx, mode, iv, iv_len);
    if (error == 0)
        error = mbedtls_gcm_update_ad(ctx, add, add_len);
    if (error == 0)
        error = mbedtls_gcm_update(ctx, input, length, output, length, &written);
    return error ? error : mbedtls_gcm_finish(ctx, NULL, 0, &written, tag, tag_len);
}

int mbedtls_gcm_auth_decrypt(mbedtls_gcm_context *ctx, size_t length, const unsigned char *iv, size_t iv_len,
                             const unsigned char *add, size_t add_len, const unsigned char *tag, size_t tag_len,
                             const unsigned char *input, unsigned char *output)
{
    int error;
    if (tag_len < 4 || tag_len > CV_BLOCK)
        return MBEDTLS_ERR_GCM_BAD_INPUT;
    ctx->gcm.key = &ctx->key;
    error = cv_gcm_open(&ctx->gcm, output, input, length, add, add_len, iv, iv_len, tag, tag_len);
    return error == CV_OK ? 0 : error == CV_ERR_TAG ? MBEDTLS_ERR_GCM_AUTH_FAILED : MBEDTLS_ERR_GCM_BAD_INPUT;
}

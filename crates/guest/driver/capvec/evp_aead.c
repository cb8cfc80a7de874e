/* AEADs with libcapvec. An update without an output buffer is associated data. */
#include "evp_modes.h"
#include <string.h>

int evp_gcm_iv(EVP_CIPHER_CTX *ctx)
{
    cv_gcm_init(&ctx->state.gcm, &ctx->key);
    return cv_gcm_start(&ctx->state.gcm, ctx->iv, ctx->iv_len) == CV_OK;
}

int evp_gcm_update(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    cv_gcm *gcm = &ctx->state.gcm;
    int error = out == NULL ? cv_gcm_aad(gcm, in, len)
        : ctx->encrypt      ? cv_gcm_encrypt(gcm, out, in, len)
                            : cv_gcm_decrypt(gcm, out, in, len);
    return error == CV_OK ? (int)len : -1;
}

int evp_gcm_ctrl(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr)
{
    size_t len = (size_t)arg;
    switch (type) {
    case EVP_CTRL_AEAD_SET_IVLEN:
        if (arg <= 0 || len > sizeof ctx->iv)
            return 0;
        ctx->iv_len = len;
        return 1;
    case EVP_CTRL_AEAD_SET_TAG:
        if (arg <= 0 || len > sizeof ctx->tag || ptr == NULL)
            return 0;
        memcpy(ctx->tag, ptr, len);
        ctx->tag_len = len;
        return 1;
    case EVP_CTRL_AEAD_GET_TAG:
        if (arg <= 0 || len > sizeof ctx->tag)
            return 0;
        memcpy(ptr, ctx->tag, len);
        return 1;
    default:
        return 0;
    }
}

int evp_gcm_final(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len)
{
    (void)out, (void)out_len;
    return ctx->encrypt ? cv_gcm_tag(&ctx->state.gcm, ctx->tag, sizeof ctx->tag) == CV_OK
                        : cv_gcm_verify(&ctx->state.gcm, ctx->tag, ctx->tag_len) == CV_OK;
}

/* CCM receives the length of the message first, as an update without input and output; then associated data in one
 * update, and the message in one, which does all the work. */
int evp_ccm_iv(EVP_CIPHER_CTX *ctx)
{
    ctx->aad = NULL;
    ctx->aad_len = 0;
    return 1;
}

int evp_ccm_ctrl(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr)
{
    /* The length of the tag to compute. */
    if (type == EVP_CTRL_AEAD_SET_TAG && ptr == NULL) {
        ctx->tag_len = (size_t)arg;
        return arg > 0 && ctx->tag_len <= sizeof ctx->tag;
    }
    return evp_gcm_ctrl(ctx, type, arg, ptr);
}

int evp_ccm_update(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    int error;
    if (out == NULL) {
        if (in) {
            ctx->aad = in;
            ctx->aad_len = len;
        }
        return (int)len;
    }
    error = ctx->encrypt
        ? cv_ccm_seal(&ctx->key, out, in, len, ctx->aad, ctx->aad_len, ctx->iv, ctx->iv_len, ctx->tag, ctx->tag_len)
        : cv_ccm_open(&ctx->key, out, in, len, ctx->aad, ctx->aad_len, ctx->iv, ctx->iv_len, ctx->tag, ctx->tag_len);
    return error == CV_OK ? (int)len : -1;
}

/* Nothing is left to do. */
int evp_ccm_final(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len)
{
    (void)ctx, (void)out, (void)out_len;
    return 1;
}

int evp_ocb_iv(EVP_CIPHER_CTX *ctx)
{
    cv_ocb_init(&ctx->state.ocb, &ctx->key);
    return cv_ocb_start(&ctx->state.ocb, ctx->iv, ctx->iv_len, ctx->tag_len ? ctx->tag_len : EVP_TAG) == CV_OK;
}

int evp_ocb_update(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    size_t came = len;
    int error = out == NULL ? cv_ocb_aad(&ctx->state.ocb, in, len)
                            : (ctx->encrypt ? cv_ocb_encrypt : cv_ocb_decrypt)(&ctx->state.ocb, out, &came, in, len);
    return error == CV_OK ? (int)came : -1;
}

int evp_ocb_final(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len)
{
    size_t came = 0;
    int error = ctx->encrypt ? cv_ocb_tag(&ctx->state.ocb, out, &came, ctx->tag)
                             : cv_ocb_verify(&ctx->state.ocb, out, &came, ctx->tag);
    *out_len = (int)came;
    return error == CV_OK;
}

/* ChaCha20, alone and with Poly1305, with libcapvec. */
#include "evp_modes.h"
#include <string.h>

int evp_key_chacha(EVP_CIPHER_CTX *ctx, const unsigned char *bytes)
{
    memcpy(ctx->raw, bytes, sizeof ctx->raw);
    return 1;
}

/* The IV consists of the counter, little-endian, and the nonce. */
int evp_iv_chacha20(EVP_CIPHER_CTX *ctx)
{
    const unsigned char *iv = ctx->iv;
    uint32_t counter = iv[0] | (uint32_t)iv[1] << 8 | (uint32_t)iv[2] << 16 | (uint32_t)iv[3] << 24;
    cv_chacha20_init(&ctx->state.chacha, ctx->raw, iv + 4, counter);
    return 1;
}

int evp_update_chacha20(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    cv_chacha20_update(&ctx->state.chacha, out, in, len);
    return (int)len;
}

int evp_iv_chacha20_poly1305(EVP_CIPHER_CTX *ctx)
{
    cv_chacha20_poly1305_init(&ctx->state.chacha_poly, ctx->raw, ctx->iv);
    return 1;
}

int evp_update_chacha20_poly1305(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    cv_chacha20_poly1305 *c = &ctx->state.chacha_poly;
    int error = out == NULL ? cv_chacha20_poly1305_aad(c, in, len)
        : ctx->encrypt      ? cv_chacha20_poly1305_encrypt(c, out, in, len)
                            : cv_chacha20_poly1305_decrypt(c, out, in, len);
    return error == CV_OK ? (int)len : -1;
}

int evp_ctrl_chacha20_poly1305(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr)
{
    size_t len = (size_t)arg;
    if (type == EVP_CTRL_AEAD_SET_IVLEN)
        return arg == ctx->cipher->iv_len;
    if (len != sizeof ctx->tag || ptr == NULL)
        return 0;
    if (type == EVP_CTRL_AEAD_SET_TAG) {
        memcpy(ctx->tag, ptr, len);
        ctx->tag_len = len;
        return 1;
    }
    return type == EVP_CTRL_AEAD_GET_TAG && memcpy(ptr, ctx->tag, len) == ptr;
}

int evp_final_chacha20_poly1305(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len)
{
    (void)out, (void)out_len;
    if (!ctx->encrypt)
        return ctx->tag_len && cv_chacha20_poly1305_verify(&ctx->state.chacha_poly, ctx->tag) == CV_OK;
    return cv_chacha20_poly1305_tag(&ctx->state.chacha_poly, ctx->tag) == CV_OK;
}

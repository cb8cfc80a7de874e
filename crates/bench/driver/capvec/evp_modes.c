/* Modes of block ciphers over libcapvec. */
#include "evp_modes.h"

static int key_aes(EVP_CIPHER_CTX *ctx, const unsigned char *bytes)
{
    return cv_aes_init(&ctx->key, bytes, (size_t)ctx->cipher->key_len) == CV_OK;
}

static int update_ecb(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    (ctx->encrypt ? cv_ecb_encrypt : cv_ecb_decrypt)(&ctx->key, out, in, len / CV_BLOCK);
    return (int)len;
}

static int iv_ctr(EVP_CIPHER_CTX *ctx)
{
    cv_ctr_init(&ctx->state.ctr, &ctx->key, ctx->iv);
    return 1;
}

static int update_ctr(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    cv_ctr_update(&ctx->state.ctr, out, in, len);
    return (int)len;
}

#define ECB(name, bytes, key) { name, bytes, 0, EVP_CIPH_ECB_MODE, 1, key, NULL, update_ecb, NULL, NULL }
#define CTR(name, bytes, key) { name, bytes, 16, EVP_CIPH_CTR_MODE, 0, key, iv_ctr, update_ctr, NULL, NULL }

const EVP_CIPHER evp_ciphers[] = {
    ECB("AES-128-ECB", 16, key_aes), ECB("AES-192-ECB", 24, key_aes), ECB("AES-256-ECB", 32, key_aes),
    CTR("AES-128-CTR", 16, key_aes), CTR("AES-192-CTR", 24, key_aes), CTR("AES-256-CTR", 32, key_aes),
    { 0 },
};

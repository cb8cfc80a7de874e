/* Modes of block ciphers with libcapvec. */
#include "evp_modes.h"
#include <string.h>

static int key_aes(EVP_CIPHER_CTX *ctx, const unsigned char *bytes)
{
    return cv_aes_init(&ctx->key, bytes, (size_t)ctx->cipher->key_len) == CV_OK;
}

static int key_sm4(EVP_CIPHER_CTX *ctx, const unsigned char *bytes)
{
    cv_sm4_init(&ctx->key, bytes);
    return 1;
}

/* Two keys, which must differ. */
static int keys_aes(EVP_CIPHER_CTX *ctx, const unsigned char *bytes)
{
    size_t len = (size_t)ctx->cipher->key_len / 2;
    return memcmp(bytes, bytes + len, len) != 0 && cv_aes_init(&ctx->key, bytes, len) == CV_OK
        && cv_aes_init(&ctx->tweak_key, bytes + len, len) == CV_OK;
}

static int keys_sm4(EVP_CIPHER_CTX *ctx, const unsigned char *bytes)
{
    cv_sm4_init(&ctx->key, bytes);
    cv_sm4_init(&ctx->tweak_key, bytes + 16);
    return memcmp(bytes, bytes + 16, 16) != 0;
}

static int iv_stream(EVP_CIPHER_CTX *ctx)
{
    cv_stream_init(&ctx->state.stream, &ctx->key, ctx->iv);
    return 1;
}

static int update_ecb(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    (ctx->encrypt ? cv_ecb_encrypt : cv_ecb_decrypt)(&ctx->key, out, in, len / CV_BLOCK);
    return (int)len;
}

static int update_cbc(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    (ctx->encrypt ? cv_cbc_encrypt : cv_cbc_decrypt)(&ctx->key, out, in, len / CV_BLOCK, ctx->iv);
    return (int)len;
}

/* Stream modes: the same call for any length. */
#define STREAM(name, forth, back, per_byte) \
    static int name(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len) \
    { \
        (ctx->encrypt ? forth : back)(&ctx->state.stream, out, in, len * per_byte); \
        return (int)len; \
    }

STREAM(update_ctr, cv_ctr, cv_ctr, 1)
STREAM(update_ofb, cv_ofb, cv_ofb, 1)
STREAM(update_cfb, cv_cfb_encrypt, cv_cfb_decrypt, 1)
STREAM(update_cfb8, cv_cfb8_encrypt, cv_cfb8_decrypt, 1)
STREAM(update_cfb1, cv_cfb1_encrypt, cv_cfb1_decrypt, 8)

static int update_xts(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    int error = (ctx->encrypt ? cv_xts_encrypt : cv_xts_decrypt)(&ctx->key, &ctx->tweak_key, out, in, len, ctx->iv);
    return error == CV_OK ? (int)len : -1;
}

/* OpenSSL's default for SM4. */
static int update_xts_gb(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    int error =
        (ctx->encrypt ? cv_xts_gb_encrypt : cv_xts_gb_decrypt)(&ctx->key, &ctx->tweak_key, out, in, len, ctx->iv);
    return error == CV_OK ? (int)len : -1;
}

#define ECB(name, bytes, key) { name, bytes, 0, EVP_CIPH_ECB_MODE, 1, key, NULL, update_ecb, NULL, NULL }
#define CBC(name, bytes, key) { name, bytes, 16, EVP_CIPH_CBC_MODE, 1, key, NULL, update_cbc, NULL, NULL }
#define XTS(name, bytes, keys, update) { name, bytes, 16, EVP_CIPH_XTS_MODE, 0, keys, NULL, update, NULL, NULL }
#define OTHER(name, bytes, key, mode, update) { name, bytes, 16, mode, 0, key, iv_stream, update, NULL, NULL }
#define GCM(name, bytes, key) \
    { name, bytes, 12, EVP_CIPH_GCM_MODE, 0, key, evp_gcm_iv, evp_gcm_update, evp_gcm_ctrl, evp_gcm_final }

#define CCM(name, bytes, key) \
    { name, bytes, 12, EVP_CIPH_CCM_MODE, 0, key, evp_ccm_iv, evp_ccm_update, evp_ccm_ctrl, evp_ccm_final }

#define OCB(name, bytes, key) \
    { name, bytes, 12, EVP_CIPH_OCB_MODE, 0, key, evp_ocb_iv, evp_ocb_update, evp_ccm_ctrl, evp_ocb_final }

/* All modes of a cipher with a single key. */
#define CIPHER(name, bytes, key) \
    ECB(name "-ECB", bytes, key), CBC(name "-CBC", bytes, key), GCM(name "-GCM", bytes, key), \
        CCM(name "-CCM", bytes, key), OTHER(name "-CTR", bytes, key, EVP_CIPH_CTR_MODE, update_ctr), \
        OTHER(name "-OFB", bytes, key, EVP_CIPH_OFB_MODE, update_ofb), \
        OTHER(name "-CFB", bytes, key, EVP_CIPH_CFB_MODE, update_cfb), \
        OTHER(name "-CFB8", bytes, key, EVP_CIPH_CFB_MODE, update_cfb8), \
        OTHER(name "-CFB1", bytes, key, EVP_CIPH_CFB_MODE, update_cfb1)

const EVP_CIPHER evp_ciphers[] = {
    CIPHER("AES-128", 16, key_aes),
    CIPHER("AES-192", 24, key_aes),
    CIPHER("AES-256", 32, key_aes),
    CIPHER("SM4", 16, key_sm4),
    OCB("AES-128-OCB", 16, key_aes),
    OCB("AES-192-OCB", 24, key_aes),
    OCB("AES-256-OCB", 32, key_aes),
    XTS("AES-128-XTS", 32, keys_aes, update_xts),
    XTS("AES-256-XTS", 64, keys_aes, update_xts),
    XTS("SM4-XTS", 32, keys_sm4, update_xts_gb),
    { "ChaCha20", 32, 16, EVP_CIPH_STREAM_CIPHER, 0, evp_key_chacha, evp_iv_chacha20, evp_update_chacha20, NULL, NULL },
    { "ChaCha20-Poly1305", 32, 12, EVP_CIPH_STREAM_CIPHER, 0, evp_key_chacha, evp_iv_chacha20_poly1305,
      evp_update_chacha20_poly1305, evp_ctrl_chacha20_poly1305, evp_final_chacha20_poly1305 },
    { 0 },
};

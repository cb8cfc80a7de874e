/* Lifetime of ciphers' contexts, and the properties of algorithms that OpenSSL queries. */
#include "cipher.h"

int pv_expand_aes(cv_block_key *key, const uint8_t *bytes, size_t len)
{
    return cv_aes_init(key, bytes, len) == CV_OK;
}

int pv_expand_sm4(cv_block_key *key, const uint8_t *bytes, size_t len)
{
    (void)len;
    cv_sm4_init(key, bytes);
    return 1;
}

void *pv_cipher_new(const struct pv_cipher *cipher, void *provider)
{
    struct pv_ctx *ctx = OPENSSL_zalloc(cipher->size);
    if (ctx == NULL)
        return NULL;
    ctx->cipher = cipher;
    ctx->provider = provider;
    if (cipher->begin)
        cipher->begin(ctx);
    return ctx;
}

void pv_cipher_free(void *vctx)
{
    struct pv_ctx *ctx = vctx;
    if (ctx)
        OPENSSL_clear_free(ctx, ctx->cipher->size);
}

void *pv_cipher_dup(void *vctx)
{
    const struct pv_ctx *ctx = vctx;
    struct pv_ctx *copy = OPENSSL_malloc(ctx->cipher->size);
    if (copy == NULL)
        return NULL;
    memcpy(copy, ctx, ctx->cipher->size);
    if (ctx->cipher->relink)
        ctx->cipher->relink(copy);
    return copy;
}

const OSSL_PARAM *pv_cipher_gettable(void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_MODE, NULL),        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),     OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_BLOCK_SIZE, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_AEAD, NULL),         OSSL_PARAM_int(OSSL_CIPHER_PARAM_CUSTOM_IV, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_CTS, NULL),          OSSL_PARAM_int(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_HAS_RAND_KEY, NULL), OSSL_PARAM_END,
    };
    (void)provider;
    return known;
}

int pv_cipher_get(const struct pv_cipher *cipher, OSSL_PARAM params[])
{
    return pv_put_uint(params, OSSL_CIPHER_PARAM_MODE, cipher->mode)
        && pv_put_size(params, OSSL_CIPHER_PARAM_KEYLEN, cipher->key_len)
        && pv_put_size(params, OSSL_CIPHER_PARAM_IVLEN, cipher->iv_len)
        && pv_put_size(params, OSSL_CIPHER_PARAM_BLOCK_SIZE, cipher->block)
        && pv_put_int(params, OSSL_CIPHER_PARAM_AEAD, (cipher->flags & PV_AEAD) != 0)
        && pv_put_int(params, OSSL_CIPHER_PARAM_CUSTOM_IV, (cipher->flags & PV_CUSTOM_IV) != 0)
        && pv_put_int(params, OSSL_CIPHER_PARAM_CTS, 0) && pv_put_int(params, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, 0)
        && pv_put_int(params, OSSL_CIPHER_PARAM_HAS_RAND_KEY, 0);
}

int pv_cipher_key(struct pv_ctx *ctx, const uint8_t *key, size_t len)
{
    if (len != ctx->cipher->key_len || !ctx->cipher->expand(&ctx->key, key, len))
        return pv_fail(PROV_R_INVALID_KEY_LENGTH);
    ctx->key_set = 1;
    return 1;
}

/* XTS: each update is a data unit of its own, with the same tweak unless another one is set. */
#include "cipher.h"

struct xts {
    struct pv_ctx base;
    cv_block_key tweak_key;
    int other_standard; /* for SM4: IEEE 1619 instead of GB/T 17964-2021 */
};

typedef int crypt_fn(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in,
                     size_t len, const uint8_t *tweak);

static int xts_set(void *ctx, const OSSL_PARAM params[]);

static int init(void *ctx, const uint8_t *key, size_t key_len, const uint8_t *iv, size_t iv_len,
                const OSSL_PARAM params[], int encrypt)
{
    struct xts *x = ctx;
    struct pv_ctx *base = &x->base;
    base->encrypt = (unsigned)encrypt;
    if (iv) {
        if (iv_len != CV_BLOCK)
            return pv_fail(PROV_R_INVALID_IV_LENGTH);
        memcpy(base->iv, iv, CV_BLOCK);
        memcpy(base->first_iv, iv, CV_BLOCK);
        base->iv_set = 1;
    }
    if (key) {
        size_t half = key_len / 2;
        if (key_len != base->cipher->key_len)
            return pv_fail(PROV_R_INVALID_KEY_LENGTH);
        if (base->cipher->expand == pv_expand_aes && CRYPTO_memcmp(key, key + half, half) == 0 && encrypt)
            return pv_fail(PROV_R_XTS_DUPLICATED_KEYS);
        if (!base->cipher->expand(&base->key, key, half) || !base->cipher->expand(&x->tweak_key, key + half, half))
            return pv_fail(PROV_R_INVALID_KEY_LENGTH);
        base->key_set = 1;
    }
    return xts_set(x, params);
}

PV_INITS(xts, init)

static crypt_fn *chosen(const struct xts *x)
{
    if (x->base.cipher->expand == pv_expand_aes || x->other_standard)
        return x->base.encrypt ? cv_xts_encrypt : cv_xts_decrypt;
    return x->base.encrypt ? cv_xts_gb_encrypt : cv_xts_gb_decrypt;
}

static int xts_update(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, size_t len)
{
    struct xts *x = ctx;
    if (room < len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    if (len > CV_XTS_MAX)
        return pv_fail(PROV_R_XTS_DATA_UNIT_IS_TOO_LARGE);
    if (!x->base.key_set || !x->base.iv_set || out == NULL || in == NULL
        || chosen(x)(&x->base.key, &x->tweak_key, out, in, len, x->base.iv) != CV_OK)
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    *out_len = len;
    return 1;
}

static int xts_cipher(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, size_t len)
{
    return xts_update(ctx, out, out_len, room, in, len);
}

static int xts_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    (void)ctx, (void)out, (void)room;
    *out_len = 0;
    return 1;
}

static const OSSL_PARAM *xts_gettable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

static int xts_get(void *ctx, OSSL_PARAM params[])
{
    const struct pv_ctx *base = ctx;
    return pv_put_size(params, OSSL_CIPHER_PARAM_IVLEN, CV_BLOCK)
        && pv_put_size(params, OSSL_CIPHER_PARAM_KEYLEN, base->cipher->key_len)
        && pv_put_uint(params, OSSL_CIPHER_PARAM_PADDING, 1) && pv_put_uint(params, OSSL_CIPHER_PARAM_NUM, 0)
        && pv_put_bytes(params, OSSL_CIPHER_PARAM_IV, base->first_iv, CV_BLOCK)
        && pv_put_bytes(params, OSSL_CIPHER_PARAM_UPDATED_IV, base->iv, CV_BLOCK);
}

static const OSSL_PARAM *xts_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
#ifdef OSSL_CIPHER_PARAM_XTS_STANDARD
        OSSL_PARAM_utf8_string(OSSL_CIPHER_PARAM_XTS_STANDARD, NULL, 0),
#endif
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

static int xts_set(void *ctx, const OSSL_PARAM params[])
{
    struct xts *x = ctx;
    size_t key_len = x->base.cipher->key_len;
    if (params == NULL || params->key == NULL)
        return 1;
    if (!pv_take_size(params, OSSL_CIPHER_PARAM_KEYLEN, &key_len))
        return 0;
    if (key_len != x->base.cipher->key_len)
        return pv_fail(PROV_R_INVALID_KEY_LENGTH);
#ifdef OSSL_CIPHER_PARAM_XTS_STANDARD
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_XTS_STANDARD);
    if (p) {
        const char *name;
        if (!OSSL_PARAM_get_utf8_string_ptr(p, &name))
            return pv_fail(PROV_R_FAILED_TO_GET_PARAMETER);
        x->other_standard = pv_is_named("IEEE", name);
        if (!x->other_standard && !pv_is_named("GB", name))
            return pv_fail(PROV_R_FAILED_TO_SET_PARAMETER);
    }
#endif
    return 1;
}

#define XTS(id, bytes, family) \
    PV_CIPHER(id##_xts, xts, xts, xts, .mode = EVP_CIPH_XTS_MODE, .flags = PV_CUSTOM_IV, .key_len = bytes, \
              .iv_len = CV_BLOCK, .block = 1, .size = sizeof(struct xts), .expand = pv_expand_##family)

XTS(aes_128, 32, aes)
XTS(aes_256, 64, aes)
XTS(sm4, 32, sm4)

/* Initialisation and parameters of ciphers without authentication. */
#include "basic.h"

/* Modes that restart with their first IV if none is given. */
static int restarts(unsigned mode)
{
    return mode == EVP_CIPH_CBC_MODE || mode == EVP_CIPH_CFB_MODE || mode == EVP_CIPH_OFB_MODE;
}

void pv_basic_begin(void *ctx)
{
    struct pv_basic *b = ctx;
    b->pad = 1;
    pv_basic_relink(b);
}

void pv_basic_relink(void *ctx)
{
    struct pv_basic *b = ctx;
    b->stream.key = &b->base.key;
}

int pv_basic_init(void *ctx, const uint8_t *key, size_t key_len, const uint8_t *iv, size_t iv_len,
                  const OSSL_PARAM params[], int encrypt)
{
    struct pv_basic *b = ctx;
    struct pv_ctx *base = &b->base;
    const struct pv_cipher *cipher = base->cipher;
    b->held_len = 0;
    b->stream.used = 0;
    base->encrypt = (unsigned)encrypt;
    if (iv && cipher->iv_len) {
        if (iv_len != cipher->iv_len)
            return pv_fail(PROV_R_INVALID_IV_LENGTH);
        memcpy(base->first_iv, iv, CV_BLOCK);
        base->iv_set = 1;
    }
    if (base->iv_set && (iv || restarts(cipher->mode))) {
        memcpy(base->iv, base->first_iv, CV_BLOCK);
        memcpy(b->stream.chain, base->first_iv, CV_BLOCK);
    }
    if (key && !pv_cipher_key(base, key, key_len))
        return 0;
    return pv_basic_set(b, params);
}

const OSSL_PARAM *pv_basic_gettable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
        OSSL_PARAM_DEFN(OSSL_CIPHER_PARAM_TLS_MAC, OSSL_PARAM_OCTET_PTR, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

/* The input of the next block, as OpenSSL shows it: within a block of CFB, also the rest of the key stream. */
static void show_iv(struct pv_basic *b)
{
    unsigned mode = b->base.cipher->mode, used = b->stream.used;
    memcpy(b->shown_iv, mode == EVP_CIPH_CBC_MODE ? b->base.iv : b->stream.chain, CV_BLOCK);
    if (mode == EVP_CIPH_CFB_MODE && used)
        memcpy(b->shown_iv + used, b->stream.stream + used, CV_BLOCK - used);
}

int pv_basic_get(void *ctx, OSSL_PARAM params[])
{
    struct pv_basic *b = ctx;
    size_t iv_len = b->base.cipher->iv_len;
    OSSL_PARAM *mac = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_TLS_MAC);
    if (mac && !OSSL_PARAM_set_octet_ptr(mac, b->mac_len ? b->mac : NULL, b->mac_len))
        return pv_fail(PROV_R_FAILED_TO_SET_PARAMETER);
    show_iv(b);
    return pv_put_size(params, OSSL_CIPHER_PARAM_IVLEN, iv_len)
        && pv_put_size(params, OSSL_CIPHER_PARAM_KEYLEN, b->base.cipher->key_len)
        && pv_put_uint(params, OSSL_CIPHER_PARAM_PADDING, b->pad)
        && pv_put_uint(params, OSSL_CIPHER_PARAM_NUM, b->stream.used)
        && pv_put_bytes(params, OSSL_CIPHER_PARAM_IV, b->base.first_iv, iv_len)
        && pv_put_bytes(params, OSSL_CIPHER_PARAM_UPDATED_IV, b->shown_iv, iv_len);
}

const OSSL_PARAM *pv_basic_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_USE_BITS, NULL),       OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS_VERSION, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, NULL), OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

int pv_basic_set(void *ctx, const OSSL_PARAM params[])
{
    struct pv_basic *b = ctx;
    unsigned num;
    size_t mac_len = b->mac_len;
    if (params == NULL || params->key == NULL)
        return 1;
    num = b->stream.used;
    if (!pv_take_uint(params, OSSL_CIPHER_PARAM_PADDING, &b->pad)
        || !pv_take_uint(params, OSSL_CIPHER_PARAM_USE_BITS, &b->in_bits)
        || !pv_take_uint(params, OSSL_CIPHER_PARAM_TLS_VERSION, &b->tls_version)
        || !pv_take_size(params, OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &mac_len)
        || !pv_take_uint(params, OSSL_CIPHER_PARAM_NUM, &num))
        return 0;
    if (num >= CV_BLOCK || mac_len > sizeof b->mac)
        return pv_fail(PROV_R_FAILED_TO_GET_PARAMETER);
    b->pad = b->pad != 0;
    b->stream.used = num;
    b->mac_len = mac_len;
    return 1;
}

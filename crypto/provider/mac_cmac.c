/* CMAC; its cipher is given by the name of that cipher's CBC mode. */
#include "cipher.h"
#include "mac.h"

struct cipher {
    const char *names;
    size_t key_len;
    int (*expand)(cv_block_key *key, const uint8_t *bytes, size_t len);
};

static const struct cipher ciphers[] = {
    { "AES-128-CBC:AES128:2.16.840.1.101.3.4.1.2", 16, pv_expand_aes },
    { "AES-192-CBC:AES192:2.16.840.1.101.3.4.1.22", 24, pv_expand_aes },
    { "AES-256-CBC:AES256:2.16.840.1.101.3.4.1.42", 32, pv_expand_aes },
    { "SM4-CBC:SM4:1.2.156.10197.1.104.2", 16, pv_expand_sm4 },
};

struct cmac {
    struct pv_mac mac;
    cv_block_key key;
    cv_cmac cmac;
    const struct cipher *cipher;
    unsigned keyed, started; /* there is a key; a message has begun and is not finished */
};

static void *cmac_new(void *provider)
{
    return pv_mac_new(provider, sizeof(struct cmac));
}

static void cmac_free(void *ctx)
{
    pv_mac_free(ctx, sizeof(struct cmac));
}

static void *cmac_dup(void *ctx)
{
    struct cmac *copy = pv_mac_dup(ctx, sizeof *copy);
    if (copy)
        copy->cmac.key = &copy->key;
    return copy;
}

static int set_key(struct cmac *c, const uint8_t *key, size_t len)
{
    if (c->cipher == NULL || len != c->cipher->key_len)
        return pv_fail(PROV_R_INVALID_KEY_LENGTH);
    c->keyed = (unsigned)c->cipher->expand(&c->key, key, len);
    if (c->keyed)
        cv_cmac_init(&c->cmac, &c->key);
    c->started = c->keyed;
    return (int)c->keyed;
}

static int cmac_set(void *ctx, const OSSL_PARAM params[])
{
    struct cmac *c = ctx;
    const char *name = pv_mac_asked(params, OSSL_MAC_PARAM_CIPHER);
    const uint8_t *key;
    size_t len;
    if (params == NULL)
        return 1;
    if (name && c->mac.other == NULL) {
        const struct cipher *found = NULL;
        for (size_t i = 0; i < sizeof ciphers / sizeof *ciphers; i++)
            if (pv_is_named(ciphers[i].names, name))
                found = &ciphers[i];
        if (found == NULL && !pv_mac_delegate(&c->mac, "CMAC"))
            return 0;
        c->keyed &= found == c->cipher;
        c->started &= c->keyed;
        c->cipher = found;
    }
    if (c->mac.other)
        return EVP_MAC_CTX_set_params(c->mac.other, params);
    return pv_mac_key(params, &key, &len) && (key == NULL || set_key(c, key, len));
}

static int cmac_init(void *ctx, const unsigned char *key, size_t len, const OSSL_PARAM params[])
{
    struct cmac *c = ctx;
    if (!cmac_set(c, params))
        return 0;
    if (c->mac.other)
        return EVP_MAC_init(c->mac.other, key, len, NULL);
    if (key)
        return set_key(c, key, len);
    if (c->keyed)
        cv_cmac_init(&c->cmac, &c->key);
    c->started = c->keyed;
    return (int)c->keyed;
}

static int cmac_update(void *ctx, const unsigned char *data, size_t len)
{
    struct cmac *c = ctx;
    if (c->mac.other)
        return EVP_MAC_update(c->mac.other, data, len);
    if (!c->started)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (len)
        cv_cmac_update(&c->cmac, data, len);
    return 1;
}

static int cmac_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct cmac *c = ctx;
    if (c->mac.other)
        return EVP_MAC_final(c->mac.other, out, out_len, room);
    if (!c->started)
        return pv_fail(PROV_R_NO_KEY_SET);
    c->started = 0;
    *out_len = CV_BLOCK;
    return cv_cmac_final(&c->cmac, out, CV_BLOCK) == CV_OK;
}

static int cmac_get(void *ctx, OSSL_PARAM params[])
{
    struct cmac *c = ctx;
    size_t size = c->keyed ? CV_BLOCK : 0;
    if (c->mac.other)
        return EVP_MAC_CTX_get_params(c->mac.other, params);
    return pv_put_size(params, OSSL_MAC_PARAM_SIZE, size) && pv_put_size(params, OSSL_MAC_PARAM_BLOCK_SIZE, size);
}

static const OSSL_PARAM *cmac_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_CIPHER, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_PROPERTIES, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

const OSSL_DISPATCH pv_cmac[] = {
    PV_ENTRY(MAC_NEWCTX, mac_newctx, cmac_new),
    PV_MAC_COMMON(cmac),
    PV_ENTRY(MAC_GET_CTX_PARAMS, mac_get_ctx_params, cmac_get),
    PV_ENTRY(MAC_GETTABLE_CTX_PARAMS, mac_gettable_ctx_params, pv_mac_gettable),
    PV_END,
};

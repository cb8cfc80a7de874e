/* GMAC: GCM without plaintext. The cipher is named by its GCM mode. A nonce must be used for one message only. */
#include "cipher.h"
#include "mac.h"

struct cipher {
    const char *names;
    size_t key_len;
    int (*expand)(cv_block_key *key, const uint8_t *bytes, size_t len);
};

static const struct cipher ciphers[] = {
    { "AES-128-GCM:id-aes128-GCM:2.16.840.1.101.3.4.1.6", 16, pv_expand_aes },
    { "AES-192-GCM:id-aes192-GCM:2.16.840.1.101.3.4.1.26", 24, pv_expand_aes },
    { "AES-256-GCM:id-aes256-GCM:2.16.840.1.101.3.4.1.46", 32, pv_expand_aes },
    { "SM4-GCM:1.2.156.10197.1.104.8", 16, pv_expand_sm4 },
};

#define MAX_NONCE 128

struct gmac {
    struct pv_mac mac;
    cv_block_key key;
    cv_gcm gcm;
    const struct cipher *cipher;
    uint8_t nonce[MAX_NONCE];
    size_t nonce_len;
    unsigned keyed, nonce_set, started;
};

static void *gmac_new(void *provider)
{
    return pv_mac_new(provider, sizeof(struct gmac));
}

static void gmac_free(void *ctx)
{
    pv_mac_free(ctx, sizeof(struct gmac));
}

static void *gmac_dup(void *ctx)
{
    struct gmac *copy = pv_mac_dup(ctx, sizeof *copy);
    if (copy)
        copy->gcm.key = &copy->key;
    return copy;
}

static int set_key(struct gmac *g, const uint8_t *key, size_t len)
{
    if (g->cipher == NULL || len != g->cipher->key_len)
        return pv_fail(PROV_R_INVALID_KEY_LENGTH);
    g->keyed = (unsigned)g->cipher->expand(&g->key, key, len);
    if (g->keyed)
        cv_gcm_init(&g->gcm, &g->key);
    return (int)g->keyed;
}

static int set_nonce(struct gmac *g, const OSSL_PARAM params[])
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_IV);
    if (p == NULL)
        return 1;
    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data == NULL || p->data_size == 0 || p->data_size > MAX_NONCE)
        return pv_fail(PROV_R_INVALID_IV_LENGTH);
    memcpy(g->nonce, p->data, p->data_size);
    g->nonce_len = p->data_size;
    g->nonce_set = 1;
    g->started = 0;
    return 1;
}

static int gmac_set(void *ctx, const OSSL_PARAM params[])
{
    struct gmac *g = ctx;
    const char *name = pv_mac_asked(params, OSSL_MAC_PARAM_CIPHER);
    const uint8_t *key;
    size_t len;
    if (params == NULL)
        return 1;
    if (name && g->mac.other == NULL) {
        const struct cipher *found = NULL;
        for (size_t i = 0; i < sizeof ciphers / sizeof *ciphers; i++)
            if (pv_is_named(ciphers[i].names, name))
                found = &ciphers[i];
        if (found == NULL && !pv_mac_delegate(&g->mac, "GMAC"))
            return 0;
        g->keyed &= found == g->cipher;
        g->cipher = found;
    }
    if (g->mac.other)
        return EVP_MAC_CTX_set_params(g->mac.other, params);
    return pv_mac_key(params, &key, &len) && (key == NULL || set_key(g, key, len)) && set_nonce(g, params);
}

static int gmac_init(void *ctx, const unsigned char *key, size_t len, const OSSL_PARAM params[])
{
    struct gmac *g = ctx;
    if (!gmac_set(g, params))
        return 0;
    if (g->mac.other)
        return EVP_MAC_init(g->mac.other, key, len, NULL);
    if (key)
        return set_key(g, key, len);
    return g->cipher != NULL || pv_fail(PROV_R_NO_KEY_SET);
}

/* Begins the message if it has not begun. */
static int ready(struct gmac *g)
{
    if (!g->keyed)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (!g->nonce_set)
        return pv_fail(PROV_R_INVALID_IV_LENGTH);
    if (!g->started)
        g->started = cv_gcm_start(&g->gcm, g->nonce, g->nonce_len) == CV_OK;
    return (int)g->started;
}

static int gmac_update(void *ctx, const unsigned char *data, size_t len)
{
    struct gmac *g = ctx;
    if (g->mac.other)
        return EVP_MAC_update(g->mac.other, data, len);
    return len == 0 || (ready(g) && cv_gcm_aad(&g->gcm, data, len) == CV_OK);
}

static int gmac_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct gmac *g = ctx;
    if (g->mac.other)
        return EVP_MAC_final(g->mac.other, out, out_len, room);
    if (!ready(g))
        return 0;
    g->nonce_set = g->started = 0;
    *out_len = CV_BLOCK;
    return cv_gcm_tag(&g->gcm, out, CV_BLOCK) == CV_OK;
}

static const OSSL_PARAM *gmac_gettable(void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
        OSSL_PARAM_END,
    };
    (void)provider;
    return known;
}

static int gmac_get(OSSL_PARAM params[])
{
    return pv_put_size(params, OSSL_MAC_PARAM_SIZE, CV_BLOCK);
}

static const OSSL_PARAM *gmac_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_CIPHER, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_PROPERTIES, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_IV, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

const OSSL_DISPATCH pv_gmac[] = {
    PV_ENTRY(MAC_NEWCTX, mac_newctx, gmac_new),
    PV_MAC_COMMON(gmac),
    PV_ENTRY(MAC_GET_PARAMS, mac_get_params, gmac_get),
    PV_ENTRY(MAC_GETTABLE_PARAMS, mac_gettable_params, gmac_gettable),
    PV_END,
};

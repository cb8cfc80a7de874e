/* HMAC, and that of TLS records in CBC: see tls_hmac.c. */
#include "digests.h"
#include "mac.h"
#include "tls_hmac.h"

struct hmac {
    struct pv_mac mac;
    const cv_hash_kind *kind;
    cv_hmac hmac;
    unsigned keyed, started; /* there is a key; a message has begun and is not finished */
    /* A record of TLS: see tls_hmac.c. */
    size_t record_len;
    unsigned header_set, record_done;
    uint8_t header[PV_TLS_HEADER], code[EVP_MAX_MD_SIZE];
};

static void *hmac_new(void *provider)
{
    return pv_mac_new(provider, sizeof(struct hmac));
}

static void hmac_free(void *ctx)
{
    pv_mac_free(ctx, sizeof(struct hmac));
}

static void *hmac_dup(void *ctx)
{
    return pv_mac_dup(ctx, sizeof(struct hmac));
}

static int set_key(struct hmac *h, const uint8_t *key, size_t len)
{
    if (h->kind == NULL)
        return 0;
    h->keyed = h->started = cv_hmac_init(&h->hmac, h->kind, key, len) == CV_OK;
    return (int)h->keyed;
}

static int hmac_set(void *ctx, const OSSL_PARAM params[])
{
    struct hmac *h = ctx;
    const char *name = pv_mac_asked(params, OSSL_MAC_PARAM_DIGEST);
    const uint8_t *key;
    size_t len;
    if (params == NULL)
        return 1;
    if (name && h->mac.other == NULL) {
        const cv_hash_kind *kind = pv_digest_named(name);
        if (kind == NULL && !pv_mac_delegate(&h->mac, "HMAC"))
            return 0;
        h->keyed &= kind == h->kind;
        h->started &= h->keyed;
        h->kind = kind;
    }
    if (h->mac.other)
        return EVP_MAC_CTX_set_params(h->mac.other, params);
    return pv_take_size(params, OSSL_MAC_PARAM_TLS_DATA_SIZE, &h->record_len) && pv_mac_key(params, &key, &len)
        && (key == NULL || set_key(h, key, len));
}

static int hmac_init(void *ctx, const unsigned char *key, size_t len, const OSSL_PARAM params[])
{
    struct hmac *h = ctx;
    if (!hmac_set(h, params))
        return 0;
    if (h->mac.other)
        return EVP_MAC_init(h->mac.other, key, len, NULL);
    h->header_set = h->record_done = 0;
    if (key)
        return set_key(h, key, len);
    if (h->keyed)
        cv_hmac_restart(&h->hmac);
    h->started = h->keyed;
    return (int)h->keyed;
}

/* The record's header, then the record. */
static int update_record(struct hmac *h, const uint8_t *data, size_t len)
{
    if (!h->header_set) {
        if (len != PV_TLS_HEADER)
            return 0;
        memcpy(h->header, data, PV_TLS_HEADER);
        return h->header_set = 1;
    }
    if (h->record_len < len)
        return 0;
    h->record_done = (unsigned)pv_tls_hmac(&h->hmac, h->kind, h->code, h->header, data, len, h->record_len);
    return (int)h->record_done;
}

static int hmac_update(void *ctx, const unsigned char *data, size_t len)
{
    struct hmac *h = ctx;
    if (h->mac.other)
        return EVP_MAC_update(h->mac.other, data, len);
    if (!h->started)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (h->record_len)
        return update_record(h, data, len);
    if (len)
        cv_hmac_update(&h->hmac, data, len);
    return 1;
}

static int hmac_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct hmac *h = ctx;
    if (h->mac.other)
        return EVP_MAC_final(h->mac.other, out, out_len, room);
    if (!h->started || (h->record_len && !h->record_done))
        return pv_fail(PROV_R_NO_KEY_SET);
    h->started = 0;
    *out_len = cv_hash_size(h->kind);
    if (h->record_len)
        memcpy(out, h->code, *out_len);
    else
        cv_hmac_final(&h->hmac, out);
    return 1;
}

static int hmac_get(void *ctx, OSSL_PARAM params[])
{
    struct hmac *h = ctx;
    if (h->mac.other)
        return EVP_MAC_CTX_get_params(h->mac.other, params);
    return pv_put_size(params, OSSL_MAC_PARAM_SIZE, h->kind ? cv_hash_size(h->kind) : 0)
        && pv_put_size(params, OSSL_MAC_PARAM_BLOCK_SIZE, h->kind ? cv_hash_block(h->kind) : 0);
}

static const OSSL_PARAM *hmac_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_PROPERTIES, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
        OSSL_PARAM_int(OSSL_MAC_PARAM_DIGEST_NOINIT, NULL),
        OSSL_PARAM_int(OSSL_MAC_PARAM_DIGEST_ONESHOT, NULL),
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_TLS_DATA_SIZE, NULL),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

const OSSL_DISPATCH pv_hmac[] = {
    PV_ENTRY(MAC_NEWCTX, mac_newctx, hmac_new),
    PV_MAC_COMMON(hmac),
    PV_ENTRY(MAC_GET_CTX_PARAMS, mac_get_ctx_params, hmac_get),
    PV_ENTRY(MAC_GETTABLE_CTX_PARAMS, mac_gettable_ctx_params, pv_mac_gettable),
    PV_END,
};

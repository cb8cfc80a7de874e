/* KMAC (SP 800-185) with keys and customization strings of the lengths that OpenSSL accepts. */
#include "mac.h"

#define MIN_KEY 4
#define MAX_KEY 512
#define MAX_CUSTOM 512
/* Length in bytes of the longest code, whose length in bits takes three bytes. */
#define MAX_CODE (0xffffff / 8)

struct kmac {
    struct pv_mac mac;
    const cv_hash_kind *kind;
    cv_hash hash;
    uint8_t key[MAX_KEY], custom[MAX_CUSTOM];
    size_t key_len, custom_len, code_len;
    unsigned xof, started;
};

static void *new(void *provider, const cv_hash_kind *kind, size_t code_len)
{
    struct kmac *k = pv_mac_new(provider, sizeof *k);
    if (k) {
        k->kind = kind;
        k->code_len = code_len;
    }
    return k;
}

static void *kmac128_new(void *provider)
{
    return new (provider, &cv_shake128, 32);
}

static void *kmac256_new(void *provider)
{
    return new (provider, &cv_shake256, 64);
}

static void kmac_free(void *ctx)
{
    pv_mac_free(ctx, sizeof(struct kmac));
}

static void *kmac_dup(void *ctx)
{
    return pv_mac_dup(ctx, sizeof(struct kmac));
}

static int set_key(struct kmac *k, const uint8_t *key, size_t len)
{
    if (len < MIN_KEY || len > MAX_KEY)
        return pv_fail(PROV_R_INVALID_KEY_LENGTH);
    memcpy(k->key, key, len);
    k->key_len = len;
    return 1;
}

static int kmac_set(void *ctx, const OSSL_PARAM params[])
{
    struct kmac *k = ctx;
    const OSSL_PARAM *custom;
    const uint8_t *key;
    size_t len, code_len = k->code_len;
    int xof = (int)k->xof;
    if (params == NULL)
        return 1;
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_XOF);
    if ((p && !OSSL_PARAM_get_int(p, &xof)) || !pv_take_size(params, OSSL_MAC_PARAM_SIZE, &code_len))
        return 0;
    if (code_len > MAX_CODE)
        return pv_fail(PROV_R_INVALID_OUTPUT_LENGTH);
    k->xof = xof != 0;
    k->code_len = code_len;
    if (!pv_mac_key(params, &key, &len) || (key && !set_key(k, key, len)))
        return 0;
    custom = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_CUSTOM);
    if (custom) {
        if (custom->data_size > MAX_CUSTOM)
            return pv_fail(PROV_R_INVALID_CUSTOM_LENGTH);
        if (custom->data_size)
            memcpy(k->custom, custom->data, custom->data_size);
        k->custom_len = custom->data_size;
    }
    return 1;
}

static int kmac_init(void *ctx, const unsigned char *key, size_t len, const OSSL_PARAM params[])
{
    struct kmac *k = ctx;
    if (!kmac_set(k, params) || (key && !set_key(k, key, len)))
        return 0;
    if (k->key_len == 0)
        return pv_fail(PROV_R_NO_KEY_SET);
    cv_kmac_init(&k->hash, k->kind, k->key, k->key_len, k->custom, k->custom_len);
    return k->started = 1;
}

static int kmac_update(void *ctx, const unsigned char *data, size_t len)
{
    struct kmac *k = ctx;
    if (!k->started)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (len)
        cv_hash_update(&k->hash, data, len);
    return 1;
}

static int kmac_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct kmac *k = ctx;
    if (!k->started)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (room < k->code_len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    if (k->xof) {
        cv_kmac_final_xof(&k->hash);
        cv_xof_squeeze(&k->hash, out, k->code_len);
    } else {
        cv_kmac_final(&k->hash, out, k->code_len);
    }
    k->started = 0;
    *out_len = k->code_len;
    return 1;
}

static int kmac_get(void *ctx, OSSL_PARAM params[])
{
    const struct kmac *k = ctx;
    return pv_put_size(params, OSSL_MAC_PARAM_SIZE, k->code_len)
        && pv_put_size(params, OSSL_MAC_PARAM_BLOCK_SIZE, cv_hash_block(k->kind));
}

static const OSSL_PARAM *kmac_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_int(OSSL_MAC_PARAM_XOF, NULL),
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_CUSTOM, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

#define KMAC(id) \
    const OSSL_DISPATCH pv_##id[] = { PV_ENTRY(MAC_NEWCTX, mac_newctx, id##_new), PV_MAC_COMMON(kmac), \
                                      PV_ENTRY(MAC_GET_CTX_PARAMS, mac_get_ctx_params, kmac_get), \
                                      PV_ENTRY(MAC_GETTABLE_CTX_PARAMS, mac_gettable_ctx_params, pv_mac_gettable), \
                                      PV_END };

KMAC(kmac128)
KMAC(kmac256)

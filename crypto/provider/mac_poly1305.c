/* Poly1305. A key is for one message: beginning another one with the same key is refused. */
#include "mac.h"

#define KEY_LEN 32
#define CODE_LEN 16

struct poly1305 {
    struct pv_mac mac;
    cv_poly1305 poly;
    unsigned keyed, used;
};

static void *poly1305_new(void *provider)
{
    return pv_mac_new(provider, sizeof(struct poly1305));
}

static void poly1305_free(void *ctx)
{
    pv_mac_free(ctx, sizeof(struct poly1305));
}

static void *poly1305_dup(void *ctx)
{
    return pv_mac_dup(ctx, sizeof(struct poly1305));
}

static int set_key(struct poly1305 *p, const uint8_t *key, size_t len)
{
    if (len != KEY_LEN)
        return pv_fail(PROV_R_INVALID_KEY_LENGTH);
    cv_poly1305_init(&p->poly, key);
    p->keyed = 1;
    p->used = 0;
    return 1;
}

static int poly1305_set(void *ctx, const OSSL_PARAM params[])
{
    const uint8_t *key;
    size_t len;
    return pv_mac_key(params, &key, &len) && (key == NULL || set_key(ctx, key, len));
}

static int poly1305_init(void *ctx, const unsigned char *key, size_t len, const OSSL_PARAM params[])
{
    struct poly1305 *p = ctx;
    if (!poly1305_set(p, params))
        return 0;
    return key ? set_key(p, key, len) : !p->used;
}

static int poly1305_update(void *ctx, const unsigned char *data, size_t len)
{
    struct poly1305 *p = ctx;
    if (len && !p->keyed)
        return pv_fail(PROV_R_NO_KEY_SET);
    p->used = 1;
    if (len)
        cv_poly1305_update(&p->poly, data, len);
    return 1;
}

static int poly1305_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct poly1305 *p = ctx;
    (void)room;
    if (!p->keyed)
        return pv_fail(PROV_R_NO_KEY_SET);
    p->used = 1;
    p->keyed = 0;
    cv_poly1305_final(&p->poly, out);
    *out_len = CODE_LEN;
    return 1;
}

static const OSSL_PARAM *poly1305_gettable(void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
        OSSL_PARAM_END,
    };
    (void)provider;
    return known;
}

static int poly1305_get(OSSL_PARAM params[])
{
    return pv_put_size(params, OSSL_MAC_PARAM_SIZE, CODE_LEN);
}

static const OSSL_PARAM *poly1305_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

const OSSL_DISPATCH pv_poly1305[] = {
    PV_ENTRY(MAC_NEWCTX, mac_newctx, poly1305_new),
    PV_MAC_COMMON(poly1305),
    PV_ENTRY(MAC_GET_PARAMS, mac_get_params, poly1305_get),
    PV_ENTRY(MAC_GETTABLE_PARAMS, mac_gettable_params, poly1305_gettable),
    PV_END,
};

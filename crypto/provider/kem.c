/* Key encapsulation, for ML-KEM and its hybrids. */
#include "pkey.h"

struct kem {
    const struct pv_key *key;
    unsigned decapsulates;
    uint8_t random[PV_MAX_RANDOM]; /* chosen by the caller, for one encapsulation */
    unsigned chosen;
};

static const struct pv_kem_scheme *scheme_of(const struct pv_key *key)
{
    return (const struct pv_kem_scheme *)key->kind->scheme;
}

static void *kem_new(void *provider)
{
    (void)provider;
    return OPENSSL_zalloc(sizeof(struct kem));
}

static void kem_free(void *ctx)
{
    OPENSSL_clear_free(ctx, sizeof(struct kem));
}

static void forget(struct kem *k)
{
    OPENSSL_cleanse(k->random, sizeof k->random);
    k->chosen = 0;
}

static int kem_set(void *ctx, const OSSL_PARAM params[])
{
    struct kem *k = ctx;
    const OSSL_PARAM *p = params ? OSSL_PARAM_locate_const(params, PV_IKME) : NULL;
    void *random = k->random;
    size_t len = k->key ? pv_sizes_of(k->key->kind).random : 0, came;
    if (p == NULL || len == 0 || k->decapsulates)
        return 1;
    k->chosen = OSSL_PARAM_get_octet_string(p, &random, len, &came) && came == len;
    return k->chosen || pv_fail(PROV_R_INVALID_SEED_LENGTH);
}

static const OSSL_PARAM *kem_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string(PV_IKME, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

static int begin(struct kem *k, const struct pv_key *key, unsigned decapsulates, const OSSL_PARAM params[])
{
    if (!pv_key_has(key, decapsulates ? OSSL_KEYMGMT_SELECT_PRIVATE_KEY : OSSL_KEYMGMT_SELECT_PUBLIC_KEY))
        return pv_fail(PROV_R_MISSING_KEY);
    k->key = key;
    k->decapsulates = decapsulates;
    forget(k);
    return kem_set(k, params);
}

static int kem_encapsulate_init(void *ctx, void *key, const OSSL_PARAM params[])
{
    return begin(ctx, key, 0, params);
}

static int kem_decapsulate_init(void *ctx, void *key, const OSSL_PARAM params[])
{
    return begin(ctx, key, 1, params);
}

/* Without an output, only the lengths are asked for. */
static int kem_encapsulate(void *ctx, unsigned char *out, size_t *out_len, unsigned char *secret, size_t *secret_len)
{
    struct kem *k = ctx;
    struct pv_sizes sizes;
    int done;
    if (k->key == NULL)
        return pv_fail(PROV_R_MISSING_KEY);
    sizes = pv_sizes_of(k->key->kind);
    if (out == NULL) {
        if (out_len)
            *out_len = sizes.output;
        if (secret_len)
            *secret_len = sizes.secret;
        return out_len != NULL || secret_len != NULL;
    }
    if (secret == NULL || out_len == NULL || secret_len == NULL || *out_len < sizes.output
        || *secret_len < sizes.secret)
        done = pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    else
        done = scheme_of(k->key)->encaps(k->key, out, secret, k->chosen ? k->random : NULL);
    forget(k);
    if (!done) {
        if (secret && secret_len)
            OPENSSL_cleanse(secret, *secret_len < sizes.secret ? *secret_len : sizes.secret);
        return 0;
    }
    *out_len = sizes.output;
    *secret_len = sizes.secret;
    return 1;
}

static int kem_decapsulate(void *ctx, unsigned char *secret, size_t *secret_len, const unsigned char *in, size_t len)
{
    struct kem *k = ctx;
    struct pv_sizes sizes;
    if (k->key == NULL || !k->key->has_private)
        return pv_fail(PROV_R_MISSING_KEY);
    sizes = pv_sizes_of(k->key->kind);
    if (secret == NULL) {
        if (secret_len)
            *secret_len = sizes.secret;
        return secret_len != NULL;
    }
    if (secret_len && *secret_len < sizes.secret)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    if (len != sizes.output)
        return pv_fail(PROV_R_BAD_LENGTH);
    if (!scheme_of(k->key)->decaps(k->key, secret, in, len)) {
        OPENSSL_cleanse(secret, sizes.secret);
        return 0;
    }
    if (secret_len)
        *secret_len = sizes.secret;
    return 1;
}

const OSSL_DISPATCH pv_kem[] = {
    PV_ENTRY(KEM_NEWCTX, kem_newctx, kem_new),
    PV_ENTRY(KEM_FREECTX, kem_freectx, kem_free),
    PV_ENTRY(KEM_ENCAPSULATE_INIT, kem_encapsulate_init, kem_encapsulate_init),
    PV_ENTRY(KEM_ENCAPSULATE, kem_encapsulate, kem_encapsulate),
    PV_ENTRY(KEM_DECAPSULATE_INIT, kem_decapsulate_init, kem_decapsulate_init),
    PV_ENTRY(KEM_DECAPSULATE, kem_decapsulate, kem_decapsulate),
    PV_ENTRY(KEM_SET_CTX_PARAMS, kem_set_ctx_params, kem_set),
    PV_ENTRY(KEM_SETTABLE_CTX_PARAMS, kem_settable_ctx_params, kem_settable),
    PV_END,
};

/* Key pairs as parameters: import, export, and what can be asked of a key.
 *
 * OpenSSL's encoders and decoders use these, so files of keys are the same as with OpenSSL's own providers. */
#include "pkey.h"

#define PAIR OSSL_KEYMGMT_SELECT_KEYPAIR
#define PUBLIC OSSL_KEYMGMT_SELECT_PUBLIC_KEY
#define PRIVATE OSSL_KEYMGMT_SELECT_PRIVATE_KEY

/* The bytes of that name; NULL if there are none. Returns 0 if their number is not `len`. */
static int take(const OSSL_PARAM params[], const char *name, size_t len, const uint8_t **bytes)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, name);
    const void *found = NULL;
    size_t came = 0;
    *bytes = NULL;
    if (p == NULL)
        return 1;
    if (!OSSL_PARAM_get_octet_string_ptr(p, &found, &came))
        return pv_fail(PROV_R_FAILED_TO_GET_PARAMETER);
    if (came && came != len)
        return pv_fail(PROV_R_INVALID_KEY_LENGTH);
    *bytes = came ? found : NULL;
    return 1;
}

/* Whether the key has this public or private part. */
static int has_bytes(const struct pv_key *key, int (*give)(const struct pv_key *, uint8_t *), const uint8_t *bytes,
                     size_t len)
{
    uint8_t *own = OPENSSL_malloc(len);
    int same = own && give(key, own) && CRYPTO_memcmp(own, bytes, len) == 0;
    OPENSSL_clear_free(own, len);
    return same;
}

/* From the seed if there is one, else from the private key, else from the public key; any other part that is given must
 * match. */
static int import(struct pv_key *key, const uint8_t *seed, const uint8_t *private, const uint8_t *public)
{
    const struct pv_scheme *scheme = key->kind->scheme;
    struct pv_sizes sizes = pv_sizes_of(key->kind);
    if (seed) {
        if (!scheme->generate(key, seed))
            return 0;
        key->has_seed = key->has_private = 1;
        if (private && !has_bytes(key, scheme->give_private, private, sizes.private))
            return pv_fail(PROV_R_INVALID_KEY);
    } else if (private) {
        if (!scheme->take_private(key, private))
            return pv_fail(PROV_R_INVALID_KEY);
        key->has_private = 1;
    } else {
        return scheme->take_public(key, public) || pv_fail(PROV_R_INVALID_KEY);
    }
    return public == NULL || has_bytes(key, scheme->give_public, public, sizes.public) || pv_fail(PROV_R_INVALID_KEY);
}

static int has_length(const OSSL_PARAM params[], const char *name, size_t len)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, name);
    return p && p->data_type == OSSL_PARAM_OCTET_STRING && p->data_size == len;
}

/* A private key without its public part, which is passed with it. */
static int import_short(struct pv_key *key, const uint8_t *private, const uint8_t *public)
{
    struct pv_sizes sizes = pv_sizes_of(key->kind);
    uint8_t *whole = OPENSSL_malloc(sizes.private);
    int done = whole != NULL;
    if (done) {
        memcpy(whole, private, sizes.short_private);
        memcpy(whole + sizes.short_private, public, sizes.public);
        done = import(key, NULL, whole, public);
    }
    OPENSSL_clear_free(whole, sizes.private);
    return done;
}

int pv_key_import(void *vkey, int selection, const OSSL_PARAM params[])
{
    struct pv_key *key = vkey;
    struct pv_sizes sizes;
    const uint8_t *public, *private = NULL, *seed = NULL;
    int is_short;
    if (key == NULL || !(selection & PAIR))
        return 0;
    sizes = pv_sizes_of(key->kind);
    is_short = sizes.short_private && has_length(params, OSSL_PKEY_PARAM_PRIV_KEY, sizes.short_private);
    if (!take(params, OSSL_PKEY_PARAM_PUB_KEY, sizes.public, &public)
        || ((selection & PRIVATE)
            && (!take(params, OSSL_PKEY_PARAM_PRIV_KEY, is_short ? sizes.short_private : sizes.private, &private)
                || (key->kind->scheme->give_seed && !take(params, PV_SEED, sizes.seed, &seed)))))
        return 0;
    if ((public == NULL && private == NULL && seed == NULL) || (is_short && private && public == NULL))
        return pv_fail(PROV_R_MISSING_KEY);
    if (!pv_key_begin(key))
        return 0;
    if (is_short && private ? import_short(key, private, public) : import(key, seed, private, public))
        return 1;
    pv_key_clear(key);
    return 0;
}

const OSSL_PARAM *pv_key_types(int selection)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
        OSSL_PARAM_octet_string(PV_SEED, NULL, 0),
        OSSL_PARAM_END,
    };
    return selection & PAIR ? known : NULL;
}

int pv_key_export(void *vkey, int selection, OSSL_CALLBACK *receive, void *arg)
{
    struct pv_key *key = vkey;
    const struct pv_scheme *scheme;
    OSSL_PARAM params[4], *p = params;
    struct pv_sizes sizes;
    uint8_t *bytes, *at;
    size_t all;
    int done;
    if (key == NULL || !(selection & PAIR))
        return 0;
    if (key->state == NULL)
        return pv_fail(PROV_R_MISSING_KEY);
    scheme = key->kind->scheme;
    sizes = pv_sizes_of(key->kind);
    all = sizes.seed + sizes.private + sizes.public;
    at = bytes = OPENSSL_zalloc(all);
    done = bytes != NULL;
    if (done && (selection & PRIVATE) && key->has_seed) {
        done = scheme->give_seed(key, at);
        *p++ = OSSL_PARAM_construct_octet_string(PV_SEED, at, sizes.seed);
        at += sizes.seed;
    }
    if (done && (selection & PRIVATE) && key->has_private) {
        done = scheme->give_private(key, at);
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, at, sizes.private);
        at += sizes.private;
    }
    if (done && (selection & PUBLIC)) {
        done = scheme->give_public(key, at);
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, at, sizes.public);
    }
    *p = OSSL_PARAM_construct_end();
    done = done && p != params && receive(params, arg);
    OPENSSL_clear_free(bytes, all);
    return done;
}

#define GETTABLE \
    OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL), OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL), \
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL), OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0), \
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0), OSSL_PARAM_octet_string(PV_SEED, NULL, 0)

const OSSL_PARAM *pv_kem_key_gettable(void *provider)
{
    static const OSSL_PARAM known[] = {
        GETTABLE,
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)provider;
    return known;
}

const OSSL_PARAM *pv_signature_key_gettable(void *provider)
{
    static const OSSL_PARAM known[] = {
        GETTABLE,
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_MANDATORY_DIGEST, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)provider;
    return known;
}

/* Writes a part of the key to the parameter of that name, or its length if there is no room yet. */
static int put(const struct pv_key *key, OSSL_PARAM params[], const char *name, size_t len,
               int (*give)(const struct pv_key *, uint8_t *))
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, name);
    if (p == NULL)
        return 1;
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return pv_fail(PROV_R_FAILED_TO_SET_PARAMETER);
    p->return_size = len;
    if (p->data == NULL)
        return 1;
    return (p->data_size >= len && give(key, p->data)) || pv_fail(PROV_R_FAILED_TO_SET_PARAMETER);
}

static int get(const struct pv_key *key, OSSL_PARAM params[])
{
    const struct pv_kind *kind = key->kind;
    const struct pv_scheme *scheme = kind->scheme;
    struct pv_sizes sizes = pv_sizes_of(kind);
    return pv_put_int(params, OSSL_PKEY_PARAM_BITS, kind->bits)
        && pv_put_int(params, OSSL_PKEY_PARAM_SECURITY_BITS, kind->security_bits)
        && pv_put_int(params, OSSL_PKEY_PARAM_MAX_SIZE, (int)sizes.output)
        && (!key->state || put(key, params, OSSL_PKEY_PARAM_PUB_KEY, sizes.public, scheme->give_public))
        && (!key->has_private || put(key, params, OSSL_PKEY_PARAM_PRIV_KEY, sizes.private, scheme->give_private))
        && (!key->has_seed || put(key, params, PV_SEED, sizes.seed, scheme->give_seed));
}

int pv_kem_key_get(void *vkey, OSSL_PARAM params[])
{
    const struct pv_key *key = vkey;
    return get(key, params)
        && (!key->state
            || put(key, params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, pv_sizes_of(key->kind).public,
                   key->kind->scheme->give_public));
}

/* A digest without a name means that the scheme signs messages and not their digests. */
int pv_signature_key_get(void *vkey, OSSL_PARAM params[])
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_MANDATORY_DIGEST);
    return get(vkey, params) && (p == NULL || OSSL_PARAM_set_utf8_string(p, ""));
}

const OSSL_PARAM *pv_key_settable(void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)provider;
    return known;
}

/* A public key from a peer, in an object that has no key yet. */
int pv_key_set(void *vkey, const OSSL_PARAM params[])
{
    struct pv_key *key = vkey;
    const OSSL_PARAM *p = params ? OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY) : NULL;
    const void *bytes;
    size_t len;
    if (p == NULL)
        return 1;
    if (!OSSL_PARAM_get_octet_string_ptr(p, &bytes, &len) || len != pv_sizes_of(key->kind).public || key->state)
        return pv_fail(PROV_R_INVALID_KEY);
    if (pv_key_begin(key) && key->kind->scheme->take_public(key, bytes))
        return 1;
    pv_key_clear(key);
    return pv_fail(PROV_R_INVALID_KEY);
}

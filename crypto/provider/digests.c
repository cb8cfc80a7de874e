/* Hashes. */
#include "digests.h"

/* An extendable hash whose length was not set. */
#define NO_LENGTH SIZE_MAX

/* Output of an extendable hash whose length was not set: nothing since OpenSSL 3.4; before that, as many bits
 * as its security strength (128 or 256). */
#if OPENSSL_VERSION_PREREQ(3, 4)
# define USUAL_LENGTH(bits) 0
#else
# define USUAL_LENGTH(bits) ((bits) / 8)
#endif

struct digest {
    cv_hash hash;
    size_t xof_len;
    unsigned squeezed;
};

/* Contexts are created for every message of EVP_Digest: therefore nothing is initialised that the beginning of a
 * message sets, and nothing is wiped twice. */
static void *digest_new(void *provider)
{
    struct digest *d = OPENSSL_malloc(sizeof *d);
    (void)provider;
    if (d) {
        d->hash.kind = NULL;
        d->xof_len = NO_LENGTH;
        d->squeezed = 0;
    }
    return d;
}

static void digest_free(void *ctx)
{
    struct digest *d = ctx;
    if (d && (d->hash.kind || d->squeezed))
        cv_wipe(&d->hash, sizeof d->hash);
    OPENSSL_free(d);
}

static void *digest_dup(void *ctx)
{
    return OPENSSL_memdup(ctx, sizeof(struct digest));
}

#ifdef OSSL_FUNC_DIGEST_COPYCTX
static void digest_copy(void *to, void *from)
{
    memcpy(to, from, sizeof(struct digest));
}
#endif

static int digest_init(struct digest *d, const cv_hash_kind *kind)
{
    d->squeezed = 0;
    cv_hash_init(&d->hash, kind);
    return 1;
}

static int digest_update(void *ctx, const unsigned char *data, size_t len)
{
    struct digest *d = ctx;
    if (d->squeezed || d->hash.kind == NULL)
        return 0;
    if (len)
        cv_hash_update(&d->hash, data, len);
    return 1;
}

/* A hash that has ended or been squeezed has no kind. */
static int digest_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct digest *d = ctx;
    if (d->hash.kind == NULL)
        return 0;
    *out_len = cv_hash_size(d->hash.kind);
    if (room == 0)
        return 1;
    if (room < *out_len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    cv_hash_final(&d->hash, out);
    return 1;
}

static int xof_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct digest *d = ctx;
    if (d->hash.kind == NULL || d->squeezed)
        return 0;
    if (d->xof_len == NO_LENGTH)
        return pv_fail(PROV_R_INVALID_DIGEST_LENGTH);
    *out_len = d->xof_len;
    if (room == 0)
        return 1;
    if (room < d->xof_len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    cv_xof_squeeze(&d->hash, out, d->xof_len);
    cv_wipe(&d->hash, sizeof d->hash);
    return 1;
}

#ifdef OSSL_FUNC_DIGEST_SQUEEZE
static int xof_squeeze(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct digest *d = ctx;
    if (d->hash.kind == NULL && !d->squeezed)
        return 0;
    d->squeezed |= room != 0;
    if (room)
        cv_xof_squeeze(&d->hash, out, room);
    *out_len = room;
    return 1;
}
#endif

static const OSSL_PARAM *digest_gettable(void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_BLOCK_SIZE, NULL),
        OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL),
        OSSL_PARAM_int(OSSL_DIGEST_PARAM_XOF, NULL),
        OSSL_PARAM_int(OSSL_DIGEST_PARAM_ALGID_ABSENT, NULL),
        OSSL_PARAM_END,
    };
    (void)provider;
    return known;
}

/* `absent` says that an AlgorithmIdentifier has no parameters, rather than NULL ones. */
static int digest_get(OSSL_PARAM params[], const cv_hash_kind *kind, size_t size, int xof, int absent)
{
    return pv_put_size(params, OSSL_DIGEST_PARAM_BLOCK_SIZE, cv_hash_block(kind))
        && pv_put_size(params, OSSL_DIGEST_PARAM_SIZE, size) && pv_put_int(params, OSSL_DIGEST_PARAM_XOF, xof)
        && pv_put_int(params, OSSL_DIGEST_PARAM_ALGID_ABSENT, absent);
}

static const OSSL_PARAM xof_lengths[] = {
    OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_XOFLEN, NULL),
    OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL),
    OSSL_PARAM_END,
};

static const OSSL_PARAM *xof_settable(void *ctx, void *provider)
{
    (void)ctx, (void)provider;
    return xof_lengths;
}

static int xof_set(void *ctx, const OSSL_PARAM params[])
{
    struct digest *d = ctx;
    return params == NULL
        || (pv_take_size(params, OSSL_DIGEST_PARAM_SIZE, &d->xof_len)
            && pv_take_size(params, OSSL_DIGEST_PARAM_XOFLEN, &d->xof_len));
}

#if OPENSSL_VERSION_PREREQ(3, 4)
static const OSSL_PARAM *xof_gettable(void *ctx, void *provider)
{
    return xof_settable(ctx, provider);
}

static int xof_get(void *ctx, OSSL_PARAM params[])
{
    const struct digest *d = ctx;
    return pv_put_size(params, OSSL_DIGEST_PARAM_XOFLEN, d->xof_len)
        && pv_put_size(params, OSSL_DIGEST_PARAM_SIZE, d->xof_len);
}
#endif

#ifdef OSSL_FUNC_DIGEST_COPYCTX
# define COPY PV_ENTRY(DIGEST_COPYCTX, digest_copyctx, digest_copy),
#else
# define COPY
#endif
#ifdef OSSL_FUNC_DIGEST_SQUEEZE
# define SQUEEZE PV_ENTRY(DIGEST_SQUEEZE, digest_squeeze, xof_squeeze),
#else
# define SQUEEZE
#endif
#if OPENSSL_VERSION_PREREQ(3, 4)
# define XOF_GET \
     PV_ENTRY(DIGEST_GET_CTX_PARAMS, digest_get_ctx_params, xof_get), \
         PV_ENTRY(DIGEST_GETTABLE_CTX_PARAMS, digest_gettable_ctx_params, xof_gettable),
#else
# define XOF_GET
#endif

#define COMMON(id) \
    PV_ENTRY(DIGEST_NEWCTX, digest_newctx, digest_new), PV_ENTRY(DIGEST_FREECTX, digest_freectx, digest_free), \
        PV_ENTRY(DIGEST_DUPCTX, digest_dupctx, digest_dup), COPY PV_ENTRY(DIGEST_INIT, digest_init, id##_init), \
        PV_ENTRY(DIGEST_UPDATE, digest_update, digest_update), \
        PV_ENTRY(DIGEST_GET_PARAMS, digest_get_params, id##_get), \
        PV_ENTRY(DIGEST_GETTABLE_PARAMS, digest_gettable_params, digest_gettable)

#define DIGEST(id, absent) \
    static int id##_init(void *ctx, const OSSL_PARAM params[]) \
    { \
        (void)params; \
        return digest_init(ctx, &cv_##id); \
    } \
    static int id##_get(OSSL_PARAM params[]) \
    { \
        return digest_get(params, &cv_##id, cv_hash_size(&cv_##id), 0, absent); \
    } \
    static const OSSL_DISPATCH id##_functions[] = { COMMON(id), PV_ENTRY(DIGEST_FINAL, digest_final, digest_final), \
                                                    PV_END };

#define XOF(id, bits) \
    static int id##_init(void *ctx, const OSSL_PARAM params[]) \
    { \
        struct digest *d = ctx; \
        if (d->xof_len == NO_LENGTH && USUAL_LENGTH(bits)) \
            d->xof_len = USUAL_LENGTH(bits); \
        return digest_init(d, &cv_##id) && xof_set(d, params); \
    } \
    static int id##_get(OSSL_PARAM params[]) \
    { \
        return digest_get(params, &cv_##id, USUAL_LENGTH(bits), 1, 1); \
    } \
    static const OSSL_DISPATCH id##_functions[] = { \
        COMMON(id), PV_ENTRY(DIGEST_FINAL, digest_final, xof_final), \
        SQUEEZE XOF_GET PV_ENTRY(DIGEST_SET_CTX_PARAMS, digest_set_ctx_params, xof_set), \
        PV_ENTRY(DIGEST_SETTABLE_CTX_PARAMS, digest_settable_ctx_params, xof_settable), PV_END \
    };

DIGEST(sha1, 1)
DIGEST(sha224, 1)
DIGEST(sha256, 1)
DIGEST(sha384, 1)
DIGEST(sha512, 1)
DIGEST(sha512_224, 1)
DIGEST(sha512_256, 1)
DIGEST(sha3_224, 1)
DIGEST(sha3_256, 1)
DIGEST(sha3_384, 1)
DIGEST(sha3_512, 1)
DIGEST(sm3, 0)
XOF(shake128, 128)
XOF(shake256, 256)

/* Under the names of OpenSSL's own providers. */
#define ALL(X) \
    X(sha1, "SHA1:SHA-1:SSL3-SHA1:1.3.14.3.2.26") \
    X(sha224, "SHA2-224:SHA-224:SHA224:2.16.840.1.101.3.4.2.4") \
    X(sha256, "SHA2-256:SHA-256:SHA256:2.16.840.1.101.3.4.2.1") \
    X(sha384, "SHA2-384:SHA-384:SHA384:2.16.840.1.101.3.4.2.2") \
    X(sha512, "SHA2-512:SHA-512:SHA512:2.16.840.1.101.3.4.2.3") \
    X(sha512_224, "SHA2-512/224:SHA-512/224:SHA512-224:2.16.840.1.101.3.4.2.5") \
    X(sha512_256, "SHA2-512/256:SHA-512/256:SHA512-256:2.16.840.1.101.3.4.2.6") \
    X(sha3_224, "SHA3-224:2.16.840.1.101.3.4.2.7") \
    X(sha3_256, "SHA3-256:2.16.840.1.101.3.4.2.8") \
    X(sha3_384, "SHA3-384:2.16.840.1.101.3.4.2.9") \
    X(sha3_512, "SHA3-512:2.16.840.1.101.3.4.2.10") \
    X(sm3, "SM3:1.2.156.10197.1.401")

#define LIST(id, names) { names, PV_PROPERTY, id##_functions, NULL },
#define KIND(id, names) \
    if (pv_is_named(names, name)) \
        return &cv_##id;

const OSSL_ALGORITHM pv_digests[] = {
    ALL(LIST) LIST(shake128, "SHAKE-128:SHAKE128:2.16.840.1.101.3.4.2.11")
        LIST(shake256, "SHAKE-256:SHAKE256:2.16.840.1.101.3.4.2.12"){ NULL, NULL, NULL, NULL },
};

const cv_hash_kind *pv_digest_named(const char *name)
{
    ALL(KIND)
    return NULL;
}

/* Signing and verifying, for ML-DSA and SLH-DSA: whole messages, in one call. */
#include "signature.h"

/* Names that headers of older versions lack. */
#define CONTEXT_STRING "context-string"
#define TEST_ENTROPY "test-entropy"
#define DETERMINISTIC "deterministic"
#define MESSAGE_ENCODING "message-encoding"
#define MU "mu"

struct signing {
    const struct pv_key *key;
    uint8_t context[PV_MAX_CONTEXT];
    size_t context_len;
    uint8_t random[PV_MAX_RANDOM]; /* chosen by the caller */
    unsigned chosen;
    int deterministic, encode, is_mu;
};

static const struct pv_signature_scheme *scheme_of(const struct pv_key *key)
{
    return (const struct pv_signature_scheme *)key->kind->scheme;
}

static void *signature_new(void *provider, const char *properties)
{
    struct signing *s = OPENSSL_zalloc(sizeof *s);
    (void)provider, (void)properties;
    if (s)
        s->encode = 1;
    return s;
}

static void signature_free(void *ctx)
{
    OPENSSL_clear_free(ctx, sizeof(struct signing));
}

/* The application keeps the key for as long as contexts use it. */
static void *signature_dup(void *ctx)
{
    return OPENSSL_memdup(ctx, sizeof(struct signing));
}

static int take_context(struct signing *s, const OSSL_PARAM params[])
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, CONTEXT_STRING);
    void *context = s->context;
    if (p == NULL || OSSL_PARAM_get_octet_string(p, &context, sizeof s->context, &s->context_len))
        return 1;
    s->context_len = 0;
    return 0;
}

static int take_random(struct signing *s, const OSSL_PARAM params[])
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, TEST_ENTROPY);
    size_t len = s->key ? pv_sizes_of(s->key->kind).random : 0, came;
    void *random = s->random;
    if (p == NULL)
        return 1;
    s->chosen = len && OSSL_PARAM_get_octet_string(p, &random, len, &came) && came == len;
    return s->chosen || pv_fail(PROV_R_INVALID_SEED_LENGTH);
}

static int take_int(const OSSL_PARAM params[], const char *name, int *value)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, name);
    return p == NULL || OSSL_PARAM_get_int(p, value);
}

static int signature_set(void *ctx, const OSSL_PARAM params[])
{
    struct signing *s = ctx;
    return params == NULL
        || (take_context(s, params) && take_random(s, params) && take_int(params, DETERMINISTIC, &s->deterministic)
            && take_int(params, MESSAGE_ENCODING, &s->encode) && take_int(params, MU, &s->is_mu));
}

#define SETTABLE \
    OSSL_PARAM_octet_string(CONTEXT_STRING, NULL, 0), OSSL_PARAM_octet_string(TEST_ENTROPY, NULL, 0), \
        OSSL_PARAM_int(DETERMINISTIC, NULL), OSSL_PARAM_int(MESSAGE_ENCODING, NULL)

static const OSSL_PARAM *mldsa_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = { SETTABLE, OSSL_PARAM_int(MU, NULL), OSSL_PARAM_END };
    (void)ctx, (void)provider;
    return known;
}

static const OSSL_PARAM *slhdsa_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = { SETTABLE, OSSL_PARAM_END };
    (void)ctx, (void)provider;
    return known;
}

static const OSSL_PARAM *signature_gettable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

/* The AlgorithmIdentifier of the signature in certificates: a sequence of 2.16.840.1.101.3.4.3.ARC alone. */
static int signature_get(void *ctx, OSSL_PARAM params[])
{
    const struct signing *s = ctx;
    uint8_t identifier[] = { 0x30, 11, 0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0 };
    OSSL_PARAM *p = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID);
    if (p == NULL)
        return 1;
    if (s->key == NULL)
        return pv_fail(PROV_R_NO_KEY_SET);
    identifier[sizeof identifier - 1] = s->key->kind->arc;
    return OSSL_PARAM_set_octet_string(p, identifier, sizeof identifier) || pv_fail(PROV_R_FAILED_TO_SET_PARAMETER);
}

/* Without a key, the one that was set before stays. */
static int begin(struct signing *s, const struct pv_key *key, const OSSL_PARAM params[])
{
    if (key)
        s->key = key;
    if (s->key == NULL)
        return pv_fail(PROV_R_NO_KEY_SET);
    s->is_mu = 0;
    return signature_set(s, params);
}

static int digest_begin(void *ctx, const char *digest, void *key, const OSSL_PARAM params[])
{
    if (digest && *digest)
        return pv_fail(PROV_R_INVALID_DIGEST);
    return begin(ctx, key, params);
}

static struct pv_message message_of(const struct signing *s, const uint8_t *bytes, size_t len)
{
    enum pv_form form = s->is_mu ? PV_MU : s->encode ? PV_PURE : PV_RAW;
    return (struct pv_message){
        .bytes = bytes, .len = len, .context = s->context, .context_len = s->context_len, .form = form
    };
}

/* Without an output, only the length is asked for. */
static int sign(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *bytes, size_t len)
{
    const struct signing *s = ctx;
    const struct pv_message m = message_of(s, bytes, len);
    uint8_t drawn[PV_MAX_RANDOM];
    const uint8_t *random = s->chosen ? s->random : s->deterministic ? NULL : drawn;
    struct pv_sizes sizes;
    int done;
    if (s->key == NULL || !s->key->has_private)
        return pv_fail(PROV_R_MISSING_KEY);
    sizes = pv_sizes_of(s->key->kind);
    *out_len = sizes.output;
    if (out == NULL)
        return 1;
    if (room < sizes.output)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    if (random == drawn && !pv_random(s->key, drawn, sizes.random))
        return 0;
    done = scheme_of(s->key)->sign(s->key, out, &m, random);
    OPENSSL_cleanse(drawn, sizeof drawn);
    return done;
}

static int verify(void *ctx, const unsigned char *signature, size_t signature_len, const unsigned char *bytes,
                  size_t len)
{
    const struct signing *s = ctx;
    const struct pv_message m = message_of(s, bytes, len);
    if (s->key == NULL || s->key->state == NULL)
        return pv_fail(PROV_R_MISSING_KEY);
    return scheme_of(s->key)->verify(s->key, signature, signature_len, &m);
}

/* Versions before 3.4 sign whole messages only under the name of a digest's signature. */
#if OPENSSL_VERSION_PREREQ(3, 4)
static int message_begin(void *ctx, void *key, const OSSL_PARAM params[])
{
    return begin(ctx, key, params);
}

# define MESSAGE \
     PV_ENTRY(SIGNATURE_SIGN_MESSAGE_INIT, signature_sign_message_init, message_begin), \
         PV_ENTRY(SIGNATURE_SIGN, signature_sign, sign), \
         PV_ENTRY(SIGNATURE_VERIFY_MESSAGE_INIT, signature_verify_message_init, message_begin), \
         PV_ENTRY(SIGNATURE_VERIFY, signature_verify, verify),
#else
# define MESSAGE
#endif

#define SIGNATURE(id) \
    const OSSL_DISPATCH pv_##id##_signature[] = { \
        PV_ENTRY(SIGNATURE_NEWCTX, signature_newctx, signature_new), \
        PV_ENTRY(SIGNATURE_FREECTX, signature_freectx, signature_free), \
        PV_ENTRY(SIGNATURE_DUPCTX, signature_dupctx, signature_dup), \
        MESSAGE PV_ENTRY(SIGNATURE_DIGEST_SIGN_INIT, signature_digest_sign_init, digest_begin), \
        PV_ENTRY(SIGNATURE_DIGEST_SIGN, signature_digest_sign, sign), \
        PV_ENTRY(SIGNATURE_DIGEST_VERIFY_INIT, signature_digest_verify_init, digest_begin), \
        PV_ENTRY(SIGNATURE_DIGEST_VERIFY, signature_digest_verify, verify), \
        PV_ENTRY(SIGNATURE_SET_CTX_PARAMS, signature_set_ctx_params, signature_set), \
        PV_ENTRY(SIGNATURE_SETTABLE_CTX_PARAMS, signature_settable_ctx_params, id##_settable), \
        PV_ENTRY(SIGNATURE_GET_CTX_PARAMS, signature_get_ctx_params, signature_get), \
        PV_ENTRY(SIGNATURE_GETTABLE_CTX_PARAMS, signature_gettable_ctx_params, signature_gettable), \
        PV_END, \
    }

SIGNATURE(mldsa);
SIGNATURE(slhdsa);

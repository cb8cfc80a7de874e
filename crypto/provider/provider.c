/* The provider itself: its names, and the operations that it has. */
#include "provider.h"

#include <stdlib.h>
#include <strings.h>

/* libcapvec selects its code once in a process, however many library contexts load the provider. */
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static int initialised;

static void choose(void)
{
    initialised = cv_init_environment() == CV_OK;
}

int pv_fail(int reason)
{
    ERR_raise(ERR_LIB_PROV, reason);
    return 0;
}

int pv_put_size(OSSL_PARAM params[], const char *name, size_t value)
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, name);
    return p == NULL || OSSL_PARAM_set_size_t(p, value) || pv_fail(PROV_R_FAILED_TO_SET_PARAMETER);
}

int pv_put_int(OSSL_PARAM params[], const char *name, int value)
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, name);
    return p == NULL || OSSL_PARAM_set_int(p, value) || pv_fail(PROV_R_FAILED_TO_SET_PARAMETER);
}

int pv_put_uint(OSSL_PARAM params[], const char *name, unsigned value)
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, name);
    return p == NULL || OSSL_PARAM_set_uint(p, value) || pv_fail(PROV_R_FAILED_TO_SET_PARAMETER);
}

int pv_put_bytes(OSSL_PARAM params[], const char *name, const void *bytes, size_t len)
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, name);
    return p == NULL || OSSL_PARAM_set_octet_string(p, bytes, len) || OSSL_PARAM_set_octet_ptr(p, bytes, len)
        || pv_fail(PROV_R_FAILED_TO_SET_PARAMETER);
}

int pv_take_size(const OSSL_PARAM params[], const char *name, size_t *value)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, name);
    return p == NULL || OSSL_PARAM_get_size_t(p, value) || pv_fail(PROV_R_FAILED_TO_GET_PARAMETER);
}

int pv_take_uint(const OSSL_PARAM params[], const char *name, unsigned *value)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, name);
    return p == NULL || OSSL_PARAM_get_uint(p, value) || pv_fail(PROV_R_FAILED_TO_GET_PARAMETER);
}

int pv_is_named(const char *names, const char *name)
{
    size_t len = strlen(name);
    for (;;) {
        size_t n = strcspn(names, ":");
        if (n == len && strncasecmp(names, name, n) == 0)
            return 1;
        if (names[n] == 0)
            return 0;
        names += n + 1;
    }
}

static const OSSL_PARAM *gettable(void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_DEFN(OSSL_PROV_PARAM_NAME, OSSL_PARAM_UTF8_PTR, NULL, 0),
        OSSL_PARAM_DEFN(OSSL_PROV_PARAM_VERSION, OSSL_PARAM_UTF8_PTR, NULL, 0),
        OSSL_PARAM_DEFN(OSSL_PROV_PARAM_BUILDINFO, OSSL_PARAM_UTF8_PTR, NULL, 0),
        OSSL_PARAM_DEFN(OSSL_PROV_PARAM_STATUS, OSSL_PARAM_INTEGER, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)provider;
    return known;
}

static int put_text(OSSL_PARAM params[], const char *name, const char *text)
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, name);
    return p == NULL || OSSL_PARAM_set_utf8_ptr(p, text);
}

/* The build information shows which code runs: the capabilities in use. */
static int get(void *provider, OSSL_PARAM params[])
{
    static char caps[512];
    (void)provider;
    cv_caps(caps, sizeof caps);
    return put_text(params, OSSL_PROV_PARAM_NAME, "libcapvec") && put_text(params, OSSL_PROV_PARAM_VERSION, CV_VERSION)
        && put_text(params, OSSL_PROV_PARAM_BUILDINFO, caps[0] ? caps : "portable C")
        && pv_put_int(params, OSSL_PROV_PARAM_STATUS, 1);
}

static const OSSL_ALGORITHM *query(void *provider, int operation, int *no_cache)
{
    (void)provider;
    *no_cache = 0;
    switch (operation) {
    case OSSL_OP_CIPHER:
        return pv_ciphers;
    case OSSL_OP_DIGEST:
        return pv_digests;
    case OSSL_OP_MAC:
        return pv_macs;
    case OSSL_OP_KEYMGMT:
        return pv_key_managements;
    case OSSL_OP_KEM:
        return pv_kems;
    case OSSL_OP_SIGNATURE:
        return pv_signatures;
    default:
        return NULL;
    }
}

static void teardown(void *provider)
{
    struct pv_provider *p = provider;
    OSSL_LIB_CTX_free(p->library);
    OPENSSL_free(p);
}

static const OSSL_DISPATCH functions[] = {
    PV_ENTRY(PROVIDER_TEARDOWN, provider_teardown, teardown),
    PV_ENTRY(PROVIDER_GETTABLE_PARAMS, provider_gettable_params, gettable),
    PV_ENTRY(PROVIDER_GET_PARAMS, provider_get_params, get),
    PV_ENTRY(PROVIDER_QUERY_OPERATION, provider_query_operation, query),
    PV_ENTRY(PROVIDER_GET_CAPABILITIES, provider_get_capabilities, pv_capabilities),
    PV_END,
};

/* The only visible symbol. */
__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                       void **provider)
{
    struct pv_provider *p;
    if (!CRYPTO_THREAD_run_once(&once, choose))
        return 0;
    if (!initialised) {
        ERR_raise_data(ERR_LIB_PROV, ERR_R_INIT_FAIL, "CAPVEC_CAPS=%s names an unknown extension",
                       getenv("CAPVEC_CAPS"));
        return 0;
    }
    p = OPENSSL_zalloc(sizeof *p);
    if (p == NULL)
        return 0;
    p->library = OSSL_LIB_CTX_new_child(handle, in);
    if (p->library == NULL) {
        OPENSSL_free(p);
        return 0;
    }
    *out = functions;
    *provider = p;
    return 1;
}

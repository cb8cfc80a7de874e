/* Message authentication codes: list, contexts, and delegation. */
#include "mac.h"

void *pv_mac_new(void *provider, size_t size)
{
    struct pv_mac *m = OPENSSL_zalloc(size);
    if (m)
        m->provider = provider;
    return m;
}

void pv_mac_free(void *ctx, size_t size)
{
    struct pv_mac *m = ctx;
    if (m == NULL)
        return;
    EVP_MAC_CTX_free(m->other);
    OPENSSL_clear_free(m, size);
}

void *pv_mac_dup(const void *ctx, size_t size)
{
    const struct pv_mac *m = ctx;
    struct pv_mac *copy = OPENSSL_memdup(m, size);
    if (copy == NULL || m->other == NULL)
        return copy;
    copy->other = EVP_MAC_CTX_dup(m->other);
    if (copy->other)
        return copy;
    OPENSSL_clear_free(copy, size);
    return NULL;
}

int pv_mac_delegate(struct pv_mac *m, const char *name)
{
    EVP_MAC *mac;
    if (m->other)
        return 1;
    mac = EVP_MAC_fetch(m->provider->library, name, PV_OTHERS);
    m->other = mac ? EVP_MAC_CTX_new(mac) : NULL;
    EVP_MAC_free(mac);
    return m->other != NULL;
}

const char *pv_mac_asked(const OSSL_PARAM params[], const char *param)
{
    const OSSL_PARAM *p = params ? OSSL_PARAM_locate_const(params, param) : NULL;
    const char *name = NULL;
    return p && OSSL_PARAM_get_utf8_string_ptr(p, &name) ? name : NULL;
}

int pv_mac_key(const OSSL_PARAM params[], const uint8_t **key, size_t *len)
{
    const OSSL_PARAM *p = params ? OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_KEY) : NULL;
    *key = NULL;
    *len = 0;
    if (p == NULL)
        return 1;
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return 0;
    *key = p->data ? p->data : (const uint8_t *)"";
    *len = p->data_size;
    return 1;
}

const OSSL_PARAM *pv_mac_gettable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_BLOCK_SIZE, NULL),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

const OSSL_ALGORITHM pv_macs[] = {
    { "HMAC", PV_PROPERTY, pv_hmac, NULL },
    { "CMAC", PV_PROPERTY, pv_cmac, NULL },
    { "GMAC:1.0.9797.3.4", PV_PROPERTY, pv_gmac, NULL },
    { "POLY1305", PV_PROPERTY, pv_poly1305, NULL },
    { "KMAC-128:KMAC128:2.16.840.1.101.3.4.2.19", PV_PROPERTY, pv_kmac128, NULL },
    { "KMAC-256:KMAC256:2.16.840.1.101.3.4.2.20", PV_PROPERTY, pv_kmac256, NULL },
    { NULL, NULL, NULL, NULL },
};

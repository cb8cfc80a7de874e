/* What message authentication codes share.
 *
 * HMAC, CMAC and GMAC are built from a hash or a cipher that their user names. If libcapvec does not have it, the work
 * is delegated to a context of another provider. */
#ifndef CV_PROVIDER_MAC_H
#define CV_PROVIDER_MAC_H

#include "provider.h"

/* Every context begins with one of these. */
struct pv_mac {
    struct pv_provider *provider;
    EVP_MAC_CTX *other; /* NULL if the work is not delegated */
};

void *pv_mac_new(void *provider, size_t size);
/* Wipes and frees a context and what it points to. */
void pv_mac_free(void *ctx, size_t size);
void *pv_mac_dup(const void *ctx, size_t size);

/* Delegates the work to another provider from now on. */
int pv_mac_delegate(struct pv_mac *m, const char *name);

/* The name of the cipher or hash in `params`; NULL if there is none. */
const char *pv_mac_asked(const OSSL_PARAM params[], const char *param);
/* The key in `params`; returns 0 if it is not a valid key, and leaves `key` NULL if there is none. */
int pv_mac_key(const OSSL_PARAM params[], const uint8_t **key, size_t *len);

/* For contexts that report sizes: those of the code and of the block. */
OSSL_FUNC_mac_gettable_ctx_params_fn pv_mac_gettable;

extern const OSSL_DISPATCH pv_hmac[], pv_cmac[], pv_gmac[], pv_poly1305[], pv_kmac128[], pv_kmac256[];

#define PV_MAC_COMMON(id) \
    PV_ENTRY(MAC_FREECTX, mac_freectx, id##_free), PV_ENTRY(MAC_DUPCTX, mac_dupctx, id##_dup), \
        PV_ENTRY(MAC_INIT, mac_init, id##_init), PV_ENTRY(MAC_UPDATE, mac_update, id##_update), \
        PV_ENTRY(MAC_FINAL, mac_final, id##_final), PV_ENTRY(MAC_SET_CTX_PARAMS, mac_set_ctx_params, id##_set), \
        PV_ENTRY(MAC_SETTABLE_CTX_PARAMS, mac_settable_ctx_params, id##_settable)

#endif

/* libcapvec as a provider of OpenSSL 3: what its files share.
 *
 * There is a file for each family of operations; each has a table of algorithms, which provider.c passes to OpenSSL.
 * Names, parameters and errors are those of OpenSSL's own providers, so that programs notice only the speed. */
#ifndef CV_PROVIDER_H
#define CV_PROVIDER_H

#include "capvec.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/proverr.h>
#include <stdint.h>
#include <string.h>

/* The property with which programs select this provider, and OpenSSL selects its own. */
#define PV_PROPERTY "provider=capvec"
#define PV_OTHERS "provider!=capvec"

/* The context of the provider's functions. */
struct pv_provider {
    OSSL_LIB_CTX *library; /* a child of the application's: for random numbers, and for other providers */
};

/* An entry of a dispatch table; does not compile if the function has another type. */
#define PV_ENTRY(id, type, function) { OSSL_FUNC_##id, (void (*)(void))(1 ? (function) : (OSSL_FUNC_##type##_fn *)0) }
#define PV_END { 0, NULL }

extern const OSSL_ALGORITHM pv_ciphers[], pv_digests[], pv_macs[], pv_key_managements[], pv_kems[], pv_signatures[];

/* What TLS can use: key exchanges and signature schemes. */
OSSL_FUNC_provider_get_capabilities_fn pv_capabilities;

/* Puts a reason on OpenSSL's error queue. Returns 0. */
int pv_fail(int reason);

/* Sets the parameter of that name, if it is among `params`. Returns 0 on failure. */
int pv_put_size(OSSL_PARAM params[], const char *name, size_t value);
int pv_put_int(OSSL_PARAM params[], const char *name, int value);
int pv_put_uint(OSSL_PARAM params[], const char *name, unsigned value);
int pv_put_bytes(OSSL_PARAM params[], const char *name, const void *bytes, size_t len);

/* Reads the parameter of that name, if it is among `params`; else leaves `value` unchanged. */
int pv_take_size(const OSSL_PARAM params[], const char *name, size_t *value);
int pv_take_uint(const OSSL_PARAM params[], const char *name, unsigned *value);

/* Whether `name` is one of the colon-separated `names`, ignoring case. */
int pv_is_named(const char *names, const char *name);

#endif

/* Ciphers without authentication: their part of the context, and their parameters. */
#ifndef CV_PROVIDER_BASIC_H
#define CV_PROVIDER_BASIC_H

#include "cipher.h"

struct pv_basic {
    struct pv_ctx base;
    cv_stream stream; /* for modes that take any number of bytes; the others use `base.iv` */
    uint8_t held[CV_BLOCK] __attribute__((aligned(16))); /* input that waits for the rest of its block */
    size_t held_len;
    uint8_t shown_iv[CV_BLOCK]; /* memory to which a parameter may point */
    unsigned pad, in_bits;
    /* TLS up to 1.2 with a MAC inside: see tls_cbc.c. */
    unsigned tls_version;
    size_t mac_len;
    uint8_t mac[EVP_MAX_MD_SIZE];
};

/* Begins a message; IVs that are not given stay as they were, or become what OpenSSL makes of them. */
int pv_basic_init(void *ctx, const uint8_t *key, size_t key_len, const uint8_t *iv, size_t iv_len,
                  const OSSL_PARAM params[], int encrypt);

void pv_basic_begin(void *ctx);
void pv_basic_relink(void *ctx);

OSSL_FUNC_cipher_get_ctx_params_fn pv_basic_get;
OSSL_FUNC_cipher_set_ctx_params_fn pv_basic_set;
OSSL_FUNC_cipher_gettable_ctx_params_fn pv_basic_gettable;
OSSL_FUNC_cipher_settable_ctx_params_fn pv_basic_settable;

/* A record of TLS in CBC, in place: `crypt` processes its blocks. */
int pv_tls_cbc(struct pv_basic *b, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in, size_t len,
               void (*crypt)(struct pv_basic *b, uint8_t *out, const uint8_t *in, size_t len));

#endif

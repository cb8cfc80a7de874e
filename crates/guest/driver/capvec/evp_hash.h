/* Hashes and message authentication codes of EVP, with libcapvec. */
#ifndef CAPVEC_EVP_HASH_H
#define CAPVEC_EVP_HASH_H

#include "capvec.h"
#include "evp.h"
#include <openssl/evp.h>

struct evp_md_st {
    const char *name;
    const cv_hash_kind *kind;
};

struct evp_md_ctx_st {
    cv_hash hash;
};

/* A message authentication code by name. `key` begins a message; if `bytes` is not NULL, with a new key. */
struct evp_mac_st {
    const char *name;
    int (*key)(EVP_MAC_CTX *ctx, const unsigned char *bytes, size_t len);
    void (*update)(EVP_MAC_CTX *ctx, const unsigned char *data, size_t len);
    size_t (*final)(EVP_MAC_CTX *ctx, unsigned char *out);
};

struct evp_mac_ctx_st {
    const EVP_MAC *mac;
    const EVP_MD *md; /* for HMAC */
    size_t code_len; /* for KMAC */
    struct evp_cipher_ctx_st block; /* cipher and key of CMAC and GMAC, and an IV or KMAC's customization */
    union {
        cv_cmac cmac;
        cv_gcm gcm;
        cv_hash kmac;
        cv_hmac hmac;
        cv_poly1305 poly1305;
    } state;
};

#endif

/* What ciphers share: the description of an algorithm, and the common part of contexts. */
#ifndef CV_PROVIDER_CIPHER_H
#define CV_PROVIDER_CIPHER_H

#include "provider.h"

/* Flags of an algorithm for OpenSSL. */
#define PV_AEAD 1
#define PV_CUSTOM_IV 2

/* TLS authenticates a record's number, type, version and length. */
#define PV_TLS_AAD 13

struct pv_cipher {
    unsigned mode, flags;
    size_t key_len, iv_len, block; /* bytes */
    size_t size;                   /* of a context */
    /* Computes round keys; returns 0 if the key is invalid. */
    int (*expand)(cv_block_key *key, const uint8_t *bytes, size_t len);
    /* Initialises a context that is all zeros. NULL if nothing is to be done. */
    void (*begin)(void *ctx);
    /* Makes pointers in a copied context point into the copy. NULL if there are none. */
    void (*relink)(void *ctx);
};

/* Every context begins with one of these. */
struct pv_ctx {
    cv_block_key key;
    uint8_t first_iv[CV_BLOCK], iv[CV_BLOCK] __attribute__((aligned(16)));
    const struct pv_cipher *cipher;
    struct pv_provider *provider;
    unsigned encrypt, key_set, iv_set;
};

int pv_expand_aes(cv_block_key *key, const uint8_t *bytes, size_t len);
int pv_expand_sm4(cv_block_key *key, const uint8_t *bytes, size_t len);

void *pv_cipher_new(const struct pv_cipher *cipher, void *provider);
OSSL_FUNC_cipher_freectx_fn pv_cipher_free;
OSSL_FUNC_cipher_dupctx_fn pv_cipher_dup;
OSSL_FUNC_cipher_gettable_params_fn pv_cipher_gettable;
int pv_cipher_get(const struct pv_cipher *cipher, OSSL_PARAM params[]);

/* Returns 0 if `len` is not the key's length, or the key is invalid. */
int pv_cipher_key(struct pv_ctx *ctx, const uint8_t *key, size_t len);

/* Defines the parts that are specific to an algorithm: its description, its constructor, its properties, and the table
 * `pv_id` of these and of the common functions, those of a mode (MODE_einit and so on), PARAMS_get and PARAMS_set, and
 * the lists of parameters, KNOWN_gettable and KNOWN_settable. ciphers.c lists the tables. */
#define PV_CIPHER(id, MODE, PARAMS, KNOWN, ...) \
    static const struct pv_cipher id = { __VA_ARGS__ }; \
    static void *id##_new(void *provider) \
    { \
        return pv_cipher_new(&id, provider); \
    } \
    static int id##_get(OSSL_PARAM params[]) \
    { \
        return pv_cipher_get(&id, params); \
    } \
    extern const OSSL_DISPATCH pv_##id[]; \
    const OSSL_DISPATCH pv_##id[] = { \
        PV_ENTRY(CIPHER_NEWCTX, cipher_newctx, id##_new), \
        PV_ENTRY(CIPHER_FREECTX, cipher_freectx, pv_cipher_free), \
        PV_ENTRY(CIPHER_DUPCTX, cipher_dupctx, pv_cipher_dup), \
        PV_ENTRY(CIPHER_ENCRYPT_INIT, cipher_encrypt_init, MODE##_einit), \
        PV_ENTRY(CIPHER_DECRYPT_INIT, cipher_decrypt_init, MODE##_dinit), \
        PV_ENTRY(CIPHER_UPDATE, cipher_update, MODE##_update), \
        PV_ENTRY(CIPHER_FINAL, cipher_final, MODE##_final), \
        PV_ENTRY(CIPHER_CIPHER, cipher_cipher, MODE##_cipher), \
        PV_ENTRY(CIPHER_GET_PARAMS, cipher_get_params, id##_get), \
        PV_ENTRY(CIPHER_GETTABLE_PARAMS, cipher_gettable_params, pv_cipher_gettable), \
        PV_ENTRY(CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params, PARAMS##_get), \
        PV_ENTRY(CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params, KNOWN##_gettable), \
        PV_ENTRY(CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params, PARAMS##_set), \
        PV_ENTRY(CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params, KNOWN##_settable), \
        PV_END, \
    };

/* `MODE_einit` and `MODE_dinit`, which call `init` with an additional argument. */
#define PV_INITS(MODE, init) \
    static int MODE##_einit(void *ctx, const unsigned char *key, size_t key_len, const unsigned char *iv, \
                            size_t iv_len, const OSSL_PARAM params[]) \
    { \
        return init(ctx, key, key_len, iv, iv_len, params, 1); \
    } \
    static int MODE##_dinit(void *ctx, const unsigned char *key, size_t key_len, const unsigned char *iv, \
                            size_t iv_len, const OSSL_PARAM params[]) \
    { \
        return init(ctx, key, key_len, iv, iv_len, params, 0); \
    }

#endif

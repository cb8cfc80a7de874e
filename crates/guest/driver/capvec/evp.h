/* The drivers use OpenSSL's EVP. This is the part of it that they use, implemented with libcapvec under the same
 * declarations: both libraries then answer the same questions in the same forms, and a call costs about as much in
 * both. */
#ifndef CAPVEC_EVP_H
#define CAPVEC_EVP_H

#include "capvec.h"
#include <openssl/evp.h>

/* Longest IV of the vectors, and longest tag. */
#define EVP_IV 512
#define EVP_TAG 16

/* A cipher by name, and its functions on the state in a context. `update` returns the number of output bytes, or -1.
 * Block modes receive whole blocks. */
struct evp_cipher_st {
    const char *name;
    int key_len, iv_len, mode, blocks;
    int (*key)(EVP_CIPHER_CTX *ctx, const unsigned char *bytes);
    int (*iv)(EVP_CIPHER_CTX *ctx);
    int (*update)(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len);
    /* For AEADs only. */
    int (*ctrl)(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr);
    int (*final)(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len);
};

struct evp_cipher_ctx_st {
    const EVP_CIPHER *cipher;
    int encrypt, pad, keyed;
    unsigned char iv[EVP_IV];
    size_t iv_len;
    unsigned char partial[CV_BLOCK]; /* for block modes */
    size_t held;
    unsigned char raw[32]; /* the key of ciphers without a schedule */
    cv_block_key key, tweak_key;
    union {
        cv_stream stream;
        cv_gcm gcm;
        cv_ocb ocb;
        cv_chacha20 chacha;
        cv_chacha20_poly1305 chacha_poly;
    } state;
    unsigned char tag[EVP_TAG]; /* for AEADs, to decrypt */
    size_t tag_len;
    const unsigned char *aad; /* for CCM, until the message arrives */
    size_t aad_len;
};

#endif

/* EVP_PKEY with libcapvec: keys of the post-quantum schemes and what is done with them. */
#ifndef CAPVEC_EVP_PKEY_H
#define CAPVEC_EVP_PKEY_H

#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>

/* An algorithm by name and object identifier, which ends with `arc` and `number` below 2.16.840.1.101.3.4. Functions
 * return 0 on failure. */
struct pkey_algorithm {
    const char *name;
    unsigned char arc, number;
    size_t seed_len;
    const void *kind;
    size_t (*key_size)(const void *kind);
    /* Bytes of a key to wipe. */
    size_t (*secret_size)(const void *kind);
    void (*generate)(void *key, const void *kind, const unsigned char *seed);
    int (*import)(void *key, const void *kind, int private, const unsigned char *bytes, size_t len);
    /* Returns the length. */
    size_t (*export)(const void *key, const void *kind, int private, unsigned char *out);
    int (*encapsulate)(const void *key, const void *kind, unsigned char *ciphertext, size_t *len, unsigned char *secret,
                       const unsigned char *random);
    int (*decapsulate)(const void *key, unsigned char *secret, const unsigned char *ciphertext, size_t len);
    int (*sign)(const EVP_PKEY_CTX *ctx, unsigned char *signature, size_t *len, const unsigned char *message,
                size_t message_len);
    int (*verify)(const EVP_PKEY_CTX *ctx, const unsigned char *signature, size_t len, const unsigned char *message,
                  size_t message_len);
};

extern const struct pkey_algorithm mlkem_algorithms[3], mldsa_algorithms[3], slhdsa_algorithms[12];

struct evp_pkey_st {
    const struct pkey_algorithm *algorithm;
    int references;
    uint64_t key[]; /* the library's */
};

struct evp_pkey_ctx_st {
    const struct pkey_algorithm *algorithm;
    EVP_PKEY *key; /* NULL to generate one */
    /* Seed or randomness, and context string, of the parameters; they outlive this. NULL if there are none. */
    const unsigned char *seed, *context;
    size_t seed_len, context_len;
};

/* The algorithm with this name; NULL if there is none. */
const struct pkey_algorithm *pkey_named(const char *name);
/* A key in DER: PrivateKeyInfo (RFC 5958) or SubjectPublicKeyInfo (RFC 5280). NULL if it is neither, or refused. */
EVP_PKEY *pkey_decode(const unsigned char *der, size_t len);
EVP_PKEY *pkey_new(const struct pkey_algorithm *algorithm);
const struct pkey_algorithm *pkey_identified(unsigned char arc, unsigned char number);

#endif

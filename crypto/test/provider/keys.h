/* Key pairs of both implementations. */
#ifndef KEYS_H
#define KEYS_H

#include "pair.h"

/* Room for any key, ciphertext or signature. */
#define KEY_ROOM 50000

/* The same key, or keys of the same type, of OpenSSL and of libcapvec. */
struct keys {
    EVP_PKEY *a, *b;
};

/* Bytes of a parameter of a key; `len` is 0 if it has none. */
struct bytes {
    uint8_t at[KEY_ROOM];
    size_t len;
};

void free_keys(struct keys *k);
/* A key from octet strings, or from a seed; NULL if they are refused. */
EVP_PKEY *import_key(OSSL_LIB_CTX *lib, const char *type, int selection, const OSSL_PARAM params[]);
EVP_PKEY *generate_key(OSSL_LIB_CTX *lib, const char *type, const uint8_t *from, size_t len);
/* The keys that both generate from this seed; both must refuse it or neither. */
struct keys generate_keys(const char *type, const uint8_t *from, size_t len);
void take_bytes(EVP_PKEY *key, const char *name, struct bytes *out);
/* A key of the same type, which has this public key only. */
EVP_PKEY *public_only(OSSL_LIB_CTX *lib, const char *type, const struct bytes *public);
void same_whole(const struct bytes *a, const struct bytes *b, const char *what);
/* A context for operations with this key. */
EVP_PKEY_CTX *key_context(OSSL_LIB_CTX *lib, EVP_PKEY *key);
OSSL_PARAM octets(const char *name, const void *at, size_t len);
/* The property query that selects the implementation of this library context. */
const char *query_of(const OSSL_LIB_CTX *lib);

#endif

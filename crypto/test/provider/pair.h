/* Two implementations of the same algorithm in one process: OpenSSL's own, and libcapvec's provider. Whatever is done is done
 * to both, and both must say the same. */
#ifndef PAIR_H
#define PAIR_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Longest message. */
#define LONGEST 1500
#define ROOM (LONGEST + 64)

extern OSSL_LIB_CTX *stock, *ours;

/* Where we are, for whoever reads that something differs. */
extern const char *subject, *doing;

/* Ends the program unless both are the same: what they returned, or so many bytes. */
void same_result(int stock_result, int our_result, const char *what);
void same_bytes(const void *stock_bytes, const void *our_bytes, size_t len, const char *what);
void must(int holds, const char *what);

/* A number below `bound`, and bytes, from the seed. */
size_t below(size_t bound);
void random_bytes(uint8_t *out, size_t len);
/* A length of a message: often short, or about a whole number of blocks. */
size_t random_length(void);
/* Length of the next part of what is left; 0 sometimes. */
size_t part(size_t left);

/* Both of a parameter that is a number or a string of bytes. */
typedef int get_fn(void *ctx, OSSL_PARAM params[]);
void same_parameter(get_fn *get, void *stock_ctx, void *our_ctx, const char *name, unsigned type);

void check_cipher(const char *name, size_t rounds);
void check_aead(const char *name, size_t rounds);
void check_tls(const char *name, size_t rounds);
void check_digest(const char *name, size_t rounds);
void check_mac(const char *name, const char *inner, size_t rounds);
void check_tls_hmac(const char *digest, size_t rounds);
/* Operations in random orders. */
void check_cipher_states(const char *name, size_t rounds);
void check_digest_states(const char *name, size_t rounds);
void check_mac_states(const char *name, const char *inner, size_t rounds);

/* One pair of contexts of a cipher. */
struct ciphers {
    EVP_CIPHER_CTX *a, *b;
};

struct ciphers new_ciphers(const char *name);
void free_ciphers(struct ciphers *c);
/* The contexts become copies, and the originals are gone. */
void copy_ciphers(struct ciphers *c);
int both_init(struct ciphers *c, const uint8_t *key, const uint8_t *iv, int encrypt);
int both_ctrl(struct ciphers *c, int type, int arg, void *ptr);

#endif

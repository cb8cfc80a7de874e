/* Two implementations of the same algorithm in one process: OpenSSL's own, and libcapvec's provider. Everything is done
 * with both, and both must return the same. */
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

/* The current position, for the message about a difference. */
extern const char *subject, *doing;

/* Ends the program unless both are equal: return values, or this many bytes. */
void same_result(int stock_result, int our_result, const char *what);
void same_bytes(const void *stock_bytes, const void *our_bytes, size_t len, const char *what);
void must(int holds, const char *what);

/* A number below `bound`, and bytes, derived from the seed. */
size_t below(size_t bound);
void random_bytes(uint8_t *out, size_t len);
/* A message length: often short, or near a whole number of blocks. */
size_t random_length(void);
/* Length of the next part of the rest; sometimes 0. */
size_t part(size_t left);

/* Compares a parameter, a number or a byte string, of both. */
typedef int get_fn(void *ctx, OSSL_PARAM params[]);
void same_parameter(get_fn *get, void *stock_ctx, void *our_ctx, const char *name, unsigned type);

void check_cipher(const char *name, size_t rounds);
void check_aead(const char *name, size_t rounds);
void check_tls(const char *name, size_t rounds);
void check_digest(const char *name, size_t rounds);
void check_mac(const char *name, const char *inner, size_t rounds);
void check_tls_hmac(const char *digest, size_t rounds);
/* Key pairs and what they do; hybrids have no seed. */
void check_keys(const char *type, size_t seed_len, size_t rounds);
void check_kem(const char *type, size_t seed_len, size_t rounds);
void check_hybrid(const char *type, size_t rounds);
void check_signature(const char *type, size_t seed_len, size_t rounds);
/* Whether keys, and operations with them, leave memory allocated; counts from before OpenSSL's first allocation. */
void check_leaks(const char *type, int signs);
int count_allocations(void);
/* Operations in random orders. */
void check_cipher_states(const char *name, size_t rounds);
void check_digest_states(const char *name, size_t rounds);
void check_mac_states(const char *name, const char *inner, size_t rounds);

/* A pair of contexts of a cipher. */
struct ciphers {
    EVP_CIPHER_CTX *a, *b;
};

struct ciphers new_ciphers(const char *name);
void free_ciphers(struct ciphers *c);
/* Replaces the contexts by copies, and frees the originals. */
void copy_ciphers(struct ciphers *c);
int both_init(struct ciphers *c, const uint8_t *key, const uint8_t *iv, int encrypt);
int both_ctrl(struct ciphers *c, int type, int arg, void *ptr);

#endif

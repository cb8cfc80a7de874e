/* The part of OpenSSL's EVP that the drivers use, implemented with a library that the distribution packages: all libraries then answer
 * the same questions in the same forms. A library is a file with tables of what it has, and the functions declared here. */
#ifndef CAPVEC_PACKAGED_H
#define CAPVEC_PACKAGED_H

#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>

/* Longest IV of the vectors, longest tag, and most bytes that are held back. */
#define LONGEST_IV 512
#define LONGEST_TAG 16
#define LONGEST_UNIT 64

/* A cipher by the name by which EVP fetches it. */
struct evp_cipher_st {
    const char *name;
    int key_len, iv_len, mode;
    /* The library takes multiples of this many bytes, except at the end of a message; 0 if it takes whole messages only. */
    size_t unit;
    const void *own; /* what the library knows it by */
};

struct evp_cipher_ctx_st {
    const EVP_CIPHER *cipher;
    int encrypt, keyed, has_iv;
    unsigned char iv[LONGEST_IV];
    size_t iv_len;
    unsigned char held[LONGEST_UNIT]; /* less than a unit of message or associated data */
    size_t held_len;
    int holds_aad;
    unsigned char tag[LONGEST_TAG];
    size_t tag_len;
    /* Of CCM: all associated data, which the library takes with the message. */
    unsigned char *aad;
    size_t aad_len;
    void *state; /* the library's */
};

/* A hash by the name by which EVP fetches it; the size of an extendable output is 0. */
struct evp_md_st {
    const char *name;
    int size, block;
    const void *own;
};

struct evp_md_ctx_st {
    const EVP_MD *md;
    void *state;
};

/* A hash that its library knows by a number of this type. */
#define NUMBERED_HASH(name, size, block, type, number) \
    { \
        name, size, block, &(const type) \
        { \
            number \
        } \
    }
/* SHA-1, SHA-2 and SHA-3, for libraries whose names for their numbers differ only in the prefix. */
#define FIPS_HASHES(type, begin) \
    NUMBERED_HASH("SHA1", 20, 64, type, begin##SHA1), NUMBERED_HASH("SHA224", 28, 64, type, begin##SHA224), \
        NUMBERED_HASH("SHA256", 32, 64, type, begin##SHA256), NUMBERED_HASH("SHA384", 48, 128, type, begin##SHA384), \
        NUMBERED_HASH("SHA512", 64, 128, type, begin##SHA512), \
        NUMBERED_HASH("SHA3-224", 28, 144, type, begin##SHA3_224), \
        NUMBERED_HASH("SHA3-256", 32, 136, type, begin##SHA3_256), \
        NUMBERED_HASH("SHA3-384", 48, 104, type, begin##SHA3_384), \
        NUMBERED_HASH("SHA3-512", 64, 72, type, begin##SHA3_512)

/* A message authentication code, by EVP's names of it and of the hash or cipher inside, if there is one. GMAC is not among them. */
struct library_mac {
    const char *name, *inside;
    int size; /* of a tag */
    size_t key_len; /* 0 if keys may have any length */
    const void *own;
};

/* What a library has; an entry without a name ends a table. */
extern const EVP_CIPHER library_ciphers[];
extern const EVP_MD library_hashes[];
extern const struct library_mac library_macs[];

/* The number of the first block of ChaCha20: the first four bytes of the IV, least significant byte first. */
static inline uint32_t chacha20_first_block(const unsigned char *iv)
{
    return iv[0] | (uint32_t)iv[1] << 8 | (uint32_t)iv[2] << 16 | (uint32_t)iv[3] << 24;
}

/* Prepares the library for use; 0 on failure. */
int library_begin(void);
/* Its name and version. */
const char *library_version(void);

/* Bytes of the state of a cipher; zero at first. */
size_t library_cipher_size(const EVP_CIPHER *cipher);
/* The following return 0 on failure. They set a key for the direction of the context, and begin a message with its IV. */
int library_key(EVP_CIPHER_CTX *ctx, const unsigned char *key);
int library_iv(EVP_CIPHER_CTX *ctx);
/* A part of the message, of its associated data, and the tag of the whole; `last` if the message ends with this part. */
int library_crypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len, int last);
int library_authenticate(EVP_CIPHER_CTX *ctx, const unsigned char *in, size_t len);
int library_tag(EVP_CIPHER_CTX *ctx, unsigned char tag[LONGEST_TAG]);
/* A whole message in CCM, with its associated data: the output, and a tag of `ctx->tag_len` bytes, which the caller compares. */
int library_ccm(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len,
                unsigned char tag[LONGEST_TAG]);
/* Releases what the state refers to. */
void library_close(EVP_CIPHER_CTX *ctx);

size_t library_hash_size(const EVP_MD *md);
int library_hash_begin(EVP_MD_CTX *ctx);
void library_hash_update(EVP_MD_CTX *ctx, const void *data, size_t len);
/* Writes `md->size` bytes. */
void library_hash_end(EVP_MD_CTX *ctx, unsigned char *out);
/* Reads more of an extendable output; 0 on failure. */
int library_squeeze(EVP_MD_CTX *ctx, unsigned char *out, size_t len);
int library_hash_copy(EVP_MD_CTX *out, const EVP_MD_CTX *in);
void library_hash_close(EVP_MD_CTX *ctx);
/* A whole message, as the library's users hash one. */
int library_hash(const EVP_MD *md, unsigned char *out, const void *data, size_t len);

/* Bytes of the state of a MAC; zero at first. */
size_t library_mac_size(const struct library_mac *mac);
/* Begins a message with this key, or with that of the message before, which has ended. Returns 0 on failure, as do the next two. */
int library_mac_begin(const struct library_mac *mac, void *state, const unsigned char *key, size_t len);
int library_mac_update(const struct library_mac *mac, void *state, const void *data, size_t len);
/* Writes `mac->size` bytes. */
int library_mac_end(const struct library_mac *mac, void *state, unsigned char *out);
void library_mac_close(const struct library_mac *mac, void *state);

#endif

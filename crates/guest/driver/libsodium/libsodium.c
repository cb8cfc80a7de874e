/* libsodium. On RISC-V it has no AES: its AES-256-GCM needs instructions of x86 or ARM. */
#include "packaged.h"
#include <sodium.h>
#include <stdio.h>
#include <string.h>

const EVP_CIPHER library_ciphers[] = {
    { "ChaCha20", 32, 16, EVP_CIPH_STREAM_CIPHER, 64, NULL },
    { 0 },
};

const EVP_MD library_hashes[] = {
    { "SHA256", crypto_hash_sha256_BYTES, 64, NULL },
    { "SHA512", crypto_hash_sha512_BYTES, 128, NULL },
    { 0 },
};

/* ChaCha20 has no context in the library: each call takes the key, the nonce and the number of the first block. */
struct chacha {
    unsigned char key[crypto_stream_chacha20_ietf_KEYBYTES];
    uint32_t block;
};

int library_begin(void)
{
    return sodium_init() >= 0;
}

const char *library_version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "libsodium %s", sodium_version_string());
    return text;
}

size_t library_cipher_size(const EVP_CIPHER *cipher)
{
    (void)cipher;
    return sizeof(struct chacha);
}

int library_key(EVP_CIPHER_CTX *ctx, const unsigned char *key)
{
    struct chacha *chacha = ctx->state;
    memcpy(chacha->key, key, sizeof chacha->key);
    return 1;
}

int library_iv(EVP_CIPHER_CTX *ctx)
{
    struct chacha *chacha = ctx->state;
    chacha->block = chacha20_first_block(ctx->iv);
    return 1;
}

int library_crypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len, int last)
{
    struct chacha *chacha = ctx->state;
    uint32_t first = chacha->block;
    (void)last;
    chacha->block += (uint32_t)(len / 64);
    return crypto_stream_chacha20_ietf_xor_ic(out, in, len, ctx->iv + 4, first, chacha->key) == 0;
}

/* No cipher of the table authenticates. */
int library_authenticate(EVP_CIPHER_CTX *ctx, const unsigned char *in, size_t len)
{
    (void)ctx, (void)in, (void)len;
    return 0;
}

int library_tag(EVP_CIPHER_CTX *ctx, unsigned char tag[LONGEST_TAG])
{
    (void)ctx, (void)tag;
    return 0;
}

void library_close(EVP_CIPHER_CTX *ctx)
{
    sodium_memzero(ctx->state, sizeof(struct chacha));
}

static int is_sha256(const EVP_MD *md)
{
    return md->size == crypto_hash_sha256_BYTES;
}

size_t library_hash_size(const EVP_MD *md)
{
    return is_sha256(md) ? crypto_hash_sha256_statebytes() : crypto_hash_sha512_statebytes();
}

int library_hash_begin(EVP_MD_CTX *ctx)
{
    return (is_sha256(ctx->md) ? crypto_hash_sha256_init(ctx->state) : crypto_hash_sha512_init(ctx->state)) == 0;
}

void library_hash_update(EVP_MD_CTX *ctx, const void *data, size_t len)
{
    if (is_sha256(ctx->md))
        crypto_hash_sha256_update(ctx->state, data, len);
    else
        crypto_hash_sha512_update(ctx->state, data, len);
}

void library_hash_end(EVP_MD_CTX *ctx, unsigned char *out)
{
    if (is_sha256(ctx->md))
        crypto_hash_sha256_final(ctx->state, out);
    else
        crypto_hash_sha512_final(ctx->state, out);
}

/* The contexts refer to nothing. */
#include "flat_hash.h"

int library_hash(const EVP_MD *md, unsigned char *out, const void *data, size_t len)
{
    return (is_sha256(md) ? crypto_hash_sha256 : crypto_hash_sha512)(out, data, len) == 0;
}

#include "no_shake.h"

#include "no_ccm.h"

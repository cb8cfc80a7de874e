/* GnuTLS, by its numbers of algorithms. It has AES neither in ECB nor in CTR mode, and no algorithm of ShangMi. */
#include "packaged.h"
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <stdio.h>
#include <string.h>

#define MODE(name, bytes, iv, mode, unit, own) \
    { \
        name, bytes, iv, EVP_CIPH_##mode, unit, &(const gnutls_cipher_algorithm_t) \
        { \
            GNUTLS_CIPHER_##own \
        } \
    }

const EVP_CIPHER library_ciphers[] = {
    MODE("AES-128-CBC", 16, 16, CBC_MODE, 16, AES_128_CBC),   MODE("AES-192-CBC", 24, 16, CBC_MODE, 16, AES_192_CBC),
    MODE("AES-256-CBC", 32, 16, CBC_MODE, 16, AES_256_CBC),   MODE("AES-128-GCM", 16, 12, GCM_MODE, 16, AES_128_GCM),
    MODE("AES-192-GCM", 24, 12, GCM_MODE, 16, AES_192_GCM),   MODE("AES-256-GCM", 32, 12, GCM_MODE, 16, AES_256_GCM),
    MODE("AES-128-XTS", 32, 16, XTS_MODE, 0, AES_128_XTS),    MODE("AES-256-XTS", 64, 16, XTS_MODE, 0, AES_256_XTS),
    MODE("ChaCha20", 32, 16, STREAM_CIPHER, 64, CHACHA20_32), { 0 },
};

const EVP_MD library_hashes[] = {
    FIPS_HASHES(gnutls_digest_algorithm_t, GNUTLS_DIG_),
    NUMBERED_HASH("SHAKE128", 0, 168, gnutls_digest_algorithm_t, GNUTLS_DIG_SHAKE_128),
    NUMBERED_HASH("SHAKE256", 0, 136, gnutls_digest_algorithm_t, GNUTLS_DIG_SHAKE_256),
    { 0 },
};

int library_begin(void)
{
    return gnutls_global_init() == 0;
}

const char *library_version(void)
{
    static char text[64];
    snprintf(text, sizeof text, "GnuTLS %s", gnutls_check_version(NULL));
    return text;
}

size_t library_cipher_size(const EVP_CIPHER *cipher)
{
    (void)cipher;
    return sizeof(gnutls_cipher_hd_t);
}

static gnutls_cipher_hd_t handle(const EVP_CIPHER_CTX *ctx)
{
    return *(const gnutls_cipher_hd_t *)ctx->state;
}

void library_close(EVP_CIPHER_CTX *ctx)
{
    if (handle(ctx))
        gnutls_cipher_deinit(handle(ctx));
    memset(ctx->state, 0, sizeof(gnutls_cipher_hd_t));
}

/* A handle keeps the key with which it was made. */
int library_key(EVP_CIPHER_CTX *ctx, const unsigned char *key)
{
    const gnutls_cipher_algorithm_t *own = ctx->cipher->own;
    gnutls_datum_t datum = { (unsigned char *)key, (unsigned)ctx->cipher->key_len };
    library_close(ctx);
    return gnutls_cipher_init(ctx->state, *own, &datum, NULL) == 0;
}

int library_iv(EVP_CIPHER_CTX *ctx)
{
    gnutls_cipher_set_iv(handle(ctx), ctx->iv, ctx->iv_len);
    return 1;
}

int library_crypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len, int last)
{
    (void)last;
    if (ctx->encrypt)
        return gnutls_cipher_encrypt2(handle(ctx), in, len, out, len) == 0;
    return gnutls_cipher_decrypt2(handle(ctx), in, len, out, len) == 0;
}

int library_authenticate(EVP_CIPHER_CTX *ctx, const unsigned char *in, size_t len)
{
    return gnutls_cipher_add_auth(handle(ctx), in, len) == 0;
}

int library_tag(EVP_CIPHER_CTX *ctx, unsigned char tag[LONGEST_TAG])
{
    return gnutls_cipher_tag(handle(ctx), tag, LONGEST_TAG) == 0;
}

static gnutls_digest_algorithm_t number(const EVP_MD *md)
{
    return *(const gnutls_digest_algorithm_t *)md->own;
}

static gnutls_hash_hd_t hash(const EVP_MD_CTX *ctx)
{
    return *(const gnutls_hash_hd_t *)ctx->state;
}

size_t library_hash_size(const EVP_MD *md)
{
    (void)md;
    return sizeof(gnutls_hash_hd_t);
}

int library_hash_begin(EVP_MD_CTX *ctx)
{
    return gnutls_hash_init(ctx->state, number(ctx->md)) == 0;
}

void library_hash_update(EVP_MD_CTX *ctx, const void *data, size_t len)
{
    gnutls_hash(hash(ctx), data, len);
}

void library_hash_end(EVP_MD_CTX *ctx, unsigned char *out)
{
    gnutls_hash_output(hash(ctx), out);
}

int library_hash_copy(EVP_MD_CTX *out, const EVP_MD_CTX *in)
{
    gnutls_hash_hd_t copy = gnutls_hash_copy(hash(in));
    memcpy(out->state, &copy, sizeof copy);
    return copy != NULL;
}

void library_hash_close(EVP_MD_CTX *ctx)
{
    if (hash(ctx))
        gnutls_hash_deinit(hash(ctx), NULL);
}

int library_hash(const EVP_MD *md, unsigned char *out, const void *data, size_t len)
{
    return gnutls_hash_fast(number(md), data, len, out) == 0;
}

int library_squeeze(EVP_MD_CTX *ctx, unsigned char *out, size_t len)
{
    return gnutls_hash_squeeze(hash(ctx), out, len) == 0;
}

#include "no_ccm.h"

/* nettle, by its tables of ciphers and hashes. */
#include "packaged.h"
#include <nettle/cbc.h>
#include <nettle/ccm.h>
#include <nettle/chacha.h>
#include <nettle/ctr.h>
#include <nettle/gcm.h>
#include <nettle/nettle-meta.h>
#include <nettle/sha3.h>
#include <nettle/version.h>
#include <nettle/xts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the context of a cipher in GCM begins. */
struct gcm_start {
    struct gcm_key key;
    struct gcm_ctx gcm;
};

#define MODE(name, bytes, iv, mode, unit, own) { name, bytes, iv, EVP_CIPH_##mode, unit, own }
#define BLOCK(name, bytes, own) \
    MODE(name "-ECB", bytes, 0, ECB_MODE, 16, own), MODE(name "-CBC", bytes, 16, CBC_MODE, 16, own), \
        MODE(name "-CTR", bytes, 16, CTR_MODE, 16, own)
#define GCM(name, bytes, own) MODE(name "-GCM", bytes, 12, GCM_MODE, 16, own)
#define XTS(name, bytes, own) MODE(name "-XTS", bytes, 16, XTS_MODE, 0, own)

const EVP_CIPHER library_ciphers[] = {
    BLOCK("AES-128", 16, &nettle_aes128),
    BLOCK("AES-192", 24, &nettle_aes192),
    BLOCK("AES-256", 32, &nettle_aes256),
    BLOCK("SM4", 16, &nettle_sm4),
    GCM("AES-128", 16, &nettle_gcm_aes128),
    GCM("AES-192", 24, &nettle_gcm_aes192),
    GCM("AES-256", 32, &nettle_gcm_aes256),
    GCM("SM4", 16, &nettle_gcm_sm4),
    MODE("AES-128-CCM", 16, 12, CCM_MODE, 0, &nettle_aes128),
    MODE("AES-192-CCM", 24, 12, CCM_MODE, 0, &nettle_aes192),
    MODE("AES-256-CCM", 32, 12, CCM_MODE, 0, &nettle_aes256),
    MODE("SM4-CCM", 16, 12, CCM_MODE, 0, &nettle_sm4),
    XTS("AES-128", 32, &nettle_aes128),
    XTS("AES-256", 64, &nettle_aes256),
    MODE("ChaCha20", 32, 16, STREAM_CIPHER, 64, NULL),
    { 0 },
};

/* nettle has no entry for it. */
static const struct nettle_hash shake128 = {
    "shake128",
    sizeof(struct sha3_128_ctx),
    0,
    SHA3_128_BLOCK_SIZE,
    (nettle_hash_init_func *)sha3_128_init,
    (nettle_hash_update_func *)sha3_128_update,
    NULL,
};

const EVP_MD library_hashes[] = {
    { "SHAKE128", 0, SHA3_128_BLOCK_SIZE, &shake128 },
    { "SHAKE256", 0, SHA3_256_BLOCK_SIZE, &nettle_sha3_256 },
    { "SHA1", 20, 64, &nettle_sha1 },
    { "SHA224", 28, 64, &nettle_sha224 },
    { "SHA256", 32, 64, &nettle_sha256 },
    { "SHA384", 48, 128, &nettle_sha384 },
    { "SHA512", 64, 128, &nettle_sha512 },
    { "SHA512-224", 28, 128, &nettle_sha512_224 },
    { "SHA512-256", 32, 128, &nettle_sha512_256 },
    { "SHA3-224", 28, 144, &nettle_sha3_224 },
    { "SHA3-256", 32, 136, &nettle_sha3_256 },
    { "SHA3-384", 48, 104, &nettle_sha3_384 },
    { "SHA3-512", 64, 72, &nettle_sha3_512 },
    { "SM3", 32, 64, &nettle_sm3 },
    { 0 },
};

int library_begin(void)
{
    return 1;
}

const char *library_version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "nettle %d.%d", nettle_version_major(), nettle_version_minor());
    return text;
}

/* XTS has two contexts, one after the other. */
static void *second(EVP_CIPHER_CTX *ctx)
{
    const struct nettle_cipher *own = ctx->cipher->own;
    return (char *)ctx->state + (own->context_size + 15) / 16 * 16;
}

size_t library_cipher_size(const EVP_CIPHER *cipher)
{
    switch (cipher->mode) {
    case EVP_CIPH_GCM_MODE:
        return ((const struct nettle_aead *)cipher->own)->context_size;
    case EVP_CIPH_STREAM_CIPHER:
        return sizeof(struct chacha_ctx);
    default:
        return 2 * (((const struct nettle_cipher *)cipher->own)->context_size + 16);
    }
}

int library_key(EVP_CIPHER_CTX *ctx, const unsigned char *key)
{
    const struct nettle_cipher *own = ctx->cipher->own;
    const struct nettle_aead *aead = ctx->cipher->own;
    switch (ctx->cipher->mode) {
    case EVP_CIPH_GCM_MODE:
        aead->set_encrypt_key(ctx->state, key);
        return 1;
    case EVP_CIPH_STREAM_CIPHER:
        chacha_set_key(ctx->state, key);
        return 1;
    case EVP_CIPH_XTS_MODE:
        own->set_encrypt_key(second(ctx), key + own->key_size);
        break;
    default:
        break;
    }
    int forward = ctx->encrypt || ctx->cipher->mode == EVP_CIPH_CTR_MODE || ctx->cipher->mode == EVP_CIPH_CCM_MODE;
    (forward ? own->set_encrypt_key : own->set_decrypt_key)(ctx->state, key);
    return 1;
}

int library_iv(EVP_CIPHER_CTX *ctx)
{
    struct gcm_start *start = ctx->state;
    switch (ctx->cipher->mode) {
    case EVP_CIPH_GCM_MODE:
        gcm_set_iv(&start->gcm, &start->key, ctx->iv_len, ctx->iv);
        return 1;
    case EVP_CIPH_STREAM_CIPHER:
        /* A counter of four bytes, then the nonce. */
        chacha_set_nonce96(ctx->state, ctx->iv + 4);
        chacha_set_counter32(ctx->state, ctx->iv);
        return 1;
    default:
        return 1;
    }
}

/* The other modes keep their IV in the context of EVP. */
int library_crypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len, int last)
{
    const struct nettle_cipher *own = ctx->cipher->own;
    const struct nettle_aead *aead = ctx->cipher->own;
    (void)last;
    switch (ctx->cipher->mode) {
    case EVP_CIPH_GCM_MODE:
        (ctx->encrypt ? aead->encrypt : aead->decrypt)(ctx->state, len, out, in);
        return 1;
    case EVP_CIPH_STREAM_CIPHER:
        chacha_crypt32(ctx->state, len, out, in);
        return 1;
    case EVP_CIPH_CTR_MODE:
        ctr_crypt(ctx->state, own->encrypt, 16, ctx->iv, len, out, in);
        return 1;
    case EVP_CIPH_CBC_MODE:
        if (ctx->encrypt)
            cbc_encrypt(ctx->state, own->encrypt, 16, ctx->iv, len, out, in);
        else
            cbc_decrypt(ctx->state, own->decrypt, 16, ctx->iv, len, out, in);
        return 1;
    case EVP_CIPH_XTS_MODE:
        if (len < 16)
            return 0;
        if (ctx->encrypt)
            xts_encrypt_message(ctx->state, second(ctx), own->encrypt, ctx->iv, len, out, in);
        else
            xts_decrypt_message(ctx->state, second(ctx), own->decrypt, own->encrypt, ctx->iv, len, out, in);
        return 1;
    default:
        (ctx->encrypt ? own->encrypt : own->decrypt)(ctx->state, len, out, in);
        return 1;
    }
}

int library_authenticate(EVP_CIPHER_CTX *ctx, const unsigned char *in, size_t len)
{
    const struct nettle_aead *aead = ctx->cipher->own;
    aead->update(ctx->state, len, in);
    return 1;
}

int library_tag(EVP_CIPHER_CTX *ctx, unsigned char tag[LONGEST_TAG])
{
    const struct nettle_aead *aead = ctx->cipher->own;
    aead->digest(ctx->state, LONGEST_TAG, tag);
    return 1;
}

/* The library asserts what is tested first: the lengths of the nonce and the tag, and that the length of the message fits
 * in the bytes that the nonce leaves for it. */
int library_ccm(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len,
                unsigned char tag[LONGEST_TAG])
{
    const struct nettle_cipher *own = ctx->cipher->own;
    struct ccm_ctx ccm;
    if (ctx->iv_len < 7 || ctx->iv_len > 13 || ctx->tag_len < 4 || ctx->tag_len % 2
        || (ctx->iv_len > 7 && len >> 8 * (15 - ctx->iv_len)))
        return 0;
    ccm_set_nonce(&ccm, ctx->state, own->encrypt, ctx->iv_len, ctx->iv, ctx->aad_len, len, ctx->tag_len);
    ccm_update(&ccm, ctx->state, own->encrypt, ctx->aad_len, ctx->aad);
    (ctx->encrypt ? ccm_encrypt : ccm_decrypt)(&ccm, ctx->state, own->encrypt, len, out, in);
    ccm_digest(&ccm, ctx->state, own->encrypt, ctx->tag_len, tag);
    return 1;
}

void library_close(EVP_CIPHER_CTX *ctx)
{
    (void)ctx;
}

size_t library_hash_size(const EVP_MD *md)
{
    return ((const struct nettle_hash *)md->own)->context_size;
}

int library_hash_begin(EVP_MD_CTX *ctx)
{
    const struct nettle_hash *own = ctx->md->own;
    own->init(ctx->state);
    return 1;
}

void library_hash_update(EVP_MD_CTX *ctx, const void *data, size_t len)
{
    const struct nettle_hash *own = ctx->md->own;
    own->update(ctx->state, len, data);
}

void library_hash_end(EVP_MD_CTX *ctx, unsigned char *out)
{
    const struct nettle_hash *own = ctx->md->own;
    own->digest(ctx->state, own->digest_size, out);
}

/* The contexts refer to nothing. */
#include "flat_hash.h"

/* nettle has no call for a whole message; its context lies on the caller's stack. */
int library_hash(const EVP_MD *md, unsigned char *out, const void *data, size_t len)
{
    const struct nettle_hash *own = md->own;
    _Alignas(16) unsigned char state[512];
    if (own->context_size > sizeof state)
        return 0;
    own->init(state);
    own->update(state, len, data);
    own->digest(state, own->digest_size, out);
    return 1;
}

int library_squeeze(EVP_MD_CTX *ctx, unsigned char *out, size_t len)
{
    if (ctx->md->own == &shake128)
        sha3_128_shake_output(ctx->state, len, out);
    else
        sha3_256_shake_output(ctx->state, len, out);
    return 1;
}

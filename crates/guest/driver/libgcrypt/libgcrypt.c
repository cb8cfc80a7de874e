/* libgcrypt, by its numbers of algorithms and modes. */
#include "packaged.h"
#include <gcrypt.h>
#include <stdio.h>
#include <string.h>

/* What the library calls a cipher in a mode. */
struct own {
    int algorithm, mode;
};

#define OWN(cipher, mode) (&(const struct own){ GCRY_CIPHER_##cipher, GCRY_CIPHER_MODE_##mode })
#define MODE(name, bytes, iv, mode, unit, own) { name, bytes, iv, EVP_CIPH_##mode, unit, own }
#define CIPHER(name, bytes, own) \
    MODE(name "-ECB", bytes, 0, ECB_MODE, 16, OWN(own, ECB)), \
        MODE(name "-CBC", bytes, 16, CBC_MODE, 16, OWN(own, CBC)), \
        MODE(name "-CTR", bytes, 16, CTR_MODE, 16, OWN(own, CTR)), \
        MODE(name "-GCM", bytes, 12, GCM_MODE, 16, OWN(own, GCM))

const EVP_CIPHER library_ciphers[] = {
    CIPHER("AES-128", 16, AES128),
    CIPHER("AES-192", 24, AES192),
    CIPHER("AES-256", 32, AES256),
    CIPHER("SM4", 16, SM4),
    MODE("AES-128-CCM", 16, 12, CCM_MODE, 0, OWN(AES128, CCM)),
    MODE("AES-192-CCM", 24, 12, CCM_MODE, 0, OWN(AES192, CCM)),
    MODE("AES-256-CCM", 32, 12, CCM_MODE, 0, OWN(AES256, CCM)),
    MODE("SM4-CCM", 16, 12, CCM_MODE, 0, OWN(SM4, CCM)),
    MODE("AES-128-XTS", 32, 16, XTS_MODE, 0, OWN(AES128, XTS)),
    MODE("AES-256-XTS", 64, 16, XTS_MODE, 0, OWN(AES256, XTS)),
    MODE("ChaCha20", 32, 16, STREAM_CIPHER, 64, OWN(CHACHA20, STREAM)),
    { 0 },
};

#define HASH(name, size, block, algorithm) NUMBERED_HASH(name, size, block, int, GCRY_MD_##algorithm)

const EVP_MD library_hashes[] = {
    HASH("SHAKE128", 0, 168, SHAKE128),
    HASH("SHAKE256", 0, 136, SHAKE256),
    HASH("SHA1", 20, 64, SHA1),
    HASH("SHA224", 28, 64, SHA224),
    HASH("SHA256", 32, 64, SHA256),
    HASH("SHA384", 48, 128, SHA384),
    HASH("SHA512", 64, 128, SHA512),
    HASH("SHA512-224", 28, 128, SHA512_224),
    HASH("SHA512-256", 32, 128, SHA512_256),
    HASH("SHA3-224", 28, 144, SHA3_224),
    HASH("SHA3-256", 32, 136, SHA3_256),
    HASH("SHA3-384", 48, 104, SHA3_384),
    HASH("SHA3-512", 64, 72, SHA3_512),
    HASH("SM3", 32, 64, SM3),
    { 0 },
};

/* Without locked memory, which the guest's user may not have. */
int library_begin(void)
{
    return gcry_check_version(NULL) && !gcry_control(GCRYCTL_DISABLE_SECMEM, 0)
        && !gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

const char *library_version(void)
{
    static char text[64];
    snprintf(text, sizeof text, "libgcrypt %s", gcry_check_version(NULL));
    return text;
}

size_t library_cipher_size(const EVP_CIPHER *cipher)
{
    (void)cipher;
    return sizeof(gcry_cipher_hd_t);
}

int library_key(EVP_CIPHER_CTX *ctx, const unsigned char *key)
{
    const struct own *own = ctx->cipher->own;
    gcry_cipher_hd_t *handle = ctx->state;
    return (*handle || !gcry_cipher_open(handle, own->algorithm, own->mode, 0))
        && !gcry_cipher_setkey(*handle, key, (size_t)ctx->cipher->key_len);
}

int library_iv(EVP_CIPHER_CTX *ctx)
{
    gcry_cipher_hd_t *handle = ctx->state;
    if (ctx->cipher->mode == EVP_CIPH_CTR_MODE)
        return !gcry_cipher_setctr(*handle, ctx->iv, ctx->iv_len);
    return !gcry_cipher_setiv(*handle, ctx->iv, ctx->iv_len);
}

int library_crypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len, int last)
{
    gcry_cipher_hd_t *handle = ctx->state;
    (void)last;
    /* Each call is a whole message, and the library has changed the IV of the one before. */
    if (ctx->cipher->mode == EVP_CIPH_XTS_MODE && !library_iv(ctx))
        return 0;
    if (len == 0)
        return ctx->cipher->mode != EVP_CIPH_XTS_MODE;
    return !(ctx->encrypt ? gcry_cipher_encrypt : gcry_cipher_decrypt)(*handle, out, len, in, len);
}

int library_authenticate(EVP_CIPHER_CTX *ctx, const unsigned char *in, size_t len)
{
    gcry_cipher_hd_t *handle = ctx->state;
    return len == 0 || !gcry_cipher_authenticate(*handle, in, len);
}

int library_tag(EVP_CIPHER_CTX *ctx, unsigned char tag[LONGEST_TAG])
{
    gcry_cipher_hd_t *handle = ctx->state;
    return !gcry_cipher_gettag(*handle, tag, LONGEST_TAG);
}

int library_ccm(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len,
                unsigned char tag[LONGEST_TAG])
{
    gcry_cipher_hd_t *handle = ctx->state;
    uint64_t lengths[3] = { len, ctx->aad_len, ctx->tag_len };
    return !gcry_cipher_setiv(*handle, ctx->iv, ctx->iv_len)
        && !gcry_cipher_ctl(*handle, GCRYCTL_SET_CCM_LENGTHS, lengths, sizeof lengths)
        && (!ctx->aad_len || !gcry_cipher_authenticate(*handle, ctx->aad, ctx->aad_len))
        && !(ctx->encrypt ? gcry_cipher_encrypt : gcry_cipher_decrypt)(*handle, out, len, in, len)
        && !gcry_cipher_gettag(*handle, tag, ctx->tag_len);
}

void library_close(EVP_CIPHER_CTX *ctx)
{
    gcry_cipher_hd_t *handle = ctx->state;
    gcry_cipher_close(*handle);
}

static int number(const EVP_MD *md)
{
    return *(const int *)md->own;
}

size_t library_hash_size(const EVP_MD *md)
{
    (void)md;
    return sizeof(gcry_md_hd_t);
}

int library_hash_begin(EVP_MD_CTX *ctx)
{
    return !gcry_md_open(ctx->state, number(ctx->md), 0);
}

void library_hash_update(EVP_MD_CTX *ctx, const void *data, size_t len)
{
    gcry_md_hd_t *handle = ctx->state;
    gcry_md_write(*handle, data, len);
}

void library_hash_end(EVP_MD_CTX *ctx, unsigned char *out)
{
    gcry_md_hd_t *handle = ctx->state;
    memcpy(out, gcry_md_read(*handle, number(ctx->md)), (size_t)ctx->md->size);
}

int library_hash_copy(EVP_MD_CTX *out, const EVP_MD_CTX *in)
{
    const gcry_md_hd_t *handle = in->state;
    return !gcry_md_copy(out->state, *handle);
}

void library_hash_close(EVP_MD_CTX *ctx)
{
    gcry_md_hd_t *handle = ctx->state;
    gcry_md_close(*handle);
}

int library_hash(const EVP_MD *md, unsigned char *out, const void *data, size_t len)
{
    gcry_md_hash_buffer(number(md), out, data, len);
    return 1;
}

int library_squeeze(EVP_MD_CTX *ctx, unsigned char *out, size_t len)
{
    gcry_md_hd_t *handle = ctx->state;
    return !gcry_md_extract(*handle, number(ctx->md), out, len);
}

/* EVP_CIPHER with the library: contexts, and messages that arrive in pieces. */
#include "packaged.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

EVP_CIPHER *EVP_CIPHER_fetch(OSSL_LIB_CTX *context, const char *name, const char *properties)
{
    (void)context, (void)properties;
    for (const EVP_CIPHER *c = library_ciphers; c->name; c++)
        if (strcasecmp(c->name, name) == 0)
            return (EVP_CIPHER *)c;
    return NULL;
}

/* The table is static. */
void EVP_CIPHER_free(EVP_CIPHER *cipher)
{
    (void)cipher;
}

EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void)
{
    return calloc(1, sizeof(EVP_CIPHER_CTX));
}

static void close_state(EVP_CIPHER_CTX *ctx)
{
    if (ctx->state)
        library_close(ctx);
    free(ctx->state);
    free(ctx->aad);
    ctx->state = NULL;
    ctx->aad = NULL;
}

void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *ctx)
{
    if (ctx)
        close_state(ctx);
    free(ctx);
}

int EVP_CIPHER_get_key_length(const EVP_CIPHER *cipher)
{
    return cipher->key_len;
}

int EVP_CIPHER_get_iv_length(const EVP_CIPHER *cipher)
{
    return cipher->iv_len;
}

int EVP_CIPHER_get_mode(const EVP_CIPHER *cipher)
{
    return cipher->mode;
}

static int is_ccm(const EVP_CIPHER *cipher)
{
    return cipher->mode == EVP_CIPH_CCM_MODE;
}

/* The authenticating modes of the tables. */
static int authenticates(const EVP_CIPHER *cipher)
{
    return cipher->mode == EVP_CIPH_GCM_MODE || is_ccm(cipher);
}

unsigned long EVP_CIPHER_get_flags(const EVP_CIPHER *cipher)
{
    return authenticates(cipher) ? EVP_CIPH_FLAG_AEAD_CIPHER : 0;
}

const EVP_CIPHER *EVP_CIPHER_CTX_get0_cipher(const EVP_CIPHER_CTX *ctx)
{
    return ctx->cipher;
}

/* The libraries leave padding to their callers. */
int EVP_CIPHER_CTX_set_padding(EVP_CIPHER_CTX *ctx, int pad)
{
    (void)ctx;
    return !pad;
}

int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr)
{
    size_t len = (size_t)arg;
    if (!authenticates(ctx->cipher) || arg <= 0 || len > (type == EVP_CTRL_AEAD_SET_IVLEN ? LONGEST_IV : LONGEST_TAG))
        return 0;
    switch (type) {
    case EVP_CTRL_AEAD_SET_IVLEN:
        ctx->iv_len = len;
        return 1;
    case EVP_CTRL_AEAD_SET_TAG:
        /* To encrypt in CCM, only its length is set. */
        if (ptr)
            memcpy(ctx->tag, ptr, len);
        ctx->tag_len = len;
        return 1;
    case EVP_CTRL_AEAD_GET_TAG:
        memcpy(ptr, ctx->tag, len);
        return 1;
    default:
        return 0;
    }
}

static int choose(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher)
{
    size_t size = (library_cipher_size(cipher) + 63) / 64 * 64;
    close_state(ctx);
    if (posix_memalign(&ctx->state, 64, size) != 0) {
        ctx->state = NULL;
        return 0;
    }
    memset(ctx->state, 0, size);
    ctx->cipher = cipher;
    ctx->iv_len = (size_t)cipher->iv_len;
    ctx->keyed = ctx->has_iv = 0;
    return 1;
}

int EVP_CipherInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const unsigned char *key, const unsigned char *iv,
                       int encrypt, const OSSL_PARAM params[])
{
    (void)params;
    if (cipher && cipher != ctx->cipher && !choose(ctx, cipher))
        return 0;
    if (encrypt >= 0)
        ctx->encrypt = encrypt;
    if (iv && ctx->iv_len) {
        memcpy(ctx->iv, iv, ctx->iv_len);
        ctx->has_iv = 1;
    }
    if (key && !(ctx->keyed = library_key(ctx, key)))
        return 0;
    ctx->held_len = ctx->aad_len = 0;
    return !ctx->keyed || !ctx->has_iv || library_iv(ctx);
}

/* Gives the library a part of the message; without an output buffer, of the associated data. */
static int pass(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len, int last)
{
    return out ? library_crypt(ctx, out, in, len, last) : library_authenticate(ctx, in, len);
}

/* The end of the associated data may be less than a unit. */
static int pass_held_aad(EVP_CIPHER_CTX *ctx)
{
    size_t len = ctx->held_len;
    if (!len || !ctx->holds_aad)
        return 1;
    ctx->held_len = 0;
    return library_authenticate(ctx, ctx->held, len);
}

/* Passes whole units, and holds back the rest. Returns the number of bytes passed, or -1. */
static int in_units(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    size_t unit = ctx->cipher->unit, done = 0, whole;
    ctx->holds_aad = out == NULL;
    if (ctx->held_len) {
        size_t n = unit - ctx->held_len < len ? unit - ctx->held_len : len;
        memcpy(ctx->held + ctx->held_len, in, n);
        ctx->held_len += n, in += n, len -= n;
        if (ctx->held_len < unit)
            return 0;
        if (!pass(ctx, out, ctx->held, unit, 0))
            return -1;
        done = unit;
    }
    whole = len - len % unit;
    if (whole && !pass(ctx, out ? out + done : NULL, in, whole, 0))
        return -1;
    ctx->held_len = len - whole;
    memcpy(ctx->held, in + whole, ctx->held_len);
    return (int)(done + whole);
}

/* Whether two tags are equal. */
static int equal(const unsigned char *a, const unsigned char *b, size_t len)
{
    unsigned char differs = 0;
    for (size_t i = 0; i < len; i++)
        differs |= a[i] ^ b[i];
    return !differs;
}

/* In CCM, the library takes the associated data and the message at once. Without an input, the call announces the length of the message. */
static int update_ccm(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    unsigned char tag[LONGEST_TAG], *aad;
    if (out == NULL && in == NULL)
        return 1;
    if (out == NULL) {
        aad = realloc(ctx->aad, ctx->aad_len + len + 1);
        if (aad == NULL)
            return 0;
        memcpy(aad + ctx->aad_len, in, len);
        ctx->aad = aad;
        ctx->aad_len += len;
        return 1;
    }
    if (!library_ccm(ctx, out, in, len, tag))
        return 0;
    if (ctx->encrypt) {
        memcpy(ctx->tag, tag, ctx->tag_len);
        return 1;
    }
    if (equal(tag, ctx->tag, ctx->tag_len))
        return 1;
    memset(out, 0, len);
    return 0;
}

int EVP_CipherUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len, const unsigned char *in, int len)
{
    size_t unit = ctx->cipher->unit;
    *out_len = len;
    if (is_ccm(ctx->cipher))
        return update_ccm(ctx, out, in, (size_t)len);
    if (out && !pass_held_aad(ctx))
        return 0;
    if (unit == 0 || (!ctx->held_len && (size_t)len % unit == 0))
        return pass(ctx, out, in, (size_t)len, unit == 0);
    *out_len = in_units(ctx, out, in, (size_t)len);
    return *out_len >= 0;
}

int EVP_CipherFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len)
{
    int mode = ctx->cipher->mode;
    unsigned char tag[LONGEST_TAG];
    size_t len = ctx->held_len;
    *out_len = 0;
    if (is_ccm(ctx->cipher))
        return 1;
    if (ctx->holds_aad && !pass_held_aad(ctx))
        return 0;
    len = ctx->held_len;
    if (len && (mode == EVP_CIPH_ECB_MODE || mode == EVP_CIPH_CBC_MODE))
        return 0;
    ctx->held_len = 0;
    if (len && !library_crypt(ctx, out, ctx->held, len, 1))
        return 0;
    *out_len = (int)len;
    if (!authenticates(ctx->cipher))
        return 1;
    if (!library_tag(ctx, tag))
        return 0;
    if (!ctx->encrypt)
        return ctx->tag_len && equal(tag, ctx->tag, ctx->tag_len);
    memcpy(ctx->tag, tag, sizeof tag);
    return 1;
}

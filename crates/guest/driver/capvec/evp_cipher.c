/* EVP_CIPHER with libcapvec: contexts, and blocks that arrive in pieces. evp_modes.c has the ciphers. */
#include "evp.h"
#include "evp_modes.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

EVP_CIPHER *EVP_CIPHER_fetch(OSSL_LIB_CTX *library, const char *name, const char *properties)
{
    (void)library, (void)properties;
    for (const EVP_CIPHER *c = evp_ciphers; c->name; c++)
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
    EVP_CIPHER_CTX *ctx = NULL;
    if (posix_memalign((void **)&ctx, 64, sizeof *ctx) != 0)
        return NULL;
    memset(ctx, 0, sizeof *ctx);
    ctx->pad = 1;
    return ctx;
}

void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *ctx)
{
    if (ctx)
        cv_wipe(ctx, sizeof *ctx);
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

unsigned long EVP_CIPHER_get_flags(const EVP_CIPHER *cipher)
{
    return cipher->ctrl ? EVP_CIPH_FLAG_AEAD_CIPHER : 0;
}

const EVP_CIPHER *EVP_CIPHER_CTX_get0_cipher(const EVP_CIPHER_CTX *ctx)
{
    return ctx->cipher;
}

int EVP_CIPHER_CTX_set_padding(EVP_CIPHER_CTX *ctx, int pad)
{
    ctx->pad = pad;
    return 1;
}

int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr)
{
    return ctx->cipher->ctrl ? ctx->cipher->ctrl(ctx, type, arg, ptr) : 0;
}

int EVP_CipherInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const unsigned char *key, const unsigned char *iv,
                       int encrypt, const OSSL_PARAM params[])
{
    (void)params;
    if (cipher) {
        ctx->cipher = cipher;
        ctx->iv_len = (size_t)cipher->iv_len;
    }
    if (encrypt >= 0)
        ctx->encrypt = encrypt;
    if (iv)
        memcpy(ctx->iv, iv, ctx->iv_len);
    if (key && !(ctx->keyed = ctx->cipher->key(ctx, key)))
        return 0;
    ctx->held = 0;
    return !ctx->keyed || ctx->cipher->iv == NULL || ctx->cipher->iv(ctx);
}

/* Number of bytes to hold back: an incomplete last block, or a whole one that may be padding. */
static size_t kept(const EVP_CIPHER_CTX *ctx, size_t len)
{
    size_t rest = len % CV_BLOCK;
    return rest == 0 && len && ctx->pad && !ctx->encrypt ? CV_BLOCK : rest;
}

static int update_blocks(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, size_t len)
{
    size_t keep = kept(ctx, ctx->held + len), now = ctx->held + len - keep, done = 0;
    if (ctx->held && now) {
        size_t n = CV_BLOCK - ctx->held;
        memcpy(ctx->partial + ctx->held, in, n);
        if (ctx->cipher->update(ctx, out, ctx->partial, CV_BLOCK) < 0)
            return -1;
        in += n, len -= n, done = CV_BLOCK, ctx->held = 0;
    }
    if (now > done && ctx->cipher->update(ctx, out + done, in, now - done) < 0)
        return -1;
    in += now - done;
    memcpy(ctx->partial + ctx->held, in, keep - ctx->held);
    ctx->held = keep;
    return (int)now;
}

int EVP_CipherUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len, const unsigned char *in, int len)
{
    const EVP_CIPHER *cipher = ctx->cipher;
    int whole = !cipher->blocks || (!ctx->held && len % CV_BLOCK == 0 && (ctx->encrypt || !ctx->pad));
    int n = (whole ? cipher->update : update_blocks)(ctx, out, in, (size_t)len);
    *out_len = n;
    return n >= 0;
}

/* PKCS #7 padding. */
static int unpad(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len)
{
    unsigned char block[CV_BLOCK];
    if (ctx->held != CV_BLOCK || ctx->cipher->update(ctx, block, ctx->partial, CV_BLOCK) < 0)
        return 0;
    size_t n = block[CV_BLOCK - 1];
    if (n == 0 || n > CV_BLOCK)
        return 0;
    for (size_t i = CV_BLOCK - n; i < CV_BLOCK; i++)
        if (block[i] != n)
            return 0;
    memcpy(out, block, CV_BLOCK - n);
    *out_len = (int)(CV_BLOCK - n);
    return 1;
}

int EVP_CipherFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len)
{
    *out_len = 0;
    if (ctx->cipher->final)
        return ctx->cipher->final(ctx, out, out_len);
    if (!ctx->cipher->blocks)
        return 1;
    if (!ctx->pad)
        return ctx->held == 0;
    if (!ctx->encrypt)
        return unpad(ctx, out, out_len);
    memset(ctx->partial + ctx->held, (int)(CV_BLOCK - ctx->held), CV_BLOCK - ctx->held);
    *out_len = CV_BLOCK;
    return ctx->cipher->update(ctx, out, ctx->partial, CV_BLOCK) >= 0;
}

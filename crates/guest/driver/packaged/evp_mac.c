/* EVP_MAC with the library: GMAC, which is GCM without a message. */
#include "packaged.h"
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct evp_mac_st {
    const char *name;
};

struct evp_mac_ctx_st {
    EVP_CIPHER_CTX *gcm;
    const EVP_CIPHER *cipher;
    const OSSL_PARAM *iv;
};

static const EVP_MAC gmac = { "GMAC" };

EVP_MAC *EVP_MAC_fetch(OSSL_LIB_CTX *context, const char *name, const char *properties)
{
    (void)context, (void)properties;
    return strcasecmp(name, gmac.name) == 0 ? (EVP_MAC *)&gmac : NULL;
}

void EVP_MAC_free(EVP_MAC *mac)
{
    (void)mac;
}

EVP_MAC_CTX *EVP_MAC_CTX_new(EVP_MAC *mac)
{
    EVP_MAC_CTX *ctx = calloc(1, sizeof *ctx);
    (void)mac;
    if (ctx)
        ctx->gcm = EVP_CIPHER_CTX_new();
    return ctx;
}

void EVP_MAC_CTX_free(EVP_MAC_CTX *ctx)
{
    if (ctx)
        EVP_CIPHER_CTX_free(ctx->gcm);
    free(ctx);
}

int EVP_MAC_CTX_set_params(EVP_MAC_CTX *ctx, const OSSL_PARAM params[])
{
    for (const OSSL_PARAM *p = params; p->key; p++)
        if (strcmp(p->key, OSSL_MAC_PARAM_CIPHER) == 0) {
            const EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, p->data, NULL);
            if (cipher == NULL || cipher->mode != EVP_CIPH_GCM_MODE
                || !EVP_CipherInit_ex2(ctx->gcm, cipher, NULL, NULL, 1, NULL))
                return 0;
            ctx->cipher = cipher;
        }
    /* Its length is known to a context that has a cipher. */
    for (const OSSL_PARAM *p = params; p->key; p++)
        if (strcmp(p->key, OSSL_MAC_PARAM_IV) == 0
            && (ctx->cipher == NULL || !EVP_CIPHER_CTX_ctrl(ctx->gcm, EVP_CTRL_AEAD_SET_IVLEN, (int)p->data_size, NULL)
                || !EVP_CipherInit_ex2(ctx->gcm, NULL, NULL, p->data, 1, NULL)))
            return 0;
    return 1;
}

int EVP_MAC_init(EVP_MAC_CTX *ctx, const unsigned char *key, size_t len, const OSSL_PARAM params[])
{
    if ((params && !EVP_MAC_CTX_set_params(ctx, params)) || ctx->cipher == NULL)
        return 0;
    /* Parameters with an IV have begun the message. */
    if (key == NULL)
        return params != NULL || EVP_CipherInit_ex2(ctx->gcm, NULL, NULL, NULL, 1, NULL);
    return len == (size_t)ctx->cipher->key_len && EVP_CipherInit_ex2(ctx->gcm, NULL, key, NULL, 1, NULL);
}

int EVP_MAC_update(EVP_MAC_CTX *ctx, const unsigned char *data, size_t len)
{
    int out;
    return EVP_CipherUpdate(ctx->gcm, NULL, &out, data, (int)len);
}

int EVP_MAC_final(EVP_MAC_CTX *ctx, unsigned char *out, size_t *len, size_t room)
{
    int none;
    *len = LONGEST_TAG;
    return room >= LONGEST_TAG && EVP_CipherFinal_ex(ctx->gcm, NULL, &none)
        && EVP_CIPHER_CTX_ctrl(ctx->gcm, EVP_CTRL_AEAD_GET_TAG, LONGEST_TAG, out);
}

#include "evp_params.h"

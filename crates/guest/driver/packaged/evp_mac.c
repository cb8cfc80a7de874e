/* EVP_MAC with the library: GMAC, which is GCM without a message, and the MACs of its table. */
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
    const EVP_MAC *mac;
    EVP_CIPHER_CTX *gcm; /* of GMAC */
    const EVP_CIPHER *cipher;
    const struct library_mac *own; /* of the others, once it is known what is inside */
    void *state;
};

static const EVP_MAC known[] = { { "GMAC" }, { "HMAC" }, { "CMAC" }, { "Poly1305" } };
static const EVP_MAC *const gmac = &known[0];

static const struct library_mac *find(const char *name, const char *inside)
{
    for (const struct library_mac *m = library_macs; m->name; m++)
        if (strcasecmp(m->name, name) == 0 && (!inside || !m->inside || strcasecmp(m->inside, inside) == 0))
            return m;
    return NULL;
}

EVP_MAC *EVP_MAC_fetch(OSSL_LIB_CTX *context, const char *name, const char *properties)
{
    (void)context, (void)properties;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(name, known[i].name) == 0 && (&known[i] == gmac || find(name, NULL)))
            return (EVP_MAC *)&known[i];
    return NULL;
}

void EVP_MAC_free(EVP_MAC *mac)
{
    (void)mac;
}

static void close_state(EVP_MAC_CTX *ctx)
{
    if (ctx->own)
        library_mac_close(ctx->own, ctx->state);
    free(ctx->state);
    ctx->state = NULL;
    ctx->own = NULL;
}

static int choose(EVP_MAC_CTX *ctx, const struct library_mac *own)
{
    close_state(ctx);
    if (own == NULL || posix_memalign(&ctx->state, 64, library_mac_size(own)) != 0)
        return 0;
    memset(ctx->state, 0, library_mac_size(own));
    ctx->own = own;
    return 1;
}

EVP_MAC_CTX *EVP_MAC_CTX_new(EVP_MAC *mac)
{
    EVP_MAC_CTX *ctx = calloc(1, sizeof *ctx);
    if (ctx == NULL)
        return NULL;
    ctx->mac = mac;
    ctx->gcm = EVP_CIPHER_CTX_new();
    /* Nothing is inside of Poly1305. */
    if (mac != gmac && find(mac->name, NULL)->inside == NULL)
        choose(ctx, find(mac->name, NULL));
    return ctx;
}

void EVP_MAC_CTX_free(EVP_MAC_CTX *ctx)
{
    if (ctx) {
        EVP_CIPHER_CTX_free(ctx->gcm);
        close_state(ctx);
    }
    free(ctx);
}

static int set_cipher(EVP_MAC_CTX *ctx, const char *name)
{
    const EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    if (cipher == NULL || cipher->mode != EVP_CIPH_GCM_MODE
        || !EVP_CipherInit_ex2(ctx->gcm, cipher, NULL, NULL, 1, NULL))
        return 0;
    ctx->cipher = cipher;
    return 1;
}

int EVP_MAC_CTX_set_params(EVP_MAC_CTX *ctx, const OSSL_PARAM params[])
{
    for (const OSSL_PARAM *p = params; p->key; p++)
        if (strcmp(p->key, OSSL_MAC_PARAM_CIPHER) == 0 || strcmp(p->key, OSSL_MAC_PARAM_DIGEST) == 0) {
            int ok = ctx->mac == gmac ? set_cipher(ctx, p->data) : choose(ctx, find(ctx->mac->name, p->data));
            if (!ok)
                return 0;
        }
    /* After the cipher: only a context with a cipher takes the IV and its length. */
    for (const OSSL_PARAM *p = params; p->key; p++)
        if (strcmp(p->key, OSSL_MAC_PARAM_IV) == 0
            && (ctx->cipher == NULL || !EVP_CIPHER_CTX_ctrl(ctx->gcm, EVP_CTRL_AEAD_SET_IVLEN, (int)p->data_size, NULL)
                || !EVP_CipherInit_ex2(ctx->gcm, NULL, NULL, p->data, 1, NULL)))
            return 0;
    return 1;
}

int EVP_MAC_init(EVP_MAC_CTX *ctx, const unsigned char *key, size_t len, const OSSL_PARAM params[])
{
    if (params && !EVP_MAC_CTX_set_params(ctx, params))
        return 0;
    if (ctx->own)
        return (!key || !ctx->own->key_len || len == ctx->own->key_len)
            && library_mac_begin(ctx->own, ctx->state, key, len);
    if (ctx->cipher == NULL)
        return 0;
    /* Parameters with an IV have begun the message. */
    if (key == NULL)
        return params != NULL || EVP_CipherInit_ex2(ctx->gcm, NULL, NULL, NULL, 1, NULL);
    return len == (size_t)ctx->cipher->key_len && EVP_CipherInit_ex2(ctx->gcm, NULL, key, NULL, 1, NULL);
}

int EVP_MAC_update(EVP_MAC_CTX *ctx, const unsigned char *data, size_t len)
{
    int out;
    if (ctx->own)
        return library_mac_update(ctx->own, ctx->state, data, len);
    return EVP_CipherUpdate(ctx->gcm, NULL, &out, data, (int)len);
}

int EVP_MAC_final(EVP_MAC_CTX *ctx, unsigned char *out, size_t *len, size_t room)
{
    int none;
    if (ctx->own) {
        *len = (size_t)ctx->own->size;
        return room >= *len && library_mac_end(ctx->own, ctx->state, out);
    }
    *len = LONGEST_TAG;
    return room >= LONGEST_TAG && EVP_CipherFinal_ex(ctx->gcm, NULL, &none)
        && EVP_CIPHER_CTX_ctrl(ctx->gcm, EVP_CTRL_AEAD_GET_TAG, LONGEST_TAG, out);
}

#include "evp_params.h"

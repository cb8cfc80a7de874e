/* EVP_MAC with libcapvec. */
#include "evp_hash.h"
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int key_hmac(EVP_MAC_CTX *ctx, const unsigned char *bytes, size_t len)
{
    if (bytes)
        return ctx->md && cv_hmac_init(&ctx->state.hmac, ctx->md->kind, bytes, len) == CV_OK;
    cv_hmac_restart(&ctx->state.hmac);
    return 1;
}

static void update_hmac(EVP_MAC_CTX *ctx, const unsigned char *data, size_t len)
{
    cv_hmac_update(&ctx->state.hmac, data, len);
}

static size_t final_hmac(EVP_MAC_CTX *ctx, unsigned char *out)
{
    cv_hmac_final(&ctx->state.hmac, out);
    return cv_hash_size(ctx->md->kind);
}

static int key_poly1305(EVP_MAC_CTX *ctx, const unsigned char *bytes, size_t len)
{
    if (bytes == NULL || len != 32)
        return 0;
    cv_poly1305_init(&ctx->state.poly1305, bytes);
    return 1;
}

static void update_poly1305(EVP_MAC_CTX *ctx, const unsigned char *data, size_t len)
{
    cv_poly1305_update(&ctx->state.poly1305, data, len);
}

static size_t final_poly1305(EVP_MAC_CTX *ctx, unsigned char *out)
{
    cv_poly1305_final(&ctx->state.poly1305, out);
    return 16;
}

/* Sets a new key for the cipher inside, unless the old one stays. */
static int key_block(EVP_MAC_CTX *ctx, const unsigned char *bytes, size_t len)
{
    EVP_CIPHER_CTX *block = &ctx->block;
    if (block->cipher == NULL || (bytes && len != (size_t)block->cipher->key_len))
        return 0;
    if (bytes)
        block->keyed = block->cipher->key(block, bytes);
    return block->keyed;
}

static int key_cmac(EVP_MAC_CTX *ctx, const unsigned char *bytes, size_t len)
{
    if (!key_block(ctx, bytes, len))
        return 0;
    cv_cmac_init(&ctx->state.cmac, &ctx->block.key);
    return 1;
}

static void update_cmac(EVP_MAC_CTX *ctx, const unsigned char *data, size_t len)
{
    cv_cmac_update(&ctx->state.cmac, data, len);
}

static size_t final_cmac(EVP_MAC_CTX *ctx, unsigned char *out)
{
    return cv_cmac_final(&ctx->state.cmac, out, CV_BLOCK) == CV_OK ? CV_BLOCK : 0;
}

static int key_gmac(EVP_MAC_CTX *ctx, const unsigned char *bytes, size_t len)
{
    if (!key_block(ctx, bytes, len))
        return 0;
    if (bytes)
        cv_gcm_init(&ctx->state.gcm, &ctx->block.key);
    return cv_gcm_start(&ctx->state.gcm, ctx->block.iv, ctx->block.iv_len) == CV_OK;
}

static void update_gmac(EVP_MAC_CTX *ctx, const unsigned char *data, size_t len)
{
    cv_gcm_aad(&ctx->state.gcm, data, len);
}

static size_t final_gmac(EVP_MAC_CTX *ctx, unsigned char *out)
{
    return cv_gcm_tag(&ctx->state.gcm, out, CV_BLOCK) == CV_OK ? CV_BLOCK : 0;
}

static int key_kmac(EVP_MAC_CTX *ctx, const cv_hash_kind *kind, const unsigned char *bytes, size_t len)
{
    if (bytes)
        cv_kmac_init(&ctx->state.kmac, kind, bytes, len, ctx->block.iv, ctx->block.iv_len);
    return bytes != NULL;
}

static int key_kmac128(EVP_MAC_CTX *ctx, const unsigned char *bytes, size_t len)
{
    return key_kmac(ctx, &cv_shake128, bytes, len);
}

static int key_kmac256(EVP_MAC_CTX *ctx, const unsigned char *bytes, size_t len)
{
    return key_kmac(ctx, &cv_shake256, bytes, len);
}

static void update_kmac(EVP_MAC_CTX *ctx, const unsigned char *data, size_t len)
{
    cv_hash_update(&ctx->state.kmac, data, len);
}

static size_t final_kmac(EVP_MAC_CTX *ctx, unsigned char *out)
{
    cv_kmac_final(&ctx->state.kmac, out, ctx->code_len);
    return ctx->code_len;
}

static const EVP_MAC macs[] = {
    { "KMAC-128", key_kmac128, update_kmac, final_kmac },
    { "KMAC-256", key_kmac256, update_kmac, final_kmac },
    { "CMAC", key_cmac, update_cmac, final_cmac },
    { "GMAC", key_gmac, update_gmac, final_gmac },
    { "Poly1305", key_poly1305, update_poly1305, final_poly1305 },
    { "HMAC", key_hmac, update_hmac, final_hmac },
    { NULL, NULL, NULL, NULL },
};

EVP_MAC *EVP_MAC_fetch(OSSL_LIB_CTX *library, const char *name, const char *properties)
{
    (void)library, (void)properties;
    for (const EVP_MAC *mac = macs; mac->name; mac++)
        if (strcasecmp(mac->name, name) == 0)
            return (EVP_MAC *)mac;
    return NULL;
}

/* The table is static. */
void EVP_MAC_free(EVP_MAC *mac)
{
    (void)mac;
}

EVP_MAC_CTX *EVP_MAC_CTX_new(EVP_MAC *mac)
{
    EVP_MAC_CTX *ctx = calloc(1, sizeof *ctx);
    if (ctx)
        ctx->mac = mac;
    return ctx;
}

void EVP_MAC_CTX_free(EVP_MAC_CTX *ctx)
{
    if (ctx)
        cv_wipe(ctx, sizeof *ctx);
    free(ctx);
}

static int set_param(EVP_MAC_CTX *ctx, const OSSL_PARAM *p)
{
    EVP_CIPHER_CTX *block = &ctx->block;
    if (strcmp(p->key, OSSL_MAC_PARAM_DIGEST) == 0)
        return (ctx->md = EVP_MD_fetch(NULL, p->data, NULL)) != NULL;
    if (strcmp(p->key, OSSL_MAC_PARAM_CIPHER) == 0)
        return (block->cipher = EVP_CIPHER_fetch(NULL, p->data, NULL)) != NULL;
    if (strcmp(p->key, OSSL_MAC_PARAM_SIZE) == 0)
        return (ctx->code_len = *(const size_t *)p->data) <= EVP_MAX_MD_SIZE;
    if ((strcmp(p->key, OSSL_MAC_PARAM_IV) != 0 && strcmp(p->key, OSSL_MAC_PARAM_CUSTOM) != 0)
        || p->data_size > sizeof block->iv)
        return 0;
    memcpy(block->iv, p->data, p->data_size);
    block->iv_len = p->data_size;
    return 1;
}

int EVP_MAC_CTX_set_params(EVP_MAC_CTX *ctx, const OSSL_PARAM params[])
{
    int known = 1;
    for (const OSSL_PARAM *p = params; p->key && known; p++)
        known = set_param(ctx, p);
    return known;
}

int EVP_MAC_init(EVP_MAC_CTX *ctx, const unsigned char *key, size_t len, const OSSL_PARAM params[])
{
    return (params == NULL || EVP_MAC_CTX_set_params(ctx, params)) && ctx->mac->key(ctx, key, len);
}

int EVP_MAC_update(EVP_MAC_CTX *ctx, const unsigned char *data, size_t len)
{
    ctx->mac->update(ctx, data, len);
    return 1;
}

int EVP_MAC_final(EVP_MAC_CTX *ctx, unsigned char *out, size_t *len, size_t room)
{
    unsigned char code[EVP_MAX_MD_SIZE];
    *len = ctx->mac->final(ctx, code);
    if (*len > room)
        return 0;
    memcpy(out, code, *len);
    return 1;
}

/* Here, because in a unit of its own this code would move that of libcapvec, and change the cycles of cores with small caches. */
#include "evp_params.h"

/* EVP_PKEY with libcapvec. */
#include "evp_pkey.h"
#include "capvec.h"
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct pkey_algorithm *const families[] = { mlkem_algorithms, mldsa_algorithms, slhdsa_algorithms };
static const size_t counts[] = { 3, 3, 12 };

const struct pkey_algorithm *pkey_named(const char *name)
{
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (size_t i = 0; i < counts[f]; i++)
            if (strcasecmp(families[f][i].name, name) == 0)
                return &families[f][i];
    return NULL;
}

const struct pkey_algorithm *pkey_identified(unsigned char arc, unsigned char number)
{
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (size_t i = 0; i < counts[f]; i++)
            if (families[f][i].arc == arc && families[f][i].number == number)
                return &families[f][i];
    return NULL;
}

EVP_PKEY *pkey_new(const struct pkey_algorithm *algorithm)
{
    EVP_PKEY *key = malloc(sizeof *key + algorithm->key_size(algorithm->kind));
    if (key != NULL) {
        key->algorithm = algorithm;
        key->references = 1;
    }
    return key;
}

void EVP_PKEY_free(EVP_PKEY *key)
{
    if (key == NULL || --key->references)
        return;
    cv_wipe(key->key, key->algorithm->secret_size(key->algorithm->kind));
    free(key);
}

EVP_KEYMGMT *EVP_KEYMGMT_fetch(OSSL_LIB_CTX *library, const char *name, const char *properties)
{
    (void)library, (void)properties;
    return (EVP_KEYMGMT *)pkey_named(name);
}

/* The tables are static. */
void EVP_KEYMGMT_free(EVP_KEYMGMT *algorithm)
{
    (void)algorithm;
}

struct ossl_decoder_ctx_st {
    EVP_PKEY **key;
};

OSSL_DECODER_CTX *OSSL_DECODER_CTX_new_for_pkey(EVP_PKEY **key, const char *type, const char *structure,
                                                const char *name, int selection, OSSL_LIB_CTX *library,
                                                const char *properties)
{
    static OSSL_DECODER_CTX ctx;
    (void)type, (void)structure, (void)name, (void)selection, (void)library, (void)properties;
    ctx.key = key;
    return &ctx;
}

void OSSL_DECODER_CTX_free(OSSL_DECODER_CTX *ctx)
{
    (void)ctx;
}

int OSSL_DECODER_from_data(OSSL_DECODER_CTX *ctx, const unsigned char **data, size_t *len)
{
    *ctx->key = pkey_decode(*data, *len);
    if (*ctx->key != NULL)
        *data += *len, *len = 0;
    return *ctx->key != NULL;
}

EVP_PKEY_CTX *EVP_PKEY_CTX_new_from_name(OSSL_LIB_CTX *library, const char *name, const char *properties)
{
    const struct pkey_algorithm *algorithm = pkey_named(name);
    EVP_PKEY_CTX *ctx = algorithm ? calloc(1, sizeof *ctx) : NULL;
    (void)library, (void)properties;
    if (ctx != NULL)
        ctx->algorithm = algorithm;
    return ctx;
}

EVP_PKEY_CTX *EVP_PKEY_CTX_new_from_pkey(OSSL_LIB_CTX *library, EVP_PKEY *key, const char *properties)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(library, key->algorithm->name, properties);
    if (ctx != NULL) {
        ctx->key = key;
        key->references++;
    }
    return ctx;
}

void EVP_PKEY_CTX_free(EVP_PKEY_CTX *ctx)
{
    if (ctx != NULL)
        EVP_PKEY_free(ctx->key);
    free(ctx);
}

/* Seeds and randomness are one kind of parameter here. Unknown ones are ignored, as in OpenSSL. */
int EVP_PKEY_CTX_set_params(EVP_PKEY_CTX *ctx, const OSSL_PARAM *params)
{
    for (; params && params->key; params++) {
        if (strcmp(params->key, OSSL_PKEY_PARAM_ML_KEM_SEED) == 0 || strcmp(params->key, OSSL_KEM_PARAM_IKME) == 0)
            ctx->seed = params->data, ctx->seed_len = params->data_size;
        if (strcmp(params->key, OSSL_SIGNATURE_PARAM_CONTEXT_STRING) == 0)
            ctx->context = params->data, ctx->context_len = params->data_size;
    }
    return 1;
}

/* The seed of the parameters, or else bytes that differ from call to call, as random ones do: the library has no
 * generator. NULL if the seed's length is wrong. */
static const unsigned char *seed(const EVP_PKEY_CTX *ctx, size_t len)
{
    static unsigned char fresh[96];
    if (ctx->seed)
        return ctx->seed_len == len ? ctx->seed : NULL;
    for (size_t i = 0; i < sizeof fresh && ++fresh[i] == 0; i++)
        ;
    return fresh;
}

int EVP_PKEY_keygen_init(EVP_PKEY_CTX *ctx)
{
    return ctx->key == NULL;
}

int EVP_PKEY_generate(EVP_PKEY_CTX *ctx, EVP_PKEY **key)
{
    const unsigned char *from = seed(ctx, ctx->algorithm->seed_len);
    *key = from ? pkey_new(ctx->algorithm) : NULL;
    if (*key == NULL)
        return 0;
    ctx->algorithm->generate((*key)->key, ctx->algorithm->kind, from);
    return 1;
}

int EVP_PKEY_get_octet_string_param(const EVP_PKEY *key, const char *name, unsigned char *out, size_t room, size_t *len)
{
    (void)room;
    *len = key->algorithm->export(key->key, key->algorithm->kind, strcmp(name, OSSL_PKEY_PARAM_PRIV_KEY) == 0, out);
    return *len != 0;
}

int EVP_PKEY_encapsulate_init(EVP_PKEY_CTX *ctx, const OSSL_PARAM params[])
{
    return ctx->algorithm->encapsulate != NULL && EVP_PKEY_CTX_set_params(ctx, params);
}

int EVP_PKEY_decapsulate_init(EVP_PKEY_CTX *ctx, const OSSL_PARAM params[])
{
    (void)params;
    return ctx->algorithm->decapsulate != NULL;
}

int EVP_PKEY_encapsulate(EVP_PKEY_CTX *ctx, unsigned char *out, size_t *len, unsigned char *secret, size_t *secret_len)
{
    const unsigned char *random = seed(ctx, 32);
    *secret_len = 32;
    return random && ctx->algorithm->encapsulate(ctx->key->key, ctx->algorithm->kind, out, len, secret, random);
}

int EVP_PKEY_decapsulate(EVP_PKEY_CTX *ctx, unsigned char *secret, size_t *secret_len, const unsigned char *in,
                         size_t len)
{
    *secret_len = 32;
    return ctx->algorithm->decapsulate(ctx->key->key, secret, in, len);
}

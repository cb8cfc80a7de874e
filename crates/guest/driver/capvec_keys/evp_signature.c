/* Signatures of whole messages for EVP_PKEY. */
#include "evp_hash.h"
#include "evp_pkey.h"
#include <openssl/params.h>

EVP_SIGNATURE *EVP_SIGNATURE_fetch(OSSL_LIB_CTX *library, const char *name, const char *properties)
{
    const struct pkey_algorithm *algorithm = pkey_named(name);
    (void)library, (void)properties;
    return algorithm && algorithm->sign ? (EVP_SIGNATURE *)algorithm : NULL;
}

/* The tables are static. */
void EVP_SIGNATURE_free(EVP_SIGNATURE *algorithm)
{
    (void)algorithm;
}

int EVP_PKEY_sign_message_init(EVP_PKEY_CTX *ctx, EVP_SIGNATURE *algorithm, const OSSL_PARAM params[])
{
    return (const void *)algorithm == ctx->algorithm && EVP_PKEY_CTX_set_params(ctx, params);
}

int EVP_PKEY_verify_message_init(EVP_PKEY_CTX *ctx, EVP_SIGNATURE *algorithm, const OSSL_PARAM params[])
{
    return (const void *)algorithm == ctx->algorithm && EVP_PKEY_CTX_set_params(ctx, params);
}

int EVP_PKEY_sign(EVP_PKEY_CTX *ctx, unsigned char *signature, size_t *len, const unsigned char *message,
                  size_t message_len)
{
    return ctx->algorithm->sign(ctx, signature, len, message, message_len);
}

int EVP_PKEY_verify(EVP_PKEY_CTX *ctx, const unsigned char *signature, size_t len, const unsigned char *message,
                    size_t message_len)
{
    return ctx->algorithm->verify(ctx, signature, len, message, message_len);
}

const EVP_MD *EVP_sha256(void)
{
    return EVP_MD_fetch(NULL, "SHA256", NULL);
}

/* Signatures are deterministic, as the drivers ask. */
OSSL_PARAM OSSL_PARAM_construct_int(const char *key, int *number)
{
    OSSL_PARAM param = { key, OSSL_PARAM_INTEGER, number, sizeof *number, 0 };
    return param;
}

OSSL_PARAM OSSL_PARAM_construct_uint(const char *key, unsigned int *number)
{
    OSSL_PARAM param = { key, OSSL_PARAM_UNSIGNED_INTEGER, number, sizeof *number, 0 };
    return param;
}

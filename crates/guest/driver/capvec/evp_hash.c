/* EVP_MD with libcapvec. */
#include "evp_hash.h"
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const EVP_MD hashes[] = {
    { "SHA1", &cv_sha1 },
    { "SHA224", &cv_sha224 },
    { "SHA256", &cv_sha256 },
    { "SHA384", &cv_sha384 },
    { "SHA512", &cv_sha512 },
    { "SHA512-224", &cv_sha512_224 },
    { "SHA512-256", &cv_sha512_256 },
    { "SHA3-224", &cv_sha3_224 },
    { "SHA3-256", &cv_sha3_256 },
    { "SHA3-384", &cv_sha3_384 },
    { "SHA3-512", &cv_sha3_512 },
    { "SHAKE128", &cv_shake128 },
    { "SHAKE256", &cv_shake256 },
    { "SM3", &cv_sm3 },
    { "CSHAKE-128", &cv_shake128 },
    { "CSHAKE-256", &cv_shake256 },
    { NULL, NULL },
};

EVP_MD *EVP_MD_fetch(OSSL_LIB_CTX *library, const char *name, const char *properties)
{
    (void)library, (void)properties;
    for (const EVP_MD *md = hashes; md->name; md++)
        if (strcasecmp(md->name, name) == 0)
            return (EVP_MD *)md;
    return NULL;
}

/* The table is static. */
void EVP_MD_free(EVP_MD *md)
{
    (void)md;
}

EVP_MD_CTX *EVP_MD_CTX_new(void)
{
    return calloc(1, sizeof(EVP_MD_CTX));
}

void EVP_MD_CTX_free(EVP_MD_CTX *ctx)
{
    if (ctx)
        cv_wipe(ctx, sizeof *ctx);
    free(ctx);
}

int EVP_MD_CTX_copy_ex(EVP_MD_CTX *out, const EVP_MD_CTX *in)
{
    *out = *in;
    return 1;
}

int EVP_MD_xof(const EVP_MD *md)
{
    return cv_hash_size(md->kind) == 0;
}

int EVP_MD_get_size(const EVP_MD *md)
{
    return (int)cv_hash_size(md->kind);
}

int EVP_MD_get_block_size(const EVP_MD *md)
{
    return (int)cv_hash_block(md->kind);
}

int EVP_DigestInit_ex2(EVP_MD_CTX *ctx, const EVP_MD *md, const OSSL_PARAM params[])
{
    if (params && params->key)
        cv_cshake_init(&ctx->hash, md->kind, NULL, 0, params->data, params->data_size);
    else
        cv_hash_init(&ctx->hash, md->kind);
    return 1;
}

int EVP_DigestUpdate(EVP_MD_CTX *ctx, const void *data, size_t len)
{
    cv_hash_update(&ctx->hash, data, len);
    return 1;
}

int EVP_DigestFinal_ex(EVP_MD_CTX *ctx, unsigned char *out, unsigned int *len)
{
    *len = (unsigned int)cv_hash_size(ctx->hash.kind);
    cv_hash_final(&ctx->hash, out);
    return 1;
}

int EVP_DigestFinalXOF(EVP_MD_CTX *ctx, unsigned char *out, size_t len)
{
    cv_xof_squeeze(&ctx->hash, out, len);
    return 1;
}

int EVP_DigestSqueeze(EVP_MD_CTX *ctx, unsigned char *out, size_t len)
{
    cv_xof_squeeze(&ctx->hash, out, len);
    return 1;
}

int EVP_Digest(const void *data, size_t len, unsigned char *out, unsigned int *out_len, const EVP_MD *md,
               ENGINE *engine)
{
    (void)engine;
    cv_hash_message(md->kind, out, data, len);
    if (out_len)
        *out_len = (unsigned int)cv_hash_size(md->kind);
    return 1;
}

/* EVP_MD with the library. */
#include "packaged.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

EVP_MD *EVP_MD_fetch(OSSL_LIB_CTX *context, const char *name, const char *properties)
{
    (void)context, (void)properties;
    for (const EVP_MD *md = library_hashes; md->name; md++)
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

static void close_state(EVP_MD_CTX *ctx)
{
    if (ctx->state)
        library_hash_close(ctx);
    free(ctx->state);
    ctx->state = NULL;
}

void EVP_MD_CTX_free(EVP_MD_CTX *ctx)
{
    if (ctx)
        close_state(ctx);
    free(ctx);
}

static int choose(EVP_MD_CTX *ctx, const EVP_MD *md)
{
    close_state(ctx);
    ctx->md = md;
    ctx->state = calloc(1, library_hash_size(md));
    return ctx->state != NULL;
}

int EVP_MD_CTX_copy_ex(EVP_MD_CTX *out, const EVP_MD_CTX *in)
{
    return choose(out, in->md) && library_hash_copy(out, in);
}

int EVP_MD_xof(const EVP_MD *md)
{
    return md->size == 0;
}

int EVP_MD_get_size(const EVP_MD *md)
{
    return md->size;
}

int EVP_MD_get_block_size(const EVP_MD *md)
{
    return md->block;
}

int EVP_DigestInit_ex2(EVP_MD_CTX *ctx, const EVP_MD *md, const OSSL_PARAM params[])
{
    (void)params;
    return choose(ctx, md) && library_hash_begin(ctx);
}

int EVP_DigestUpdate(EVP_MD_CTX *ctx, const void *data, size_t len)
{
    library_hash_update(ctx, data, len);
    return 1;
}

int EVP_DigestFinal_ex(EVP_MD_CTX *ctx, unsigned char *out, unsigned int *len)
{
    *len = (unsigned int)ctx->md->size;
    library_hash_end(ctx, out);
    return 1;
}

int EVP_DigestFinalXOF(EVP_MD_CTX *ctx, unsigned char *out, size_t len)
{
    return library_squeeze(ctx, out, len);
}

int EVP_DigestSqueeze(EVP_MD_CTX *ctx, unsigned char *out, size_t len)
{
    return library_squeeze(ctx, out, len);
}

int EVP_Digest(const void *data, size_t len, unsigned char *out, unsigned int *out_len, const EVP_MD *md,
               ENGINE *engine)
{
    (void)engine;
    if (out_len)
        *out_len = (unsigned int)md->size;
    return library_hash(md, out, data, len);
}

/* ML-DSA for EVP_PKEY. */
#include "capvec_mldsa.h"
#include "evp_pkey.h"

static size_t key_size(const void *kind)
{
    return cv_mldsa_key_size(kind);
}

static size_t secret_size(const void *kind)
{
    return cv_mldsa_secret_size(kind);
}

static void generate(void *key, const void *kind, const unsigned char *seed)
{
    cv_mldsa_generate(key, kind, seed);
}

static int import(void *key, const void *kind, int private, const unsigned char *bytes, size_t len)
{
    return (private ? cv_mldsa_import_private : cv_mldsa_import_public)(key, kind, bytes, len) == CV_OK;
}

static size_t export(const void *key, const void *kind, int private, unsigned char *out)
{
    int status = (private ? cv_mldsa_export_private : cv_mldsa_export_public)(key, out);
    return status == CV_OK ? (private ? cv_mldsa_private_size : cv_mldsa_public_size)(kind) : 0;
}

/* Deterministic, as the drivers ask. */
static int sign(const EVP_PKEY_CTX *ctx, unsigned char *signature, size_t *len, const unsigned char *message,
                size_t message_len)
{
    *len = cv_mldsa_signature_size(ctx->algorithm->kind);
    return cv_mldsa_sign((const void *)ctx->key->key, signature, message, message_len, ctx->context, ctx->context_len,
                         NULL)
        == CV_OK;
}

static int verify(const EVP_PKEY_CTX *ctx, const unsigned char *signature, size_t len, const unsigned char *message,
                  size_t message_len)
{
    return cv_mldsa_verify((const void *)ctx->key->key, signature, len, message, message_len, ctx->context,
                           ctx->context_len)
        == CV_OK;
}

#define MLDSA(bits, last) \
    { .name = "ML-DSA-" #bits, \
      .arc = 3, \
      .number = last, \
      .seed_len = CV_MLDSA_SEED, \
      .kind = &cv_mldsa##bits, \
      .key_size = key_size, \
      .secret_size = secret_size, \
      .generate = generate, \
      .import = import, \
      .export = export, \
      .sign = sign, \
      .verify = verify }

const struct pkey_algorithm mldsa_algorithms[3] = { MLDSA(44, 17), MLDSA(65, 18), MLDSA(87, 19) };

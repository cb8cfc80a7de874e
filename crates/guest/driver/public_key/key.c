/* Keys, and their generation from a seed. */
#include "driver.h"
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>

EVP_PKEY *job_key(const struct job *job)
{
    EVP_PKEY *key = NULL;
    const unsigned char *data = job->key.data;
    size_t len = job->key.len;
    OSSL_DECODER_CTX *ctx = OSSL_DECODER_CTX_new_for_pkey(&key, "DER", NULL, NULL, 0, NULL, NULL);
    if (ctx == NULL || !OSSL_DECODER_from_data(ctx, &data, &len) || len != 0) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    OSSL_DECODER_CTX_free(ctx);
    return key;
}

static void *prepare(const struct job *job, size_t len)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, job->algorithm, NULL);
    (void)len;
    if (ctx != NULL && EVP_PKEY_keygen_init(ctx) > 0)
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

/* As KEM_keygen_loop and SIG_keygen_loop of `openssl speed`: fresh randomness. */
static int step(void *context, unsigned char *buffer, size_t len)
{
    EVP_PKEY *key = NULL;
    (void)buffer, (void)len;
    int ok = EVP_PKEY_generate(context, &key) > 0;
    EVP_PKEY_free(key);
    return ok;
}

static void release(void *context)
{
    EVP_PKEY_CTX_free(context);
}

/* The public key, then the private one, generated from the seed in the input. */
static long answer(const struct job *job, unsigned char *out)
{
    EVP_PKEY_CTX *ctx = prepare(job, 0);
    EVP_PKEY *key = NULL;
    size_t public_len = 0, private_len = 0;
    OSSL_PARAM params[] = {
        /* "seed" for ML-KEM, ML-DSA and SLH-DSA alike. */
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_ML_KEM_SEED, job->in.data, job->in.len),
        OSSL_PARAM_construct_end(),
    };
    int ok = ctx != NULL && EVP_PKEY_CTX_set_params(ctx, params) > 0 && EVP_PKEY_generate(ctx, &key) > 0
        && EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, out, MAX_MESSAGE / 2, &public_len)
        && EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PRIV_KEY, out + public_len, MAX_MESSAGE / 2,
                                           &private_len);
    EVP_PKEY_free(key);
    EVP_PKEY_CTX_free(ctx);
    return ok ? (long)(public_len + private_len) : -1;
}

const struct kind keygen_kind = { "keygen", { "keygen" }, prepare, step, release, answer, NULL };

/* Hashes through EVP_MD, and GMAC through EVP_MAC. */
#include "driver.h"
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

static void *prepare_digest(const struct job *job)
{
    return EVP_MD_fetch(NULL, job->algorithm, NULL);
}

/* As EVP_Digest_loop of `openssl speed`: a whole hash, context and all. */
static int step_digest(void *context, unsigned char *buffer, size_t len)
{
    unsigned char out[EVP_MAX_MD_SIZE];
    return EVP_Digest(buffer, len, out, NULL, context, NULL);
}

static void release_digest(void *context)
{
    EVP_MD_free(context);
}

static long answer_digest(const struct job *job, unsigned char *out)
{
    EVP_MD *md = EVP_MD_fetch(NULL, job->algorithm, NULL);
    unsigned int len = 0;
    int ok = md != NULL && EVP_Digest(job->in.data, job->in.len, out, &len, md, NULL);
    EVP_MD_free(md);
    return ok ? (long)len : -1;
}

/* `algorithm` is the cipher of a GMAC. */
static EVP_MAC_CTX *start_mac(const struct job *job)
{
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "GMAC", NULL);
    EVP_MAC_CTX *ctx = mac ? EVP_MAC_CTX_new(mac) : NULL;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, (char *)job->algorithm, 0),
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, (void *)job->iv.data, job->iv.len),
        OSSL_PARAM_construct_end(),
    };
    EVP_MAC_free(mac);
    if (ctx == NULL || !EVP_MAC_init(ctx, job->key.data, job->key.len, params)) {
        EVP_MAC_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

static void *prepare_mac(const struct job *job)
{
    return start_mac(job);
}

/* As GHASH_loop of `openssl speed`: only the update. */
static int step_mac(void *context, unsigned char *buffer, size_t len)
{
    return EVP_MAC_update(context, buffer, len);
}

static void release_mac(void *context)
{
    EVP_MAC_CTX_free(context);
}

static long answer_mac(const struct job *job, unsigned char *out)
{
    EVP_MAC_CTX *ctx = start_mac(job);
    size_t len = 0;
    int ok = ctx != NULL && EVP_MAC_update(ctx, job->in.data, job->in.len)
        && EVP_MAC_final(ctx, out, &len, MAX_SMALL);
    EVP_MAC_CTX_free(ctx);
    return ok ? (long)len : -1;
}

const struct kind digest_kind = { "digest", prepare_digest, step_digest, release_digest, answer_digest };
const struct kind mac_kind = { "mac", prepare_mac, step_mac, release_mac, answer_mac };

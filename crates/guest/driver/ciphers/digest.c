/* Hashes through EVP_MD. The parameter is the length of an extendable output, in bytes. */
#include "driver.h"
#include <openssl/evp.h>
#include <stdlib.h>

struct digest {
    EVP_MD *md;
    EVP_MD_CTX *ctx;
    size_t xof_len; /* 0 if the length is fixed */
};

static void release(void *context)
{
    struct digest *d = context;
    EVP_MD_free(d->md);
    EVP_MD_CTX_free(d->ctx);
    free(d);
}

static void *prepare(const struct job *job, size_t len)
{
    struct digest *d = calloc(1, sizeof *d);
    (void)len;
    if (d == NULL)
        return NULL;
    d->md = EVP_MD_fetch(NULL, job->algorithm, NULL);
    d->ctx = EVP_MD_CTX_new();
    d->xof_len = job->parameter ? (size_t)atoi(job->parameter) : 0;
    if (d->md == NULL || d->ctx == NULL || d->xof_len > EVP_MAX_MD_SIZE
        || (EVP_MD_xof(d->md) != 0) != (d->xof_len != 0)) {
        release(d);
        return NULL;
    }
    return d;
}

/* As EVP_Digest_loop of `openssl speed`: a whole hash with a temporary context; extendable-output functions
 * keep their context. */
static int hash(struct digest *d, const unsigned char *in, size_t len, unsigned char *out, unsigned int *out_len)
{
    if (!d->xof_len)
        return EVP_Digest(in, len, out, out_len, d->md, NULL);
    *out_len = (unsigned int)d->xof_len;
    return EVP_DigestInit_ex2(d->ctx, d->md, NULL) && EVP_DigestUpdate(d->ctx, in, len)
        && EVP_DigestFinalXOF(d->ctx, out, d->xof_len);
}

static int step(void *context, unsigned char *buffer, size_t len)
{
    unsigned char out[EVP_MAX_MD_SIZE];
    unsigned int out_len;
    return hash(context, buffer, len, out, &out_len);
}

static long answer(const struct job *job, unsigned char *out)
{
    struct digest *d = prepare(job, 0);
    unsigned int len = 0;
    if (d == NULL)
        return -1;
    int ok = hash(d, job->in.data, job->in.len, out, &len);
    release(d);
    return ok ? (long)len : -1;
}

const struct kind digest_kind = { "digest", { "enc" }, prepare, step, release, answer, NULL };

/* Message authentication codes through EVP_MAC. The parameter of a job names the underlying cipher or hash. The algorithm GHASH is
 * GMAC with only the update measured. */
#include "driver.h"
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

struct mac {
    EVP_MAC_CTX *ctx;
    int update_only;
    struct bytes key; /* set for each message, if it is a one-time key */
    OSSL_PARAM again[2]; /* set for each message */
};

static void release(void *context)
{
    struct mac *m = context;
    EVP_MAC_CTX_free(m->ctx);
    free(m);
}

static void *prepare(const struct job *job, size_t len)
{
    struct mac *m = calloc(1, sizeof *m);
    int hash = strcmp(job->algorithm, "HMAC") == 0;
    OSSL_PARAM params[3], *p = params;
    (void)len;
    if (m == NULL)
        return NULL;
    m->update_only = strcmp(job->algorithm, "GHASH") == 0;
    EVP_MAC *mac = EVP_MAC_fetch(NULL, m->update_only ? "GMAC" : job->algorithm, NULL);
    m->ctx = mac ? EVP_MAC_CTX_new(mac) : NULL;
    EVP_MAC_free(mac);
    m->again[0] = m->again[1] = OSSL_PARAM_construct_end();
    if (job->parameter)
        *p++ = OSSL_PARAM_construct_utf8_string(hash ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER,
                                                (char *)job->parameter, 0);
    else
        m->key = job->key; /* Poly1305 */
    if (job->iv.len)
        *p++ = m->again[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, job->iv.data, job->iv.len);
    *p = OSSL_PARAM_construct_end();
    if (m->ctx == NULL || !EVP_MAC_init(m->ctx, job->key.data, job->key.len, params)) {
        release(m);
        return NULL;
    }
    return m;
}

/* As EVP_MAC_loop of `openssl speed`: a whole message with the context's key; GMAC gets a new IV, Poly1305 a new key.
 * GHASH as GHASH_loop: only the update. */
static int step(void *context, unsigned char *buffer, size_t len)
{
    unsigned char out[EVP_MAX_MD_SIZE];
    struct mac *m = context;
    size_t out_len;
    if (m->update_only)
        return EVP_MAC_update(m->ctx, buffer, len);
    return EVP_MAC_init(m->ctx, m->key.data, m->key.len, m->again) && EVP_MAC_update(m->ctx, buffer, len)
        && EVP_MAC_final(m->ctx, out, &out_len, sizeof out);
}

static long answer(const struct job *job, unsigned char *out)
{
    struct mac *m = prepare(job, 0);
    size_t len = 0;
    if (m == NULL)
        return -1;
    int ok = EVP_MAC_update(m->ctx, job->in.data, job->in.len) && EVP_MAC_final(m->ctx, out, &len, EVP_MAX_MD_SIZE);
    release(m);
    return ok ? (long)len : -1;
}

const struct kind mac_kind = { "mac", { "enc" }, prepare, step, release, answer, NULL };

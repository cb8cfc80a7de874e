/* Key set-up: a new key for a context that has one, as a server needs for each connection. Its answers are those of the
 * cipher after such a change; the parameter of a job is as for an AEAD. */
#include "driver.h"
#include <openssl/evp.h>
#include <stdlib.h>

struct setup {
    EVP_CIPHER_CTX *ctx;
    const unsigned char *key;
    int encrypt;
};

static void release(void *context)
{
    struct setup *s = context;
    EVP_CIPHER_CTX_free(s->ctx);
    free(s);
}

/* The job, and therefore its key, outlives the context. */
static void *prepare(const struct job *job, size_t len)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, job->algorithm, NULL);
    struct setup *s = calloc(1, sizeof *s);
    (void)len;
    if (s == NULL)
        return NULL;
    s->ctx = EVP_CIPHER_CTX_new();
    s->key = job->key.data;
    s->encrypt = job_is(job, "enc");
    int ok = cipher != NULL && s->ctx != NULL && (size_t)EVP_CIPHER_get_key_length(cipher) == job->key.len
        && EVP_CipherInit_ex2(s->ctx, cipher, s->key, NULL, s->encrypt, NULL);
    EVP_CIPHER_free(cipher);
    if (!ok) {
        release(s);
        return NULL;
    }
    return s;
}

static int step(void *context, unsigned char *buffer, size_t len)
{
    struct setup *s = context;
    (void)buffer, (void)len;
    return EVP_CipherInit_ex2(s->ctx, NULL, s->key, NULL, s->encrypt, NULL);
}

static int authenticates(const struct job *job)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, job->algorithm, NULL);
    int yes = cipher != NULL && EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER;
    EVP_CIPHER_free(cipher);
    return yes;
}

static long answer(const struct job *job, unsigned char *out)
{
    struct job again = *job;
    again.rekey = 1;
    return authenticates(job) ? answer_aead(&again, out) : answer_cipher(&again, out);
}

/* Inverting changes keys too: decryption has a key schedule of its own. */
static const char *check(struct job *job, unsigned char *out, size_t len)
{
    job->rekey = 1;
    return (authenticates(job) ? &aead_kind : &cipher_kind)->check(job, out, len);
}

const struct kind setup_kind = { "setup", { "enc", "dec" }, prepare, step, release, answer, check };

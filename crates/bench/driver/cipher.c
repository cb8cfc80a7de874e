/* Block and stream ciphers, and AEADs, through EVP_CIPHER. */
#include "driver.h"
#include <openssl/evp.h>
#include <string.h>

static EVP_CIPHER_CTX *start(const struct job *job)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, job->algorithm, NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int ok = cipher != NULL && ctx != NULL
        && (size_t)EVP_CIPHER_get_key_length(cipher) == job->key.len
        && EVP_CipherInit_ex2(ctx, cipher, job->key.data, job->iv.len ? job->iv.data : NULL,
                              job->encrypt, NULL)
        && EVP_CIPHER_CTX_set_padding(ctx, 0);
    EVP_CIPHER_free(cipher);
    if (!ok) {
        EVP_CIPHER_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

static void *prepare(const struct job *job)
{
    return start(job);
}

/* As EVP_Update_loop of `openssl speed`: in place, one context, no final. */
static int step(void *context, unsigned char *buffer, size_t len)
{
    int out;
    return EVP_CipherUpdate(context, buffer, &out, buffer, (int)len);
}

static void release(void *context)
{
    EVP_CIPHER_CTX_free(context);
}

static long answer(const struct job *job, unsigned char *out)
{
    EVP_CIPHER_CTX *ctx = start(job);
    int len = 0, last = 0;
    int ok = ctx != NULL && EVP_CipherUpdate(ctx, out, &len, job->in.data, (int)job->in.len)
        && EVP_CipherFinal_ex(ctx, out + len, &last);
    EVP_CIPHER_CTX_free(ctx);
    return ok ? (long)len + last : -1;
}

/* The output is followed by the tag when encrypting; decrypting takes it from the job. */
static long answer_aead(const struct job *job, unsigned char *out)
{
    EVP_CIPHER_CTX *ctx = start(job);
    int len = 0, last = 0;
    unsigned char tag[16];
    int ok = ctx != NULL;
    if (ok && !job->encrypt) {
        memcpy(tag, job->tag.data, sizeof tag);
        ok = job->tag.len == sizeof tag
            && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, sizeof tag, tag);
    }
    if (ok && job->aad.len)
        ok = EVP_CipherUpdate(ctx, NULL, &len, job->aad.data, (int)job->aad.len);
    len = 0;
    if (ok && job->in.len)
        ok = EVP_CipherUpdate(ctx, out, &len, job->in.data, (int)job->in.len);
    ok = ok && EVP_CipherFinal_ex(ctx, out + len, &last);
    len += last;
    if (ok && job->encrypt) {
        ok = EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, sizeof tag, out + len);
        len += sizeof tag;
    }
    EVP_CIPHER_CTX_free(ctx);
    return ok ? len : -1;
}

const struct kind cipher_kind = { "cipher", prepare, step, release, answer };
const struct kind aead_kind = { "aead", prepare, step, release, answer_aead };

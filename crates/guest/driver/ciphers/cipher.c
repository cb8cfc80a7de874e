/* Block and stream ciphers through EVP_CIPHER. Lengths are in bytes, those of CFB1 too. */
#include "driver.h"
#include <openssl/evp.h>
#include <string.h>

static EVP_CIPHER_CTX *start(const struct job *job)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, job->algorithm, NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    const unsigned char *iv = job->iv.len ? job->iv.data : NULL;
    int encrypt = job_is(job, "enc");
    int ok = cipher != NULL && ctx != NULL && (size_t)EVP_CIPHER_get_key_length(cipher) == job->key.len
        && (size_t)EVP_CIPHER_get_iv_length(cipher) == job->iv.len;
    if (ok && job->rekey) {
        unsigned char other[EVP_MAX_KEY_LENGTH];
        for (size_t i = 0; i < job->key.len; i++)
            other[i] = (unsigned char)~job->key.data[i];
        ok = EVP_CipherInit_ex2(ctx, cipher, other, iv, encrypt, NULL)
            && EVP_CipherInit_ex2(ctx, NULL, job->key.data, NULL, encrypt, NULL);
    } else if (ok) {
        ok = EVP_CipherInit_ex2(ctx, cipher, job->key.data, iv, encrypt, NULL);
    }
    EVP_CIPHER_free(cipher);
    if (!ok || !EVP_CIPHER_CTX_set_padding(ctx, 0)) {
        EVP_CIPHER_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

static void *prepare(const struct job *job, size_t len)
{
    (void)len;
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

long answer_cipher(const struct job *job, unsigned char *out)
{
    EVP_CIPHER_CTX *ctx = start(job);
    int len = 0, last = 0;
    int ok = ctx != NULL && EVP_CipherUpdate(ctx, out, &len, job->in.data, (int)job->in.len)
        && EVP_CipherFinal_ex(ctx, out + len, &last);
    EVP_CIPHER_CTX_free(ctx);
    return ok ? (long)len + last : -1;
}

/* Decrypts the answer. */
static const char *check(struct job *job, unsigned char *out, size_t len)
{
    static unsigned char plain[MAX_MESSAGE + EVP_MAX_BLOCK_LENGTH];
    struct job back = *job;
    back.operation = "dec";
    back.in.data = out;
    back.in.len = len;
    return answer_cipher(&back, plain) == (long)job->in.len && memcmp(plain, job->in.data, job->in.len) == 0 ? "back"
                                                                                                             : "lost";
}

const struct kind cipher_kind = { "cipher", { "enc", "dec" }, prepare, step, release, answer_cipher, check };

/* Authenticated encryption through EVP_CIPHER. The parameter is the length of the tag in bytes, by default 16. */
#include "driver.h"
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TAG 16

struct aead {
    EVP_CIPHER_CTX *ctx;
    struct job job;
    unsigned char *text; /* ciphertext and tag, to decrypt */
};

static int tag_length(const struct job *job)
{
    int len = job->parameter ? atoi(job->parameter) : MAX_TAG;
    return len > 0 && len <= MAX_TAG ? len : 0;
}

/* A context in which only the cipher and the direction are set. */
static EVP_CIPHER_CTX *blank(const struct job *job)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, job->algorithm, NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int ok = cipher != NULL && ctx != NULL && tag_length(job)
        && (size_t)EVP_CIPHER_get_key_length(cipher) == job->key.len
        && EVP_CipherInit_ex2(ctx, cipher, NULL, NULL, job_is(job, "enc"), NULL);
    EVP_CIPHER_free(cipher);
    if (!ok) {
        EVP_CIPHER_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

/* Begins a message of `len` bytes, in the order that EVP_CIPHER documents: length of the IV, of the tag (CCM and OCB)
 * or the tag itself, key and IV, and for CCM the length of the message, which its first block contains. */
static int begin(EVP_CIPHER_CTX *ctx, const struct job *job, size_t len)
{
    int mode = EVP_CIPHER_CTX_get_mode(ctx), encrypt = job_is(job, "enc"), out;
    int tag_len = tag_length(job);
    unsigned char tag[MAX_TAG];
    if (!EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)job->iv.len, NULL))
        return 0;
    if (!encrypt && job->tag.len == (size_t)tag_len) {
        memcpy(tag, job->tag.data, job->tag.len);
        if (!EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, tag_len, tag))
            return 0;
    } else if (mode == EVP_CIPH_CCM_MODE || mode == EVP_CIPH_OCB_MODE) {
        if (!EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, tag_len, NULL))
            return 0;
    }
    return EVP_CipherInit_ex2(ctx, NULL, job->key.data, job->iv.data, -1, NULL)
        && (mode != EVP_CIPH_CCM_MODE || EVP_CipherUpdate(ctx, NULL, &out, NULL, (int)len));
}

/* When encrypting, the tag follows the output; when decrypting, it comes from the job. */
static long finish(EVP_CIPHER_CTX *ctx, const struct job *job, unsigned char *out)
{
    int len = 0, last = 0, tag_len = tag_length(job);
    int ok = !job->aad.len || EVP_CipherUpdate(ctx, NULL, &len, job->aad.data, (int)job->aad.len);
    len = 0;
    /* CCM does its work in this call, and so needs it for an empty message too. */
    if (ok && (job->in.len || EVP_CIPHER_CTX_get_mode(ctx) == EVP_CIPH_CCM_MODE))
        ok = EVP_CipherUpdate(ctx, out, &len, job->in.data, (int)job->in.len);
    if (!ok || !EVP_CipherFinal_ex(ctx, out + len, &last))
        return -1;
    len += last;
    if (!job_is(job, "enc"))
        return len;
    return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, tag_len, out + len) ? len + tag_len : -1;
}

long answer_aead(const struct job *job, unsigned char *out)
{
    EVP_CIPHER_CTX *ctx = blank(job);
    long len = -1;
    int ok = ctx != NULL;
    if (ok && job->rekey) {
        unsigned char other[EVP_MAX_KEY_LENGTH];
        for (size_t i = 0; i < job->key.len; i++)
            other[i] = (unsigned char)~job->key.data[i];
        ok = EVP_CipherInit_ex2(ctx, NULL, other, NULL, -1, NULL);
    }
    if (ok && begin(ctx, job, job->in.len))
        len = finish(ctx, job, out);
    EVP_CIPHER_CTX_free(ctx);
    return len;
}

static const char *check(struct job *job, unsigned char *out, size_t len)
{
    static unsigned char plain[MAX_MESSAGE + EVP_MAX_BLOCK_LENGTH];
    struct job back = *job;
    back.operation = "dec";
    back.tag.len = (size_t)tag_length(job);
    back.tag.data = out + len - back.tag.len;
    back.in.data = out;
    back.in.len = len - back.tag.len;
    if (answer_aead(&back, plain) != (long)job->in.len || memcmp(plain, job->in.data, job->in.len) != 0)
        return "lost";
    back.tag.data[0] ^= 1;
    if (answer_aead(&back, plain) >= 0)
        return "forged";
    back.tag.data[0] ^= 1;
    if (back.in.len) {
        out[back.in.len / 2] ^= 0x80;
        return answer_aead(&back, plain) >= 0 ? "forged" : "back";
    }
    return "back";
}

static void release(void *context)
{
    struct aead *a = context;
    EVP_CIPHER_CTX_free(a->ctx);
    free(a->text);
    free(a);
}

static void *prepare(const struct job *job, size_t len)
{
    struct aead *a = calloc(1, sizeof *a);
    struct job make = *job;
    if (a == NULL)
        return NULL;
    a->job = *job;
    a->ctx = blank(job);
    a->text = malloc(len + MAX_TAG);
    if (a->ctx == NULL || a->text == NULL || !begin(a->ctx, job, len)) {
        release(a);
        return NULL;
    }
    /* A valid ciphertext to decrypt, without associated data, as in `step`. */
    fill(a->text, len);
    make.operation = "enc";
    make.aad.len = 0;
    make.in.data = a->text;
    make.in.len = len;
    if (answer_aead(&make, a->text) < 0) {
        release(a);
        return NULL;
    }
    a->job.tag.data = a->text + len;
    a->job.tag.len = (size_t)tag_length(job);
    return a;
}

/* As `openssl speed -evp` 3.5: for GCM, CCM and OCB a whole message with its key and IV, without associated data
 * (EVP_Update_loop_aead_enc, _dec: encryption in place, decryption to another buffer; there the IV is set twice, here
 * once); otherwise only updates (EVP_Update_loop), as for ChaCha20-Poly1305. */
static int step(void *context, unsigned char *buffer, size_t len)
{
    struct aead *a = context;
    int mode = EVP_CIPHER_CTX_get_mode(a->ctx), out;
    int whole = mode == EVP_CIPH_GCM_MODE || mode == EVP_CIPH_CCM_MODE || mode == EVP_CIPH_OCB_MODE;
    const unsigned char *in = whole && !job_is(&a->job, "enc") ? a->text : buffer;
    if (!whole)
        return EVP_CipherUpdate(a->ctx, buffer, &out, buffer, (int)len);
    return begin(a->ctx, &a->job, len) && EVP_CipherUpdate(a->ctx, buffer, &out, in, (int)len)
        && EVP_CipherFinal_ex(a->ctx, buffer + out, &out);
}

const struct kind aead_kind = { "aead", { "enc", "dec" }, prepare, step, release, answer_aead, check };

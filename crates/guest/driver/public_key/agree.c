/* Key agreement: encapsulation and Diffie-Hellman. */
#include "driver.h"
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

/* Longest ciphertext, that of ML-KEM-1024 (FIPS 203, table 3), and longest secret. */
#define MAX_CIPHERTEXT 1568
#define MAX_SECRET 64

struct agreement {
    EVP_PKEY_CTX *ctx;
    int encapsulates;
    unsigned char ciphertext[MAX_CIPHERTEXT], secret[MAX_SECRET];
    size_t ciphertext_len, secret_len;
};

static void release(void *context)
{
    struct agreement *a = context;
    EVP_PKEY_CTX_free(a->ctx);
    free(a);
}

/* A context for `operation` with the job's key; `params` for encapsulation. */
static EVP_PKEY_CTX *start(const struct job *job, const char *operation, const OSSL_PARAM *params)
{
    EVP_PKEY *key = job_key(job);
    EVP_PKEY_CTX *ctx = key ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
    int ok = 0;
    if (ctx != NULL && strcmp(operation, "encaps") == 0)
        ok = EVP_PKEY_encapsulate_init(ctx, params) > 0;
    else if (ctx != NULL && strcmp(operation, "decaps") == 0)
        ok = EVP_PKEY_decapsulate_init(ctx, params) > 0;
    else if (ctx != NULL)
        ok = EVP_PKEY_derive_init(ctx) > 0;
    EVP_PKEY_free(key);
    if (!ok) {
        EVP_PKEY_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

static int encapsulate(struct agreement *a)
{
    a->ciphertext_len = sizeof a->ciphertext;
    a->secret_len = sizeof a->secret;
    return EVP_PKEY_encapsulate(a->ctx, a->ciphertext, &a->ciphertext_len, a->secret, &a->secret_len) > 0;
}

static long decapsulate(const struct job *job, const unsigned char *ciphertext, size_t len, unsigned char *out)
{
    EVP_PKEY_CTX *ctx = start(job, "decaps", NULL);
    size_t secret_len = MAX_SECRET;
    int ok = ctx != NULL && EVP_PKEY_decapsulate(ctx, out, &secret_len, ciphertext, len) > 0;
    EVP_PKEY_CTX_free(ctx);
    return ok ? (long)secret_len : -1;
}

/* Encapsulation: the input is the randomness; the answer is the ciphertext, followed by the secret. Decapsulation: the
 * input is the ciphertext, the answer the secret. */
static long answer_kem(const struct job *job, unsigned char *out)
{
    struct agreement a;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_KEM_PARAM_IKME, job->in.data, job->in.len),
        OSSL_PARAM_construct_end(),
    };
    if (job_is(job, "decaps"))
        return decapsulate(job, job->in.data, job->in.len, out);
    a.ctx = start(job, "encaps", params);
    if (a.ctx == NULL)
        return -1;
    int ok = encapsulate(&a);
    EVP_PKEY_CTX_free(a.ctx);
    if (!ok)
        return -1;
    memcpy(out, a.ciphertext, a.ciphertext_len);
    memcpy(out + a.ciphertext_len, a.secret, a.secret_len);
    return (long)(a.ciphertext_len + a.secret_len);
}

/* Decapsulation must recover the secret. For a changed ciphertext it must return another one: ML-KEM rejects implicitly. */
static const char *check_kem(struct job *job, unsigned char *out, size_t len)
{
    unsigned char secret[MAX_SECRET], other[MAX_SECRET];
    int encapsulated = job_is(job, "encaps");
    unsigned char *ciphertext = encapsulated ? out : job->in.data;
    size_t secret_len = encapsulated ? 32 : len;
    size_t ciphertext_len = encapsulated ? len - secret_len : job->in.len;
    const unsigned char *right = encapsulated ? out + ciphertext_len : out;
    if (encapsulated
        && (decapsulate(job, ciphertext, ciphertext_len, secret) != (long)secret_len
            || memcmp(secret, right, secret_len) != 0))
        return "lost";
    ciphertext[ciphertext_len / 2] ^= 1;
    int forged = decapsulate(job, ciphertext, ciphertext_len, other) == (long)secret_len
        && memcmp(other, right, secret_len) == 0;
    ciphertext[ciphertext_len / 2] ^= 1;
    return forged ? "forged" : "back";
}

static void *prepare_kem(const struct job *job, size_t len)
{
    struct agreement *a = calloc(1, sizeof *a);
    (void)len;
    if (a == NULL)
        return NULL;
    a->encapsulates = 1;
    a->ctx = start(job, "encaps", NULL);
    int ok = a->ctx != NULL && encapsulate(a);
    if (ok && job_is(job, "decaps")) {
        EVP_PKEY_CTX_free(a->ctx);
        a->encapsulates = 0;
        a->ctx = start(job, "decaps", NULL);
        ok = a->ctx != NULL;
    }
    if (!ok) {
        release(a);
        return NULL;
    }
    return a;
}

/* As KEM_encaps_loop and KEM_decaps_loop of `openssl speed`. */
static int step_kem(void *context, unsigned char *buffer, size_t len)
{
    struct agreement *a = context;
    (void)buffer, (void)len;
    if (a->encapsulates)
        return encapsulate(a);
    a->secret_len = sizeof a->secret;
    return EVP_PKEY_decapsulate(a->ctx, a->secret, &a->secret_len, a->ciphertext, a->ciphertext_len) > 0;
}

/* A context with the peer's public key, encoded as the group's standard requires; NULL if it is refused. */
static EVP_PKEY_CTX *meet(const struct job *job, const unsigned char *peer, size_t len)
{
    EVP_PKEY_CTX *ctx = start(job, "derive", NULL);
    EVP_PKEY *own = job_key(job), *other = EVP_PKEY_new();
    int ok = ctx != NULL && own != NULL && other != NULL && EVP_PKEY_copy_parameters(other, own) > 0
        && EVP_PKEY_set1_encoded_public_key(other, peer, len) > 0 && EVP_PKEY_derive_set_peer(ctx, other) > 0;
    EVP_PKEY_free(own);
    EVP_PKEY_free(other);
    if (!ok) {
        EVP_PKEY_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

static long derive(const struct job *job, unsigned char *out)
{
    EVP_PKEY_CTX *ctx = meet(job, job->in.data, job->in.len);
    size_t len = MAX_SECRET;
    int ok = ctx != NULL && EVP_PKEY_derive(ctx, out, &len) > 0;
    EVP_PKEY_CTX_free(ctx);
    return ok ? (long)len : -1;
}

/* With its last 32 bytes zeroed, a peer's point is off the curve, or of small order on Curve25519 (RFC 7748, section
 * 6.1): it must be refused. */
static const char *check_exchange(struct job *job, unsigned char *out, size_t len)
{
    unsigned char secret[MAX_SECRET];
    (void)out, (void)len;
    memset(job->in.data + job->in.len - 32, 0, 32);
    return derive(job, secret) < 0 ? "back" : "forged";
}

/* The peer is the key itself. */
static void *prepare_exchange(const struct job *job, size_t len)
{
    struct agreement *a = calloc(1, sizeof *a);
    EVP_PKEY *own = job_key(job);
    unsigned char *peer = NULL;
    size_t peer_len = own ? EVP_PKEY_get1_encoded_public_key(own, &peer) : 0;
    (void)len;
    EVP_PKEY_free(own);
    if (a != NULL && peer_len)
        a->ctx = meet(job, peer, peer_len);
    OPENSSL_free(peer);
    if (a != NULL && a->ctx == NULL) {
        release(a);
        return NULL;
    }
    return a;
}

/* As ECDH_EVP_derive_key_loop of `openssl speed`. */
static int step_exchange(void *context, unsigned char *buffer, size_t len)
{
    struct agreement *a = context;
    (void)buffer, (void)len;
    a->secret_len = sizeof a->secret;
    return EVP_PKEY_derive(a->ctx, a->secret, &a->secret_len) > 0;
}

const struct kind kem_kind = { "kem", { "encaps", "decaps" }, prepare_kem, step_kem, release, answer_kem, check_kem };
const struct kind exchange_kind = { "exchange", { "derive" }, prepare_exchange, step_exchange,
                                    release,    derive,       check_exchange };

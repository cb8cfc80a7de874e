/* Signatures. The parameter is the hash of algorithms that sign a digest (RSA, ECDSA, SM2); the others sign the
 * message. The IV is the context string, for SM2 the signer's identity. To verify, the AAD is the signature, and the
 * answer is 01 (accepted) or 00. Answers come from the deterministic variants where they exist: RSA PKCS #1 v1.5 and
 * Ed25519 are deterministic, ECDSA with RFC 6979, ML-DSA and SLH-DSA without hedging. */
#include "driver.h"
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

/* Longest signature: SLH-DSA-*-256f (FIPS 205, table 2). */
#define MAX_SIGNATURE 49856
/* Longest message that is measured: a digest of 48 bytes for P-384. */
#define MEASURED 48

struct signer {
    EVP_PKEY_CTX *ctx;
    int verify;
    unsigned char key_digest[32];
    unsigned char message[MEASURED];
    size_t message_len, signature_len;
    unsigned char signature[MAX_SIGNATURE];
};

/* Options that an algorithm does not know are ignored. */
static void options(const struct job *job, OSSL_PARAM params[5])
{
    static unsigned int rfc6979 = 1;
    static int deterministic = 1;
    OSSL_PARAM *p = params;
    *p++ = OSSL_PARAM_construct_uint(OSSL_SIGNATURE_PARAM_NONCE_TYPE, &rfc6979);
    *p++ = OSSL_PARAM_construct_int(OSSL_SIGNATURE_PARAM_DETERMINISTIC, &deterministic);
    if (job->iv.len) {
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_SIGNATURE_PARAM_CONTEXT_STRING, job->iv.data, job->iv.len);
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_DIST_ID, job->iv.data, job->iv.len);
    }
    *p = OSSL_PARAM_construct_end();
}

/* A context that signs or verifies whole messages. */
static EVP_PKEY_CTX *start_message(const struct job *job, EVP_PKEY *key, int verify)
{
    EVP_SIGNATURE *algorithm = EVP_SIGNATURE_fetch(NULL, job->algorithm, NULL);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    OSSL_PARAM params[5];
    options(job, params);
    int ok = algorithm != NULL && ctx != NULL
        && (verify ? EVP_PKEY_verify_message_init(ctx, algorithm, params)
                   : EVP_PKEY_sign_message_init(ctx, algorithm, params))
            > 0;
    EVP_SIGNATURE_free(algorithm);
    if (!ok) {
        EVP_PKEY_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

/* A context that signs or verifies digests. */
static EVP_PKEY_CTX *start_digest(const struct job *job, EVP_PKEY *key, int verify)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    EVP_MD *md = EVP_MD_fetch(NULL, job->parameter, NULL);
    int ok = ctx != NULL && md != NULL && (verify ? EVP_PKEY_verify_init(ctx) : EVP_PKEY_sign_init(ctx)) > 0
        && EVP_PKEY_CTX_set_signature_md(ctx, md) > 0;
    EVP_MD_free(md);
    if (!ok) {
        EVP_PKEY_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

static long sign(const struct job *job, unsigned char *out)
{
    EVP_PKEY *key = job_key(job);
    EVP_MD_CTX *md = NULL;
    EVP_PKEY_CTX *ctx = NULL;
    OSSL_PARAM params[5];
    size_t len = MAX_SIGNATURE;
    int ok;
    options(job, params);
    if (job->parameter) {
        md = EVP_MD_CTX_new();
        ok = key != NULL && md != NULL && EVP_DigestSignInit_ex(md, NULL, job->parameter, NULL, NULL, key, params) > 0
            && EVP_DigestSign(md, out, &len, job->in.data, job->in.len) > 0;
    } else {
        ctx = key ? start_message(job, key, 0) : NULL;
        ok = ctx != NULL && EVP_PKEY_sign(ctx, out, &len, job->in.data, job->in.len) > 0;
    }
    EVP_MD_CTX_free(md);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
    return ok ? (long)len : -1;
}

/* 1 if the signature is accepted, 0 if not, -1 if verification was not reached. */
static int verify(const struct job *job, const unsigned char *signature, size_t len)
{
    EVP_PKEY *key = job_key(job);
    EVP_MD_CTX *md = NULL;
    EVP_PKEY_CTX *ctx = NULL;
    OSSL_PARAM params[5];
    int accepted = -1;
    options(job, params);
    if (key != NULL && job->parameter) {
        md = EVP_MD_CTX_new();
        if (md != NULL && EVP_DigestVerifyInit_ex(md, NULL, job->parameter, NULL, NULL, key, params) > 0)
            accepted = EVP_DigestVerify(md, signature, len, job->in.data, job->in.len) == 1;
    } else if (key != NULL) {
        ctx = start_message(job, key, 1);
        if (ctx != NULL)
            accepted = EVP_PKEY_verify(ctx, signature, len, job->in.data, job->in.len) == 1;
    }
    EVP_MD_CTX_free(md);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
    return accepted;
}

static long answer(const struct job *job, unsigned char *out)
{
    if (job_is(job, "sign"))
        return sign(job, out);
    int accepted = verify(job, job->aad.data, job->aad.len);
    out[0] = accepted == 1;
    return accepted < 0 ? -1 : 1;
}

#ifdef CAPVEC_ANY
/* Whether the library signs with random numbers where RFC 6979 is deterministic: OpenSSL before 3.2 does. */
static int is_random(const struct job *job)
{
    if (!job_is(job, "sign") || strcmp(job->algorithm, "EC") != 0)
        return 0;
    EVP_PKEY *key = job_key(job);
    EVP_PKEY_CTX *ctx = key ? start_digest(job, key, 0) : NULL;
    const OSSL_PARAM *known = ctx ? EVP_PKEY_CTX_settable_params(ctx) : NULL;
    int random = known != NULL && OSSL_PARAM_locate_const(known, OSSL_SIGNATURE_PARAM_NONCE_TYPE) == NULL;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
    return random;
}
#else
# define is_random(job) 0
#endif

/* A changed signature or message must be refused; a new signature must be accepted. */
static const char *check(struct job *job, unsigned char *out, size_t len)
{
    unsigned char *signature = job_is(job, "sign") ? out : job->aad.data;
    if (job_is(job, "verify"))
        len = job->aad.len;
    if (job_is(job, "verify") && out[0] == 0)
        return "back";
    if (job_is(job, "sign") && verify(job, signature, len) != 1)
        return "lost";
    signature[len / 2] ^= 1;
    int forged = verify(job, signature, len) == 1;
    signature[len / 2] ^= 1;
    if (job->in.len) {
        job->in.data[0] ^= 1;
        forged |= verify(job, signature, len) == 1;
        job->in.data[0] ^= 1;
    }
    return forged ? "forged" : is_random(job) ? "random" : "back";
}

/* The last measured signature, which is verified next: for SLH-DSA, making another would cost more than everything
 * else. */
static struct signer last;

static void release(void *context)
{
    struct signer *s = context;
    EVP_PKEY_CTX_free(s->ctx);
    if (!s->verify)
        last = *s;
    free(s);
}

/* The signature to verify: the last one if it belongs to this key, else a new one. */
static int take_signature(const struct job *job, EVP_PKEY *key, struct signer *s)
{
    if (last.signature_len && memcmp(last.key_digest, s->key_digest, sizeof s->key_digest) == 0) {
        memcpy(s->message, last.message, sizeof s->message);
        memcpy(s->signature, last.signature, last.signature_len);
        s->signature_len = last.signature_len;
        return 1;
    }
    EVP_PKEY_CTX *ctx = job->parameter ? start_digest(job, key, 0) : start_message(job, key, 0);
    s->signature_len = MAX_SIGNATURE;
    int ok = ctx != NULL && EVP_PKEY_sign(ctx, s->signature, &s->signature_len, s->message, s->message_len) > 0;
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static void *prepare(const struct job *job, size_t len)
{
    struct signer *s = calloc(1, sizeof *s);
    EVP_PKEY *key = job_key(job);
    EVP_MD *md = job->parameter ? EVP_MD_fetch(NULL, job->parameter, NULL) : NULL;
    (void)len;
    if (s != NULL && key != NULL) {
        s->verify = job_is(job, "verify");
        s->message_len = md ? (size_t)EVP_MD_get_size(md) : 32;
        if (EVP_Digest(job->key.data, job->key.len, s->key_digest, NULL, EVP_sha256(), NULL)
            && s->message_len <= MEASURED && (!s->verify || take_signature(job, key, s)))
            s->ctx = job->parameter ? start_digest(job, key, s->verify) : start_message(job, key, s->verify);
    }
    EVP_MD_free(md);
    EVP_PKEY_free(key);
    if (s != NULL && s->ctx == NULL) {
        release(s);
        return NULL;
    }
    return s;
}

/* As `openssl speed`: a digest of the hash's length (RSA, ECDSA, SM2), or a message of 32 bytes. Messages contain a
 * counter, since the cost of ML-DSA depends on them: every run signs the same ones. */
static int step(void *context, unsigned char *buffer, size_t len)
{
    struct signer *s = context;
    (void)buffer, (void)len;
    if (s->verify)
        return EVP_PKEY_verify(s->ctx, s->signature, s->signature_len, s->message, s->message_len) == 1;
    s->message[0]++;
    s->signature_len = MAX_SIGNATURE;
    return EVP_PKEY_sign(s->ctx, s->signature, &s->signature_len, s->message, s->message_len) > 0;
}

const struct kind signature_kind = { "signature", { "sign", "verify" }, prepare, step, release, answer, check };

/* Hashes and message authentication codes in every form. A vector's parameter
 * means what it means for the same kind of case (digest.c, mac.c). */
#include "kat.h"
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static EVP_MD *fetch(const char *name)
{
    static EVP_MD *md;
    static char kept[64];
    if (md == NULL || strcmp(kept, name) != 0) {
        EVP_MD_free(md);
        md = EVP_MD_fetch(NULL, name, NULL);
        strncpy(kept, name, sizeof kept - 1);
    }
    return md;
}

/* Sets the customization string, which only cSHAKE vectors have. */
static int init_hash(EVP_MD_CTX *ctx, const struct job *job)
{
    OSSL_PARAM params[2] = { OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end() };
    if (job->iv.len)
        params[0] = OSSL_PARAM_construct_utf8_string("customization", (char *)job->iv.data, job->iv.len);
    return EVP_DigestInit_ex2(ctx, fetch(job->algorithm), job->iv.len ? params : NULL);
}

/* In pieces; here `rekey` means a context that has hashed something else, and is copied half-way. */
static int hash(EVP_MD_CTX *ctx, EVP_MD_CTX *copy, const struct trial *trial, const struct form *form,
                struct buffers *b)
{
    size_t len = trial->in.len, half = form->rekey ? len / 2 : len;
    const struct job *job = &trial->vector->job;
    if (form->rekey && !(EVP_DigestInit_ex2(ctx, fetch(job->algorithm), NULL) && EVP_DigestUpdate(ctx, "x", 1)))
        return 0;
    if (!init_hash(ctx, job))
        return 0;
    for (size_t done = 0, n; done < half; done += n) {
        n = kat_chunk(form, b, half - done);
        if (!EVP_DigestUpdate(ctx, b->in + done, n))
            return 0;
    }
    return EVP_MD_CTX_copy_ex(copy, ctx) && EVP_DigestUpdate(copy, b->in + half, len - half);
}

/* An extendable output is read in pieces, too. */
static long squeeze(EVP_MD_CTX *ctx, const struct trial *trial, const struct form *form, struct buffers *b)
{
    if (form->chunk == 0 || !HAVE_SQUEEZE)
        return EVP_DigestFinalXOF(ctx, b->out, trial->room) ? (long)trial->room : REFUSED;
    for (size_t done = 0, n; done < trial->room; done += n) {
        n = kat_chunk(form, b, trial->room - done);
        if (!EVP_DigestSqueeze(ctx, b->out + done, n))
            return REFUSED;
    }
    return (long)trial->room;
}

static long run_digest(const struct trial *trial, const struct form *form, struct buffers *b)
{
    EVP_MD *md = fetch(trial->vector->job.algorithm);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    long len = NOT_SET_UP;
    if (ctx && copy && hash(ctx, copy, trial, form, b)) {
        unsigned int out = 0;
        if (EVP_MD_xof(md))
            len = squeeze(copy, trial, form, b);
        else
            len = EVP_DigestFinal_ex(copy, b->out, &out) ? (long)out : REFUSED;
    }
    EVP_MD_CTX_free(ctx);
    EVP_MD_CTX_free(copy);
    return len;
}

/* The meaning of a MAC's parameter: for HMAC the underlying hash, for KMAC the length of the tag, for the others the
 * underlying cipher. */
enum { HASH, LENGTH, CIPHER };

static int parameter_of(const struct job *job)
{
    return strcmp(job->algorithm, "HMAC") == 0 ? HASH : strncmp(job->algorithm, "KMAC", 4) == 0 ? LENGTH : CIPHER;
}

static EVP_MAC_CTX *start_mac(const struct job *job)
{
    static char kept[64];
    static EVP_MAC *mac;
    OSSL_PARAM params[3], *p = params;
    const int what = parameter_of(job);
    size_t length = job->parameter ? (size_t)atoi(job->parameter) : 0;
    if (mac == NULL || strcmp(kept, job->algorithm) != 0) {
        EVP_MAC_free(mac);
        mac = EVP_MAC_fetch(NULL, job->algorithm, NULL);
        strncpy(kept, job->algorithm, sizeof kept - 1);
    }
    EVP_MAC_CTX *ctx = mac ? EVP_MAC_CTX_new(mac) : NULL;
    if (what == LENGTH)
        *p++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &length);
    else if (job->parameter)
        *p++ = OSSL_PARAM_construct_utf8_string(what == HASH ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER,
                                                (char *)job->parameter, 0);
    if (job->iv.len)
        *p++ = OSSL_PARAM_construct_octet_string(what == LENGTH ? OSSL_MAC_PARAM_CUSTOM : OSSL_MAC_PARAM_IV,
                                                 job->iv.data, job->iv.len);
    *p = OSSL_PARAM_construct_end();
    if (ctx && EVP_MAC_CTX_set_params(ctx, params))
        return ctx;
    EVP_MAC_CTX_free(ctx);
    return NULL;
}

/* With `rekey`, the context has authenticated something under another key. */
static int init_mac(EVP_MAC_CTX *ctx, const struct job *job, const struct form *form)
{
    unsigned char other[256];
    size_t len = job->key.len < sizeof other ? job->key.len : sizeof other;
    for (size_t i = 0; i < len; i++)
        other[i] = (unsigned char)~job->key.data[i];
    if (form->rekey && !(EVP_MAC_init(ctx, other, len, NULL) && EVP_MAC_update(ctx, other, len)))
        return 0;
    if (job->iv.len && form->rekey && parameter_of(job) != LENGTH) {
        OSSL_PARAM again[2] = { OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, job->iv.data, job->iv.len),
                                OSSL_PARAM_construct_end() };
        return EVP_MAC_init(ctx, job->key.data, job->key.len, again);
    }
    return EVP_MAC_init(ctx, job->key.data, job->key.len, NULL);
}

/* A shorter tag is a prefix of the full one. */
static long run_mac(const struct trial *trial, const struct form *form, struct buffers *b)
{
    const struct job *job = &trial->vector->job;
    EVP_MAC_CTX *ctx = start_mac(job);
    unsigned char code[EVP_MAX_MD_SIZE];
    size_t len = 0;
    int ok = ctx && init_mac(ctx, job, form);
    for (size_t done = 0, n; ok && done < trial->in.len; done += n) {
        n = kat_chunk(form, b, trial->in.len - done);
        ok = EVP_MAC_update(ctx, b->in + done, n);
    }
    ok = ok && EVP_MAC_final(ctx, code, &len, sizeof code);
    EVP_MAC_CTX_free(ctx);
    /* Computing a tag must not refuse anything: only comparing it may. */
    if (!ok)
        return NOT_SET_UP;
    if (len > trial->room)
        len = trial->room;
    memcpy(b->out, code, len);
    return (long)len;
}

/* As a receiver: refuses any other tag. */
static long run_verify(const struct trial *trial, const struct form *form, struct buffers *b)
{
    long len = run_mac(trial, form, b);
    const struct bytes *out = &trial->vector->out;
    if (len < 0)
        return len;
    return len == (long)out->len && memcmp(b->out, out->data, out->len) == 0 ? len : REFUSED;
}

static void check(struct tally *t, struct vector *v, struct trial *trial, size_t block)
{
    static unsigned char room[MAX_MESSAGE];
    struct form forms[KAT_FORMS];
    trial->in = v->job.in;
    trial->vector = v;
    if (v->by_digest && !kat_find_out(t, trial, v, room))
        return;
    trial->room = v->out.len;
    size_t n = kat_forms(forms, v, v->job.in.len, block, 1, 0);
    for (size_t i = 0; i < n; i++)
        kat_try(t, trial, &forms[i], v->result == INVALID ? NULL : &v->out);
}

void kat_digest(struct tally *t, struct vector *v)
{
    struct trial trial = { .operation = "hash", .run = run_digest };
    EVP_MD *md = fetch(v->job.algorithm);
    if (md == NULL) {
        t->absent = v->job.algorithm;
        return;
    }
    trial.room = EVP_MD_xof(md) ? 0 : (size_t)EVP_MD_get_size(md);
    if (v->job.parameter)
        trial.room = (size_t)atoi(v->job.parameter);
    if (trial.room > MAX_MESSAGE)
        kat_unfit(t, "the vector asks for %zu bytes, more than %d", trial.room, MAX_MESSAGE);
    else if (!v->by_digest && v->out.len != trial.room)
        kat_unfit(t, "the vector's answer has %zu bytes, %s gives %zu", v->out.len, v->job.algorithm, trial.room);
    else
        check(t, v, &trial, (size_t)EVP_MD_get_block_size(md));
}

/* What the library lacks for a MAC: the MAC itself, or its underlying hash or cipher; NULL if nothing. */
static const char *missing(const struct job *job)
{
    EVP_MAC *mac = EVP_MAC_fetch(NULL, job->algorithm, NULL);
    EVP_MD *md = NULL;
    EVP_CIPHER *cipher = NULL;
    int inside = 1;
    if (job->parameter && parameter_of(job) == HASH)
        inside = (md = EVP_MD_fetch(NULL, job->parameter, NULL)) != NULL;
    else if (job->parameter && parameter_of(job) == CIPHER)
        inside = (cipher = EVP_CIPHER_fetch(NULL, job->parameter, NULL)) != NULL;
    const char *lacks = mac == NULL ? job->algorithm : inside ? NULL : job->parameter;
    EVP_MAC_free(mac);
    EVP_MD_free(md);
    EVP_CIPHER_free(cipher);
    return lacks;
}

void kat_mac(struct tally *t, struct vector *v)
{
    struct trial trial = { .operation = "authenticate", .run = run_mac, .room = EVP_MAX_MD_SIZE };
    static char kept[2][64];
    const char *inside = v->job.parameter ? v->job.parameter : "";
    /* Looked up once: fetching costs more than a short message. */
    if (strcmp(kept[0], v->job.algorithm) != 0 || strcmp(kept[1], inside) != 0) {
        if ((t->absent = missing(&v->job)) != NULL)
            return;
        snprintf(kept[0], sizeof kept[0], "%s", v->job.algorithm);
        snprintf(kept[1], sizeof kept[1], "%s", inside);
    }
    if (v->result == INVALID) {
        trial.operation = "verify";
        trial.run = run_verify;
    }
    check(t, v, &trial, parameter_of(&v->job) == HASH ? 64 : 16);
}

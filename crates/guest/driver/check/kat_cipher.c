/* Ciphers and AEADs in every form, in both directions. A vector's parameter means what it
 * means for the same kind of case (cipher.c, aead.c); for a cipher, `pad` selects PKCS #7 padding. */
#include "kat.h"
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

/* The library's cipher, kept from vector to vector: fetching costs more than a short message. */
static EVP_CIPHER *fetch(const char *name)
{
    static EVP_CIPHER *cipher;
    static char kept[64];
    if (cipher == NULL || strcmp(kept, name) != 0) {
        EVP_CIPHER_free(cipher);
        cipher = EVP_CIPHER_fetch(NULL, name, NULL);
        strncpy(kept, name, sizeof kept - 1);
    }
    return cipher;
}

static int encrypts(const struct trial *trial)
{
    return strcmp(trial->operation, "encrypt") == 0;
}

/* A key other than the vector's. */
static const unsigned char *other_key(const struct job *job)
{
    static unsigned char other[EVP_MAX_KEY_LENGTH];
    for (size_t i = 0; i < job->key.len && i < sizeof other; i++)
        other[i] = (unsigned char)~job->key.data[i];
    return other;
}

/* The message in pieces; returns the number of output bytes, or REFUSED. */
static long update(EVP_CIPHER_CTX *ctx, const struct form *form, struct buffers *b, size_t len)
{
    long total = 0;
    for (size_t done = 0, n; done < len; done += n) {
        int out;
        n = kat_chunk(form, b, len - done);
        if (!EVP_CipherUpdate(ctx, b->out + total, &out, b->in + done, (int)n))
            return REFUSED;
        total += out;
    }
    return total;
}

static long run_cipher(const struct trial *trial, const struct form *form, struct buffers *b)
{
    const struct job *job = &trial->vector->job;
    EVP_CIPHER *cipher = fetch(job->algorithm);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    const unsigned char *iv = job->iv.len ? job->iv.data : NULL;
    int last, encrypt = encrypts(trial), pad = job->parameter != NULL;
    long len = NOT_SET_UP;
    int ok = ctx && (!form->rekey || EVP_CipherInit_ex2(ctx, cipher, other_key(job), iv, encrypt, NULL))
        && EVP_CipherInit_ex2(ctx, form->rekey ? NULL : cipher, job->key.data, iv, encrypt, NULL)
        && EVP_CIPHER_CTX_set_padding(ctx, pad);
    if (ok)
        len = update(ctx, form, b, trial->in.len);
    if (len >= 0)
        len = EVP_CipherFinal_ex(ctx, b->out + len, &last) ? len + last : REFUSED;
    EVP_CIPHER_CTX_free(ctx);
    return len;
}

static size_t tag_length(const struct vector *v)
{
    return v->job.parameter ? (size_t)atoi(v->job.parameter) : 16;
}

/* Sets, in this order: the IV's length, the tag or its length, the key and IV, and for CCM the message's length. */
static int begin(EVP_CIPHER_CTX *ctx, const struct trial *trial, const struct form *form, struct buffers *b)
{
    const struct job *job = &trial->vector->job;
    EVP_CIPHER *cipher = fetch(job->algorithm);
    int encrypt = encrypts(trial), out;
    if (!EVP_CipherInit_ex2(ctx, cipher, form->rekey ? other_key(job) : NULL, NULL, encrypt, NULL)
        || EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)job->iv.len, NULL) <= 0)
        return 0;
    int mode = EVP_CIPHER_get_mode(cipher), ccm = mode == EVP_CIPH_CCM_MODE;
    if (!encrypt || ccm || mode == EVP_CIPH_OCB_MODE) {
        size_t len = encrypt ? tag_length(trial->vector) : trial->tag.len;
        /* OCB takes a tag of the length that is set, by default 16 bytes. */
        if (mode == EVP_CIPH_OCB_MODE && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)len, NULL) <= 0)
            return 0;
        if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)len, encrypt ? NULL : b->tag) <= 0)
            return 0;
    }
    return EVP_CipherInit_ex2(ctx, NULL, job->key.data, job->iv.data, -1, NULL)
        && (!ccm || EVP_CipherUpdate(ctx, NULL, &out, NULL, (int)trial->in.len));
}

static int authenticate(EVP_CIPHER_CTX *ctx, const struct trial *trial, const struct form *form, struct buffers *b)
{
    for (size_t done = 0, n; done < trial->aad.len; done += n) {
        int out;
        n = kat_chunk(form, b, trial->aad.len - done);
        if (!EVP_CipherUpdate(ctx, NULL, &out, b->aad + done, (int)n))
            return 0;
    }
    return 1;
}

/* When encrypting, the tag follows the ciphertext. */
static long run_aead(const struct trial *trial, const struct form *form, struct buffers *b)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    size_t tag_len = tag_length(trial->vector);
    long len = NOT_SET_UP;
    int last;
    if (ctx && begin(ctx, trial, form, b)) {
        len = authenticate(ctx, trial, form, b) ? update(ctx, form, b, trial->in.len) : REFUSED;
        /* CCM does its work in the update, and so needs it for an empty message too. */
        if (len >= 0 && trial->in.len == 0 && EVP_CIPHER_CTX_get_mode(ctx) == EVP_CIPH_CCM_MODE)
            len = EVP_CipherUpdate(ctx, b->out, &last, b->in, 0) ? last : REFUSED;
    }
    if (len >= 0)
        len = EVP_CipherFinal_ex(ctx, b->out + len, &last) ? len + last : REFUSED;
    if (len >= 0 && encrypts(trial) && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, (int)tag_len, b->out + len) <= 0)
        len = REFUSED;
    else if (len >= 0 && encrypts(trial))
        len += (long)tag_len;
    EVP_CIPHER_CTX_free(ctx);
    return len;
}

/* Block size and mode of the vector's cipher; 0 if the library lacks it, or the vector does not fit it. */
static int look(struct tally *t, const struct vector *v, int aead, size_t *block, int *streams)
{
    EVP_CIPHER *cipher = fetch(v->job.algorithm);
    if (cipher == NULL) {
        t->absent = v->job.algorithm;
        return 0;
    }
    int key_len = EVP_CIPHER_get_key_length(cipher), iv_len = EVP_CIPHER_get_iv_length(cipher);
    if ((size_t)key_len != v->job.key.len)
        kat_unfit(t, "the vector's key has %zu bytes, %s takes %d", v->job.key.len, v->job.algorithm, key_len);
    else if (!aead && (size_t)iv_len != v->job.iv.len)
        kat_unfit(t, "the vector's IV has %zu bytes, %s takes %d", v->job.iv.len, v->job.algorithm, iv_len);
    else if (aead && tag_length(v) > MAX_TAG)
        kat_unfit(t, "the vector's tag has %zu bytes, no AEAD has more than %d", tag_length(v), MAX_TAG);
    if (t->failure[0])
        return 0;
    int mode = EVP_CIPHER_get_mode(cipher);
    /* The interface takes XTS, CCM and SIV messages only as a whole. */
    *streams = mode != EVP_CIPH_XTS_MODE && mode != EVP_CIPH_CCM_MODE && mode != EVP_CIPH_SIV_MODE;
    /* For a stream cipher, the block of its key stream. */
    *block = mode == EVP_CIPH_STREAM_CIPHER ? 64 : 16;
    return 1;
}

static int run_forms(struct tally *t, const struct trial *trial, const struct bytes *expected, size_t block,
                     int streams)
{
    struct form forms[KAT_FORMS];
    size_t n = kat_forms(forms, trial->vector, trial->in.len, block, streams, 1);
    int good = 1;
    for (size_t i = 0; i < n; i++) {
        /* Padding is written after the end of the input: such a buffer needs room for it. */
        if (forms[i].in_place && forms[i].at_end)
            continue;
        good &= kat_try(t, trial, &forms[i], expected);
    }
    return good;
}

void kat_cipher(struct tally *t, struct vector *v)
{
    static unsigned char room[MAX_MESSAGE + EVP_MAX_BLOCK_LENGTH];
    struct trial encrypt = { .vector = v, .operation = "encrypt", .in = v->job.in, .run = run_cipher };
    struct trial decrypt = { .vector = v, .operation = "decrypt", .run = run_cipher };
    size_t block;
    int streams;
    if (!look(t, v, 0, &block, &streams) || (v->by_digest && !kat_find_out(t, &encrypt, v, room)))
        return;
    encrypt.room = v->out.len;
    decrypt.in = v->out;
    decrypt.room = v->result == INVALID || v->job.parameter ? v->out.len : v->job.in.len;
    if (v->result != INVALID)
        run_forms(t, &encrypt, &v->out, block, streams);
    run_forms(t, &decrypt, v->result == INVALID ? NULL : &v->job.in, block, streams);
}

/* Everything that must be refused: a changed bit of tag, text or associated data, and a shorter tag where its length
 * matters. Each is checked in one form, which the seed selects. */
static void refuse(struct tally *t, const struct trial *decrypt, int streams)
{
    static const struct form forms[] = { { .name = "one update" },
                                         { .name = "in place", .in_place = 1 },
                                         { .name = "random updates", .chunk = RANDOM_CHUNKS } };
    const struct vector *v = decrypt->vector;
    struct trial trial = *decrypt;
    struct bytes *const targets[] = { &trial.tag, &trial.in, &trial.aad };
    static const char *const names[] = { "decrypt with a changed tag", "decrypt a changed ciphertext",
                                         "decrypt with changed associated data" };
    for (unsigned i = 0; i < 3; i++) {
        if (targets[i]->len == 0)
            continue;
        unsigned char *byte = &targets[i]->data[v->seed / 8 % targets[i]->len];
        *byte ^= (unsigned char)(1 << v->seed % 8);
        trial.operation = names[i];
        kat_try(t, &trial, &forms[(v->seed / 64 + i) % (streams ? 3 : 2)], NULL);
        *byte ^= (unsigned char)(1 << v->seed % 8);
    }
    /* In CCM and OCB, the tag depends on its length. */
    int mode = EVP_CIPHER_get_mode(fetch(v->job.algorithm));
    if ((mode == EVP_CIPH_CCM_MODE || mode == EVP_CIPH_OCB_MODE) && trial.tag.len > 4) {
        trial.operation = "decrypt with a shortened tag";
        trial.tag.len -= 2;
        kat_try(t, &trial, &forms[0], NULL);
    }
}

void kat_aead(struct tally *t, struct vector *v)
{
    static unsigned char sealed[MAX_MESSAGE + MAX_TAG];
    struct trial encrypt = { .vector = v, .operation = "encrypt", .in = v->job.in, .aad = v->job.aad, .run = run_aead };
    struct trial decrypt = { .vector = v, .operation = "decrypt", .aad = v->job.aad, .run = run_aead };
    struct bytes expected = { sealed, v->out.len + v->job.tag.len };
    size_t block;
    int streams;
    if (!look(t, v, 1, &block, &streams))
        return;
    if (v->by_digest) {
        if (!kat_find_out(t, &encrypt, v, sealed))
            return;
        expected.len = v->out.len;
    } else {
        memcpy(sealed, v->out.data, v->out.len);
        memcpy(sealed + v->out.len, v->job.tag.data, v->job.tag.len);
    }
    decrypt.tag.len = v->by_digest ? tag_length(v) : v->job.tag.len;
    decrypt.in = (struct bytes){ sealed, expected.len - decrypt.tag.len };
    decrypt.tag.data = sealed + decrypt.in.len;
    encrypt.room = expected.len;
    decrypt.room = decrypt.in.len;
    if (v->result != INVALID)
        run_forms(t, &encrypt, &expected, block, streams);
    run_forms(t, &decrypt, v->result == INVALID ? NULL : &v->job.in, block, streams);
    if (v->result == VALID && !t->failure[0])
        refuse(t, &decrypt, streams);
}

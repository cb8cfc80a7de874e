/* Public-key algorithms: the answers of their kinds, with inputs at the end of mapped memory. */
#include "kat.h"
#include <openssl/evp.h>
#include <string.h>

/* The kind that answers the vector. */
static const struct kind *kind;

static long run_pkey(const struct trial *trial, const struct form *form, struct buffers *b)
{
    static unsigned char out[2 * MAX_MESSAGE];
    struct job job = trial->vector->job;
    (void)form;
    job.in.data = b->in;
    job.aad.data = b->aad;
    /* Keys are set before the operation; key generation returns them. */
    if (!job_is(&job, "keygen")) {
        EVP_PKEY *key = job_key(&job);
        EVP_PKEY_free(key);
        if (key == NULL)
            return NOT_SET_UP;
    }
    long len = kind->answer(&job, out);
    /* A signature that is not accepted is refused; one that was not examined is not. */
    if (job_is(&job, "verify"))
        len = len == 1 ? (out[0] ? 1 : REFUSED) : NOT_SET_UP;
    else if (len < 0)
        return REFUSED;
#ifdef CAPVEC_ANY
    /* Where signatures are randomised, any that the library makes and accepts is right. */
    const struct bytes *due = &trial->vector->out;
    if (len > 0 && job_is(&job, "sign") && due->len && strcmp(kind->check(&job, out, (size_t)len), "random") == 0) {
        memcpy(b->out, due->data, due->len < trial->room ? due->len : trial->room);
        return (long)due->len;
    }
#endif
    if (len > 0)
        memcpy(b->out, out, (size_t)len < trial->room ? (size_t)len : trial->room);
    return len;
}

/* What the library lacks: the algorithm, or the hash of its signatures; NULL if nothing. */
static const char *missing(const struct job *job)
{
    EVP_KEYMGMT *keys = EVP_KEYMGMT_fetch(NULL, job->algorithm, NULL);
    EVP_MD *md = job->parameter ? EVP_MD_fetch(NULL, job->parameter, NULL) : NULL;
    const char *lacks = keys == NULL ? job->algorithm : job->parameter && md == NULL ? job->parameter : NULL;
    EVP_KEYMGMT_free(keys);
    EVP_MD_free(md);
    return lacks;
}

void kat_pkey(struct tally *t, struct vector *v, const struct kind *of)
{
    static unsigned char room[2 * MAX_MESSAGE];
    static const struct form form = { .name = "at the end of memory", .at_end = 1 };
    struct trial trial = {
        .vector = v, .operation = v->job.operation, .in = v->job.in, .aad = v->job.aad, .run = run_pkey
    };
    kind = of;
    if ((t->absent = missing(&v->job)) != NULL)
        return;
    trial.room = v->by_digest ? sizeof room : v->out.len;
    if (v->by_digest)
        kat_find_out(t, &trial, v, room);
    else
        kat_try(t, &trial, &form, v->result == INVALID ? NULL : &v->out);
}

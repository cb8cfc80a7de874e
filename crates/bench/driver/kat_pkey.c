/* Public-key algorithms: the answers of their kinds, with inputs that lie at the end of mapped memory. */
#include "kat.h"
#include <string.h>

/* What answers the vector. */
static const struct kind *kind;

static long run_pkey(const struct trial *trial, const struct form *form, struct buffers *b)
{
    static unsigned char out[2 * MAX_MESSAGE];
    struct job job = trial->vector->job;
    (void)form;
    job.in.data = b->in;
    job.aad.data = b->aad;
    long len = kind->answer(&job, out);
    /* A signature that is not accepted is refused. */
    if (job_is(&job, "verify") && len == 1 && out[0] == 0)
        return -1;
    if (len > 0)
        memcpy(b->out, out, (size_t)len < trial->room ? (size_t)len : trial->room);
    return len;
}

void kat_pkey(struct tally *t, struct vector *v, const struct kind *of)
{
    static unsigned char room[2 * MAX_MESSAGE];
    static const struct form form = { .name = "at the end of memory", .at_end = 1 };
    struct trial trial = { .vector = v, .operation = v->job.operation, .in = v->job.in, .aad = v->job.aad, .run = run_pkey };
    kind = of;
    trial.room = v->by_digest ? sizeof room : v->out.len;
    if (v->by_digest)
        kat_find_out(t, &trial, v, room);
    else
        kat_try(t, &trial, &form, v->result == INVALID ? NULL : &v->out);
}

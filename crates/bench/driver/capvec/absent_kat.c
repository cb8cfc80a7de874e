/* Checks of kinds that libcapvec does not have: no vector gets here, since no operation of theirs is found. */
#include "kat.h"

static void absent(struct tally *t, struct vector *v)
{
    static const struct form form = { .name = "any form" };
    struct trial trial = { .vector = v, .operation = v->job.operation };
    kat_fail(t, &trial, &form, "the library has no such algorithm");
}

void kat_digest(struct tally *t, struct vector *v)
{
    absent(t, v);
}

void kat_mac(struct tally *t, struct vector *v)
{
    absent(t, v);
}

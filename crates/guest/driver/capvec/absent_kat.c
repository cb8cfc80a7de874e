/* Checks for kinds that libcapvec lacks. */
#include "kat.h"

void kat_pkey(struct tally *t, struct vector *v, const struct kind *kind)
{
    (void)kind;
    t->absent = v->job.algorithm;
}

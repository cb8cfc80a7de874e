/* Masks instead of branches on secrets. Numbers are below half of what a size_t holds. */
#ifndef CV_PROVIDER_CT_H
#define CV_PROVIDER_CT_H

#include <stddef.h>

/* All ones if a >= b, else 0. */
static inline size_t pv_mask_ge(size_t a, size_t b)
{
    size_t less = (a - b) >> (8 * sizeof a - 1);
    /* So that no compiler makes a branch of it. */
    __asm__("" : "+r"(less));
    return less - 1;
}

static inline size_t pv_mask_eq(size_t a, size_t b)
{
    return pv_mask_ge(a, b) & pv_mask_ge(b, a);
}

#endif

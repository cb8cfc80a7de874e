/* Masks instead of branches on secrets. Numbers must be below half the range of size_t. */
#ifndef CV_PROVIDER_CT_H
#define CV_PROVIDER_CT_H

#include <stddef.h>

/* All ones if a >= b, else 0. */
static inline size_t pv_mask_ge(size_t a, size_t b)
{
    size_t less = (a - b) >> (8 * sizeof a - 1);
    /* Prevents compilers from turning this into a branch. */
    __asm__("" : "+r"(less));
    return less - 1;
}

static inline size_t pv_mask_eq(size_t a, size_t b)
{
    return pv_mask_ge(a, b) & pv_mask_ge(b, a);
}

#endif

/* ChaCha20 and Poly1305. */
#ifndef CV_CHACHA_H
#define CV_CHACHA_H

#include "internal.h"

/* The best kernels for this number of blocks. */
static inline const struct cv_chacha_ops *cv_chacha_kernels(enum cv_long what, size_t blocks)
{
    const struct cv_kernels *kernels = cv_kernels_in_use();
    return blocks < cv_long_from(kernels, what) ? &kernels->chacha_short : &kernels->chacha;
}

#endif

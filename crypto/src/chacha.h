/* ChaCha20 and Poly1305. */
#ifndef CV_CHACHA_H
#define CV_CHACHA_H

#include "internal.h"

static inline const struct cv_chacha_ops *cv_chacha_kernels(void)
{
    return &cv_kernels_in_use()->chacha;
}

#endif

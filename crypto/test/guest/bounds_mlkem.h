/* The model of the transforms of ML-KEM: see bounds_mlkem.c. */
#ifndef CV_BOUNDS_MLKEM_H
#define CV_BOUNDS_MLKEM_H

#include "bounds.h"
#include "mlkem.h"

/* Small numbers are below this. */
#define SMALL 4096

struct range {
    int32_t low, high;
};

/* bounds_mlkem.c: 17 to the power of the seven bits of k in reverse, times `a`, modulo q. */
int32_t power(unsigned k, int32_t a);
/* cv_mlkem_ntt_v without its last reduction, and cv_mlkem_inverse_v up to what its last layer multiplies; `most` gets
 * the largest absolute value of each layer, and of each reduction. */
void forward(struct range f[N], int32_t most[7]);
void backward(struct range f[N], int32_t most[8]);

#endif

/* The model of the transforms of ML-DSA: see bounds_mldsa.c. */
#ifndef CV_BOUNDS_MLDSA_H
#define CV_BOUNDS_MLDSA_H

#include "bounds.h"
#include "mldsa.h"

/* bounds_mlkem.h has others of these names. */
#define power mldsa_power
#define forward mldsa_forward
#define backward mldsa_backward

struct range {
    int64_t low, high;
};

/* 1753 to the power of the eight bits of k in reverse, times `a`, modulo q. */
int64_t power(unsigned k, int64_t a);
/* cv_mldsa_ntt_v without its last reduction, and cv_mldsa_inverse_v up to what its last layer multiplies. `worst` becomes the range
 * of all numbers on the way. */
void forward(struct range f[N], struct range *worst);
void backward(struct range f[N], struct range *worst);

#endif

/* What the checks of bounds share: see bounds.c. */
#ifndef CV_BOUNDS_H
#define CV_BOUNDS_H

void require(int holds, const char *name);

/* bounds_mlkem.c, bounds_mlkem_kernels.c, bounds_mldsa.c and bounds_mldsa_kernels.c. */
void bounds_mlkem(void);
void bounds_mlkem_kernels(void);
void bounds_mldsa(void);
void bounds_mldsa_kernels(void);

#endif

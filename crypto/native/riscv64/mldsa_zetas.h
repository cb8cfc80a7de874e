/* Constants of ML-DSA for vectors of 32-bit numbers; the assembler computes them. */
#ifndef CV_MLDSA_ZETAS_H
#define CV_MLDSA_ZETAS_H

/* The modulus. */
#define MODULUS 8380417

/* How the transforms reduce: what makes the numbers of the last layer positive, and the power of two, nearly q, by which quotients
 * are estimated; for the inverse, 1 / 256, and what makes sums and differences of the last layer positive.
 * crypto/test/guest/bounds_mldsa.c checks that these suffice. */
#define NTT_OFFSET        (9 * MODULUS)
#define QUOTIENT_BITS     23
#define SCALE             8347681
#define SUM_OFFSET        MODULUS
#define DIFFERENCE_OFFSET (9 * MODULUS)

#ifdef __ASSEMBLER__

/* .Lcv_z = a 1753^BitRev8(k) modulo q, from -q/2 to q/2; .Lcv_w = 2^32 times that over q, rounded. */
.macro zeta k, a=1
    .set .Lcv_z, 1
    .irp bit, 0,1,2,3,4,5,6,7
    .set .Lcv_z, .Lcv_z * .Lcv_z % MODULUS
    .if (\k) >> \bit & 1
    .set .Lcv_z, .Lcv_z * 1753 % MODULUS
    .endif
    .endr
    .set .Lcv_z, .Lcv_z * \a % MODULUS
    .set .Lcv_w, (.Lcv_z * 0x100000000 + MODULUS / 2) / MODULUS
    .if .Lcv_z > MODULUS / 2
    .set .Lcv_z, .Lcv_z - MODULUS
    .set .Lcv_w, .Lcv_w - 0x100000000
    .endif
.endm

/* Four zetas and four of their `w`. */
.macro zeta_words k0, k1, k2, k3
    .irp k, \k0, \k1, \k2, \k3
    zeta        \k
    .4byte .Lcv_z & 0xffffffff
    .endr
    .irp k, \k0, \k1, \k2, \k3
    zeta        \k
    .4byte .Lcv_w & 0xffffffff
    .endr
.endm

#endif

#endif

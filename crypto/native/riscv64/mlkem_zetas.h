/* Constants of ML-KEM for vectors of 16-bit numbers; the assembler computes them. */
#ifndef CV_MLKEM_ZETAS_H
#define CV_MLKEM_ZETAS_H

/* The modulus. */
#define MODULUS 3329

/* How the transforms reduce: what makes the numbers of the last layer positive, and the integer part of 2^16 / q by which
 * quotients are estimated; the same for the inverse; the last layer's constants, 1 / 128 and 17^64 / 128, and what makes its
 * sums and differences positive. crypto/test/guest/bounds.c checks that these suffice. */
#define NTT_OFFSET        (10 * MODULUS)
#define NTT_QUOTIENT      19
#define INVERSE_QUOTIENT  20
#define SCALE             3303
#define SCALED_ZETA       1652
#define SUM_OFFSET        MODULUS
#define DIFFERENCE_OFFSET (2 * MODULUS)

#ifdef __ASSEMBLER__

/* .Lcv_z = a 17^BitRev7(k) modulo q, from -q/2 to q/2; .Lcv_w = 2^16 times that over q, rounded. */
.macro zeta k, a=1
    .set .Lcv_z, 1
    .irp bit, 0,1,2,3,4,5,6
    .set .Lcv_z, .Lcv_z * .Lcv_z % MODULUS
    .if (\k) >> \bit & 1
    .set .Lcv_z, .Lcv_z * 17 % MODULUS
    .endif
    .endr
    .set .Lcv_z, .Lcv_z * \a % MODULUS
    .set .Lcv_w, (.Lcv_z * 65536 + MODULUS / 2) / MODULUS
    .if .Lcv_z > MODULUS / 2
    .set .Lcv_z, .Lcv_z - MODULUS
    .set .Lcv_w, .Lcv_w - 65536
    .endif
.endm

/* The same in registers. */
.macro load_zeta z, w, k
    zeta        \k
    li          \z, .Lcv_z
    li          \w, .Lcv_w
.endm

/* Four words of zetas and four of their `w`, each twice, since coefficients come in pairs. */
.macro zeta_words k0, k1, k2, k3
    .irp k, \k0, \k1, \k2, \k3
    zeta        \k
    .4byte (.Lcv_z & 0xffff) * 0x10001
    .endr
    .irp k, \k0, \k1, \k2, \k3
    zeta        \k
    .4byte (.Lcv_w & 0xffff) * 0x10001
    .endr
.endm

#endif

#endif

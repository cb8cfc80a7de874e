/* ML-KEM: products in the NTT domain (FIPS 203, 4.3.1). Needs: V. VLEN at least 128. */
#include "mlkem_zetas.h"
#include "modular.h"

#define H       a0
#define F       a1
#define STEP    a2
#define G       a3
#define K       a4
#define LEFT    a5
#define GAMMA   a6
#define Q       a7
#define COUNT   t0
#define F_AT    t1
#define G_AT    t2
#define K_LEFT  t3
#define BARRETT t4
#define BYTES   t5
/* Constant and linear terms, of 16 bits; sums of products, of 32 bits. */
#define F0      v0
#define F1      v2
#define G0      v4
#define G1      v6
#define CONST   v8
#define SQUARE  v12
#define LINEAR  v16
#define T       v20
#define GAMMAS  v24

/* x modulo q, below 2 q: 2^32 / q, rounded down, gives a quotient that is at most 1 too small. */
.macro reduce x
    vmulhu.vx   T, \x, BARRETT
    vnmsac.vx   \x, Q, T
.endm

.macro reduce_fully x
    reduce      \x
    cv_subtract_once \x, Q, T, 32
.endm

/* Factors are below 2^12, so sums of at most 8 products are below 2^27; the product with gamma is below 2^25.
 *
 * void cv_mlkem_multiply_v(uint16_t h[256], const uint16_t *f, size_t step, const uint16_t *g, size_t k) */
cv_function cv_mlkem_multiply_v
    li          LEFT, 128
    lla         GAMMA, .Lgammas
    li          Q, MODULUS
    li          BARRETT, 0x100000000 / MODULUS
    slli        STEP, STEP, 1
1:  vsetvli     COUNT, LEFT, e16, m2, ta, ma
    mv          F_AT, F
    mv          G_AT, G
    addi        K_LEFT, K, -1
    vlseg2e16.v F0, (F_AT)
    vlseg2e16.v G0, (G_AT)
    vwmulu.vv   CONST, F0, G0
    vwmulu.vv   SQUARE, F1, G1
    vwmulu.vv   LINEAR, F0, G1
    vwmaccu.vv  LINEAR, F1, G0
    beqz        K_LEFT, 3f
2:  add         F_AT, F_AT, STEP
    addi        G_AT, G_AT, 512
    vlseg2e16.v F0, (F_AT)
    vlseg2e16.v G0, (G_AT)
    addi        K_LEFT, K_LEFT, -1
    vwmaccu.vv  CONST, F0, G0
    vwmaccu.vv  SQUARE, F1, G1
    vwmaccu.vv  LINEAR, F0, G1
    vwmaccu.vv  LINEAR, F1, G0
    bnez        K_LEFT, 2b
3:  vsetvli     zero, COUNT, e32, m4, ta, ma
    vle32.v     GAMMAS, (GAMMA)
    reduce      SQUARE
    vmacc.vv    CONST, SQUARE, GAMMAS
    reduce_fully CONST
    reduce_fully LINEAR
    vsetvli     zero, COUNT, e16, m2, ta, ma
    vnsrl.wi    F0, CONST, 0
    vnsrl.wi    F1, LINEAR, 0
    vsseg2e16.v F0, (H)
    slli        BYTES, COUNT, 2
    add         H, H, BYTES
    add         F, F, BYTES
    add         G, G, BYTES
    add         GAMMA, GAMMA, BYTES
    sub         LEFT, LEFT, COUNT
    bnez        LEFT, 1b
    cv_return
cv_end cv_mlkem_multiply_v

/* 17^(2 BitRev7(i) + 1) modulo q (appendix A): the zetas of the last layer, with either sign. */
.section .rodata
.balign 64
.Lgammas:
.set .Lcv_i, 64
.rept 64
    zeta        .Lcv_i
    .4byte (.Lcv_z + MODULUS) % MODULUS, (MODULUS - .Lcv_z) % MODULUS
    .set .Lcv_i, .Lcv_i + 1
.endr

.section .note.GNU-stack, "", @progbits

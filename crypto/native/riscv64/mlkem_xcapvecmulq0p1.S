/* ML-KEM: the number-theoretic transform, its inverse, and products (FIPS 203, 4.3). Needs: V, Xcapvecmulq 0.1. VLEN at
 * least 128. */
#include "mlkem_ntt.h"
#define SEW e16
#include "vmulq.h"

.macro set_zeta to, k, times=1
    reduced_zeta \k, \times
    li          \to, .Lcv_z
.endm

.macro butterfly_x k, a, b
    set_zeta    Z, \k
    vmulq.vx    L, \b, Z
    vsub.vv     \b, \a, L
    vadd.vv     \a, \a, L
.endm

/* 7 q more in the half to which the products are added, and so in all results, keep seven layers of differences positive; sums
 * stay below 4096 + 14 q = 50702. */
.macro forward_columns l1, l2, l4, r0, r1, r2, r3, r4, r5, r6, r7
    vsetvli     Z, zero, e16, \l4, ta, ma
    li          W, 7 * MODULUS
    vadd.vx     \r0, \r0, W
    butterfly_x 1, \r0, \r4
    vsetvli     Z, zero, e16, \l2, ta, ma
    butterfly_x 2, \r0, \r2
    butterfly_x 3, \r4, \r6
    vsetvli     Z, zero, e16, \l1, ta, ma
    butterfly_x 4, \r0, \r1
    butterfly_x 5, \r2, \r3
    butterfly_x 6, \r4, \r5
    butterfly_x 7, \r6, \r7
.endm

.macro forward_blocks
    next_four   m4
    butterfly_v v0, v8, v16
    butterfly_v v4, v12, v16
    next_four   m4
    butterfly_v v0, v4, v16
    next_four   m4
    butterfly_v v8, v12, v16
    next_four   m2
    butterfly_v v0, v2, v16
    butterfly_v v4, v6, v18
    next_four   m2
    butterfly_v v8, v10, v16
    butterfly_v v12, v14, v18
    next_four   m1
    butterfly_v v0, v1, v16
    butterfly_v v2, v3, v17
    butterfly_v v4, v5, v18
    butterfly_v v6, v7, v19
    next_four   m1
    butterfly_v v8, v9, v16
    butterfly_v v10, v11, v17
    butterfly_v v12, v13, v18
    butterfly_v v14, v15, v19
    vsetvli     Z, zero, e16, m8, ta, ma
    li          Z, 1
    vmulq.vx    v0, v0, Z
    vmulq.vx    v8, v8, Z
.endm

/* void cv_mlkem_ntt_xcapvecmulq0p1(uint16_t f[256]) */
cv_function cv_mlkem_ntt_xcapvecmulq0p1
    all_columns forward_columns
    blocks      forward_blocks, .Lforward, 7*16
    cv_return
cv_end cv_mlkem_ntt_xcapvecmulq0p1

.macro inverse_x k, a, b, times=1
    set_zeta    Z, \k, 2*\times
    set_zeta    W, \k, (MODULUS-\times)
    vadd.vv     \a, \a, \b
    vmulq.vx    \b, \b, Z
    vmacq.vx    \b, W, \a
.endm

/* Sums of 16 reduced numbers are below 2^16. They are reduced at the end. */
.macro inverse_blocks
    next_zetas  m1
    inverse_v   v0, v1, v16, v20
    inverse_v   v2, v3, v17, v21
    inverse_v   v4, v5, v18, v22
    inverse_v   v6, v7, v19, v23
    next_zetas  m1
    inverse_v   v8, v9, v16, v20
    inverse_v   v10, v11, v17, v21
    inverse_v   v12, v13, v18, v22
    inverse_v   v14, v15, v19, v23
    next_zetas  m2
    inverse_v   v0, v2, v16, v20
    inverse_v   v4, v6, v18, v22
    next_zetas  m2
    inverse_v   v8, v10, v16, v20
    inverse_v   v12, v14, v18, v22
    next_zetas  m4
    inverse_v   v0, v4, v16, v20
    next_zetas  m4
    inverse_v   v8, v12, v16, v20
    next_zetas  m4
    inverse_v   v0, v8, v16, v20
    inverse_v   v4, v12, v16, v20
    vsetvli     Z, zero, e16, m8, ta, ma
    li          Z, 1
    vmulq.vx    v0, v0, Z
.endm

/* Sums of eight. The last layer includes the division by 128. */
.macro inverse_columns l1, l2, l4, r0, r1, r2, r3, r4, r5, r6, r7
    vsetvli     Z, zero, e16, \l1, ta, ma
    inverse_x   7, \r0, \r1
    inverse_x   6, \r2, \r3
    inverse_x   5, \r4, \r5
    inverse_x   4, \r6, \r7
    vsetvli     Z, zero, e16, \l2, ta, ma
    inverse_x   3, \r0, \r2
    inverse_x   2, \r4, \r6
    vsetvli     Z, zero, e16, \l4, ta, ma
    inverse_x   1, \r0, \r4, SCALE
    li          Z, SCALE
    vmulq.vx    \r0, \r0, Z
.endm

/* void cv_mlkem_inverse_xcapvecmulq0p1(uint16_t f[256]) */
cv_function cv_mlkem_inverse_xcapvecmulq0p1
    blocks      inverse_blocks, .Linverse
    all_columns inverse_columns
    cv_return
cv_end cv_mlkem_inverse_xcapvecmulq0p1

#undef F
#undef STRIDE
#undef COUNT
#undef LEFT
#define H       a0
#define F       a1
#define STEP    a2
#define G       a3
#define K       a4
#define LEFT    a5
#define GAMMA   a6
#define COUNT   t0
#define F_AT    t1
#define G_AT    t2
#define K_LEFT  t3
#define SIZE    t5
/* Constant and linear terms. */
#define F0      v0
#define F1      v4
#define G0      v8
#define G1      v12
#define CONST   v16
#define LINEAR  v20
#define SQUARE  v24

/* void cv_mlkem_multiply_xcapvecmulq0p1(uint16_t h[256], const uint16_t *f, size_t step, const uint16_t *g, size_t k) */
cv_function cv_mlkem_multiply_xcapvecmulq0p1
    li          LEFT, 128
    lla         GAMMA, .Lgammas
    slli        STEP, STEP, 1
1:  vsetvli     COUNT, LEFT, e16, m4, ta, ma
    mv          F_AT, F
    mv          G_AT, G
    addi        K_LEFT, K, -1
    vlseg2e16.v F0, (F_AT)
    vlseg2e16.v G0, (G_AT)
    vmulq.vv    CONST, F0, G0
    vmulq.vv    SQUARE, F1, G1
    vmulq.vv    LINEAR, F0, G1
    vmacq.vv    LINEAR, F1, G0
    beqz        K_LEFT, 3f
2:  add         F_AT, F_AT, STEP
    addi        G_AT, G_AT, 512
    vlseg2e16.v F0, (F_AT)
    vlseg2e16.v G0, (G_AT)
    addi        K_LEFT, K_LEFT, -1
    vmacq.vv    CONST, F0, G0
    vmacq.vv    SQUARE, F1, G1
    vmacq.vv    LINEAR, F0, G1
    vmacq.vv    LINEAR, F1, G0
    bnez        K_LEFT, 2b
3:  vle16.v     F0, (GAMMA)
    vmacq.vv    CONST, SQUARE, F0
    vsseg2e16.v CONST, (H)
    slli        SIZE, COUNT, 1
    add         GAMMA, GAMMA, SIZE
    slli        SIZE, COUNT, 2
    add         H, H, SIZE
    add         F, F, SIZE
    add         G, G, SIZE
    sub         LEFT, LEFT, COUNT
    bnez        LEFT, 1b
    cv_return
cv_end cv_mlkem_multiply_xcapvecmulq0p1

.section .rodata
.balign 64
/* 17^(2 BitRev7(i) + 1) modulo q (appendix A). */
.Lgammas:
.set .Lcv_i, 64
.rept 64
    reduced_zeta .Lcv_i
    .2byte .Lcv_z, MODULUS - .Lcv_z
    .set .Lcv_i, .Lcv_i + 1
.endr
.balign 4

/* Each number is there twice, since coefficients come in pairs. */
.Lforward:
.irp block, 0,1,2,3,4,5,6,7
    words       0x10001, 1, 8+\block, 8+\block, 8+\block, 8+\block
    .irp i, 0,1
    words       0x10001, 1, 16+2*\block+\i, 16+2*\block+\i, 16+2*\block+\i, 16+2*\block+\i
    .endr
    .irp i, 0,2
    words       0x10001, 1, 32+4*\block+\i, 32+4*\block+\i, 33+4*\block+\i, 33+4*\block+\i
    .endr
    .irp i, 0,4
    words       0x10001, 1, 64+8*\block+\i, 65+8*\block+\i, 66+8*\block+\i, 67+8*\block+\i
    .endr
.endr
.Linverse:
.irp block, 0,1,2,3,4,5,6,7
    .irp i, 0,4
    both_words  0x10001, 127-8*\block-\i, 126-8*\block-\i, 125-8*\block-\i, 124-8*\block-\i
    .endr
    .irp i, 0,2
    both_words  0x10001, 63-4*\block-\i, 63-4*\block-\i, 62-4*\block-\i, 62-4*\block-\i
    .endr
    .irp i, 0,1
    both_words  0x10001, 31-2*\block-\i, 31-2*\block-\i, 31-2*\block-\i, 31-2*\block-\i
    .endr
    both_words  0x10001, 15-\block, 15-\block, 15-\block, 15-\block
.endr

.section .note.GNU-stack, "", @progbits

/* ML-DSA: the number-theoretic transform, its inverse (FIPS 204, 7.5), and products. Needs: V, Xcapvecmulq 0.1. VLEN at
 * least 128. */
#include "mldsa_ntt.h"
#define SEW e32
#include "vmulq.h"

.macro butterfly_x k, a, b
    lw          Z, 4 * (\k)(TABLE)
    vmulq.vx    L, \b, Z
    vsub.vv     \b, \a, L
    vadd.vv     \a, \a, L
.endm

/* 8 q more in the half to which the products are added, and so in all results, keep eight layers of differences positive. */
.macro forward_columns
    vsetvli     Z, zero, e32, m8, ta, ma
    li          Z, 8 * MODULUS
    vadd.vx     v0, v0, Z
    butterfly_x 1, v0, v8
    vsetvli     Z, zero, e32, m4, ta, ma
    butterfly_x 2, v0, v4
    butterfly_x 3, v8, v12
    vsetvli     Z, zero, e32, m2, ta, ma
    butterfly_x 4, v0, v2
    butterfly_x 5, v4, v6
    butterfly_x 6, v8, v10
    butterfly_x 7, v12, v14
    vsetvli     Z, zero, e32, m1, ta, ma
    butterfly_x 8, v0, v1
    butterfly_x 9, v2, v3
    butterfly_x 10, v4, v5
    butterfly_x 11, v6, v7
    butterfly_x 12, v8, v9
    butterfly_x 13, v10, v11
    butterfly_x 14, v12, v13
    butterfly_x 15, v14, v15
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
    vsetvli     Z, zero, e32, m8, ta, ma
    li          Z, 1
    vmulq.vx    v0, v0, Z
    vmulq.vx    v8, v8, Z
.endm

/* void cv_mldsa_ntt_xcapvecmulq0p1(uint32_t f[256]) */
cv_function cv_mldsa_ntt_xcapvecmulq0p1
    columns     forward_columns
    blocks      forward_blocks, .Lforward, 7*16
    cv_return
cv_end cv_mldsa_ntt_xcapvecmulq0p1

.macro inverse_x k, a, b
    lw          Z, 8 * (\k)(TABLE)
    lw          W, 8 * (\k) + 4(TABLE)
    vadd.vv     \a, \a, \b
    vmulq.vx    \b, \b, Z
    vmacq.vx    \b, W, \a
.endm

/* Sums of 256 reduced numbers are below 2^32, so none needs to be reduced before the end. */
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
.endm

/* The last layer includes the division by 256: 8347681 = 1 / 256. */
.macro inverse_columns
    vsetvli     Z, zero, e32, m1, ta, ma
    inverse_x   15, v0, v1
    inverse_x   14, v2, v3
    inverse_x   13, v4, v5
    inverse_x   12, v6, v7
    inverse_x   11, v8, v9
    inverse_x   10, v10, v11
    inverse_x   9, v12, v13
    inverse_x   8, v14, v15
    vsetvli     Z, zero, e32, m2, ta, ma
    inverse_x   7, v0, v2
    inverse_x   6, v4, v6
    inverse_x   5, v8, v10
    inverse_x   4, v12, v14
    vsetvli     Z, zero, e32, m4, ta, ma
    inverse_x   3, v0, v4
    inverse_x   2, v8, v12
    vsetvli     Z, zero, e32, m8, ta, ma
    inverse_x   1, v0, v8
    lw          Z, (TABLE)
    vmulq.vx    v0, v0, Z
.endm

/* void cv_mldsa_inverse_xcapvecmulq0p1(uint32_t f[256]) */
cv_function cv_mldsa_inverse_xcapvecmulq0p1
    blocks      inverse_blocks, .Linverse
    columns     inverse_columns, .Linverse_rows
    cv_return
cv_end cv_mldsa_inverse_xcapvecmulq0p1

#undef F
#undef AT
#undef COUNT
#undef LEFT
#define H       a0
#define F       a1
#define G       a2
#define TERMS   a3
#define LEFT    a4
#define COUNT   a5
#define F_AT    t0
#define G_AT    t1
#define AT      t2

/* void cv_mldsa_multiply_xcapvecmulq0p1(uint32_t h[256], const uint32_t *f, const uint32_t *g, size_t n) */
cv_function cv_mldsa_multiply_xcapvecmulq0p1
    li          LEFT, 256
1:  vsetvli     COUNT, LEFT, e32, m8, ta, ma
    vle32.v     v0, (F)
    vle32.v     v8, (G)
    slli        AT, TERMS, 10
    addi        F_AT, F, 1024
    addi        G_AT, G, 1024
    add         AT, AT, F
    vmulq.vv    v16, v0, v8
    beq         F_AT, AT, 3f
2:  vle32.v     v0, (F_AT)
    vle32.v     v8, (G_AT)
    addi        F_AT, F_AT, 1024
    addi        G_AT, G_AT, 1024
    vmacq.vv    v16, v0, v8
    bne         F_AT, AT, 2b
3:  vse32.v     v16, (H)
    slli        AT, COUNT, 2
    add         H, H, AT
    add         F, F, AT
    add         G, G, AT
    sub         LEFT, LEFT, COUNT
    bnez        LEFT, 1b
    cv_return
cv_end cv_mldsa_multiply_xcapvecmulq0p1

.section .rodata
.balign 64
/* Zetas of the layers of rows; for the inverse, 2 z and -z, but first 1 / 256, and over 256 for the last layer. */
.Lrows:
    words       1, 1, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
.Linverse_rows:
    words       1, 8347681, 0, 0
    words       1, 2*8347681, 1
    words       1, (MODULUS-8347681), 1
.irp k, 2,3,4,5,6,7,8,9,10,11,12,13,14,15
    both_words  1, \k
.endr
.Lforward:
.irp block, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    words       1, 1, 16+\block, 16+\block, 16+\block, 16+\block
    .irp i, 0,1
    words       1, 1, 32+2*\block+\i, 32+2*\block+\i, 32+2*\block+\i, 32+2*\block+\i
    .endr
    .irp i, 0,2
    words       1, 1, 64+4*\block+\i, 64+4*\block+\i, 65+4*\block+\i, 65+4*\block+\i
    .endr
    .irp i, 0,4
    words       1, 1, 128+8*\block+\i, 129+8*\block+\i, 130+8*\block+\i, 131+8*\block+\i
    .endr
.endr
.Linverse:
.irp block, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    .irp i, 0,4
    both_words  1, 255-8*\block-\i, 254-8*\block-\i, 253-8*\block-\i, 252-8*\block-\i
    .endr
    .irp i, 0,2
    both_words  1, 127-4*\block-\i, 127-4*\block-\i, 126-4*\block-\i, 126-4*\block-\i
    .endr
    .irp i, 0,1
    both_words  1, 63-2*\block-\i, 63-2*\block-\i, 63-2*\block-\i, 63-2*\block-\i
    .endr
    both_words  1, 31-\block, 31-\block, 31-\block, 31-\block
.endr

.section .note.GNU-stack, "", @progbits

/* ML-KEM: the number-theoretic transform and its inverse (FIPS 203, 4.3). Needs: V. VLEN at least 128.
 *
 * Products with a constant z: let w be 2^16 z / q, rounded, and h the high half of b w for a signed b. Then h is at most
 * b z / q + |b| / 2^17, and more than b z / q - 1 - |b| / 2^17. So b z - q h is from -|b| q / 2^17 to q + |b| q / 2^17, and
 * the low 16 bits of both products suffice to compute it. */
#include "mlkem_ntt.h"

/* a + b z and a - b z. */
.macro butterfly mul, mulh, l, a, b, z, w
    \mul        \l, \b, \z
    \mulh       \b, \b, \w
    vnmsac.vx   \l, Q, \b
    vsub.vv     \b, \a, \l
    vadd.vv     \a, \a, \l
.endm

.macro butterfly_v a, b, z, w
    butterfly   vmul.vv, vmulh.vv, T, \a, \b, \z, \w
.endm

.macro butterfly_x k, a, b
    load_zeta   Z, W, \k
    butterfly   vmul.vx, vmulh.vx, L, \a, \b, Z, W
.endm

/* Small numbers grow to at most 7422, 10736, 14300: these bounds and those below are exact, except that they do not consider how
 * coefficients depend on each other (crypto/test/guest/bounds_mlkem.c). */
.macro forward_columns l1, l2, l4, r0, r1, r2, r3, r4, r5, r6, r7
    vsetvli     Z, zero, e16, \l4, ta, ma
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

/* To 17627, 21109, 24821 and 28139; with 10 q more, these are from 9128 to 61429. The integer part of 19 / 2^16 times
 * that is at most 1.65 less than the quotient by q. */
.macro forward_blocks
    next_zetas  m4
    butterfly_v v0, v8, v16, v20
    butterfly_v v4, v12, v16, v20
    next_zetas  m4
    butterfly_v v0, v4, v16, v20
    next_zetas  m4
    butterfly_v v8, v12, v16, v20
    next_zetas  m2
    butterfly_v v0, v2, v16, v20
    butterfly_v v4, v6, v18, v22
    next_zetas  m2
    butterfly_v v8, v10, v16, v20
    butterfly_v v12, v14, v18, v22
    next_zetas  m1
    butterfly_v v0, v1, v16, v20
    butterfly_v v2, v3, v17, v21
    butterfly_v v4, v5, v18, v22
    butterfly_v v6, v7, v19, v23
    next_zetas  m1
    butterfly_v v8, v9, v16, v20
    butterfly_v v10, v11, v17, v21
    butterfly_v v12, v13, v18, v22
    butterfly_v v14, v15, v19, v23
    vsetvli     Z, zero, e16, m8, ta, ma
    li          Z, NTT_OFFSET - 65536
    li          W, NTT_QUOTIENT
    .irp group, v0,v8
    vadd.vx     \group, \group, Z
    vmulhu.vx   L, \group, W
    vnmsac.vx   \group, Q, L
    cv_subtract_once \group, Q, L, 16
    .endr
.endm

/* void cv_mlkem_ntt_v(uint16_t f[256]) */
cv_function cv_mlkem_ntt_v
    li          Q, MODULUS
    all_columns forward_columns
    blocks      forward_blocks, .Lforward
    cv_return
cv_end cv_mlkem_ntt_v

/* a + b and (b - a) z. */
.macro inverse_butterfly mul, mulh, l, a, b, z, w
    vsub.vv     \l, \b, \a
    vadd.vv     \a, \a, \b
    \mul        \b, \l, \z
    \mulh       \l, \l, \w
    vnmsac.vx   \b, Q, \l
.endm

.macro inverse_v a, b, z, w
    inverse_butterfly vmul.vv, vmulh.vv, T, \a, \b, \z, \w
.endm

.macro inverse_x k, a, b
    load_zeta   Z, W, \k
    inverse_butterfly vmul.vx, vmulh.vx, L, \a, \b, Z, W
.endm

/* The product with 1: 2^16 / q is nearly 20, so numbers of at most 26624 in absolute value become numbers from -0.13 q to
 * 1.13 q. */
.macro reduce groups:vararg
    li          Z, INVERSE_QUOTIENT
    .irp group, \groups
    vmulh.vx    L, \group, Z
    vnmsac.vx   \group, Q, L
    .endr
.endm

/* Reduced numbers grow to 6656, 13312 and 26624. These become numbers from -417 to 3328, and then at most 6656. */
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
    vsetvli     Z, zero, e16, m8, ta, ma
    reduce      v0, v8
    next_zetas  m4
    inverse_v   v0, v8, v16, v20
    inverse_v   v4, v12, v16, v20
.endm

/* x z modulo q for 17^64 or 1 over 128, and x from 0 to 4 q: the quotient by w, rounded down, is at most 1 too small. */
.macro scale to, x, z
    li          Z, \z
    li          W, 65536 * \z / MODULUS
    vmulhu.vx   T, \x, W
    vmul.vx     \to, \x, Z
    vnmsac.vx   \to, Q, T
    cv_subtract_once \to, Q, T, 16
.endm

/* To 13312 and 26624, then reduced to numbers from -417 to 3381. For the last layer, sums are from -0.22 q to 2.04 q, differences
 * from -1.13 q to 1.13 q. */
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
    reduce      \r0, \r4
    vsub.vv     L, \r4, \r0
    vadd.vv     \r0, \r0, \r4
    li          Z, SUM_OFFSET
    li          W, DIFFERENCE_OFFSET
    vadd.vx     \r0, \r0, Z
    vadd.vx     L, L, W
    scale       \r0, \r0, SCALE
    scale       \r4, L, SCALED_ZETA
.endm

/* void cv_mlkem_inverse_v(uint16_t f[256]) */
cv_function cv_mlkem_inverse_v
    li          Q, MODULUS
    blocks      inverse_blocks, .Linverse
    all_columns inverse_columns
    cv_return
cv_end cv_mlkem_inverse_v

.section .rodata
.balign 64
.Lforward:
.irp block, 0,1,2,3,4,5,6,7
    zeta_words  8+\block, 8+\block, 8+\block, 8+\block
    .irp i, 0,1
    zeta_words  16+2*\block+\i, 16+2*\block+\i, 16+2*\block+\i, 16+2*\block+\i
    .endr
    .irp i, 0,2
    zeta_words  32+4*\block+\i, 32+4*\block+\i, 33+4*\block+\i, 33+4*\block+\i
    .endr
    .irp i, 0,4
    zeta_words  64+8*\block+\i, 65+8*\block+\i, 66+8*\block+\i, 67+8*\block+\i
    .endr
.endr
.Linverse:
.irp block, 0,1,2,3,4,5,6,7
    .irp i, 0,4
    zeta_words  127-8*\block-\i, 126-8*\block-\i, 125-8*\block-\i, 124-8*\block-\i
    .endr
    .irp i, 0,2
    zeta_words  63-4*\block-\i, 63-4*\block-\i, 62-4*\block-\i, 62-4*\block-\i
    .endr
    .irp i, 0,1
    zeta_words  31-2*\block-\i, 31-2*\block-\i, 31-2*\block-\i, 31-2*\block-\i
    .endr
    zeta_words  15-\block, 15-\block, 15-\block, 15-\block
.endr

.section .note.GNU-stack, "", @progbits

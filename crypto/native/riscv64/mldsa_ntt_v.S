/* ML-DSA: the number-theoretic transform and its inverse (FIPS 204, 7.5). Needs: V. VLEN at least 128.
 *
 * Layers that combine coefficients 128, 64, 32 and 16 apart see the polynomial as 16 rows of 16 columns, with row i in
 * vi. The others see it as 16 blocks of 16 coefficients, with coefficient i of each block in vi. A register has as many
 * columns or blocks as fit; what longer registers compute beyond these is not used.
 *
 * Products with a constant z: for w = 2^32 z / q, rounded, and any signed b, the high half of b w is at most b z / q plus
 * |b| / 2^33, and more than that minus 1 and |b| / 2^33. So b z minus q times that is from -|b| q / 2^33 to
 * q + |b| q / 2^33, and the low 32 bits suffice to compute it. For |b| below 17 q, |b| q / 2^33 is below q / 60. */
#include "mldsa_ntt.h"

/* Four butterflies with a zeta of their own each. */
.macro four kind, a0, b0, a1, b1, a2, b2, a3, b3
    next_zetas  m1
    \kind       \a0, \b0, v16, v20
    \kind       \a1, \b1, v17, v21
    \kind       \a2, \b2, v18, v22
    \kind       \a3, \b3, v19, v23
.endm

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

/* Zeta k and its `w`. */
.macro load_zeta k
    lw          Z, 8 * (\k)(TABLE)
    lw          W, 8 * (\k) + 4(TABLE)
.endm

.macro butterfly_x k, a, b
    load_zeta   \k
    butterfly   vmul.vx, vmulh.vx, L, \a, \b, Z, W
.endm

.macro forward_columns
    vsetvli     Z, zero, e32, m8, ta, ma
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

/* crypto/test/guest/bounds_mldsa.c checks these bounds and those below. Each of eight layers adds or subtracts at most q and
 * q / 60, so reduced numbers grow to numbers from -8.2 q to 9.2 q; with 9 q more, these are from 0 to 18.2 q. Their quotient by
 * 2^23 is at most 0.02 less than that by q. */
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
    four        butterfly_v, v0, v1, v2, v3, v4, v5, v6, v7
    four        butterfly_v, v8, v9, v10, v11, v12, v13, v14, v15
    vsetvli     Z, zero, e32, m8, ta, ma
    li          Z, NTT_OFFSET
    .irp group, v0,v8
    vadd.vx     \group, \group, Z
    vsrl.vi     L, \group, QUOTIENT_BITS
    vnmsac.vx   \group, Q, L
    cv_subtract_once \group, Q, L, 32
    .endr
.endm

/* void cv_mldsa_ntt_v(uint32_t f[256]) */
cv_function cv_mldsa_ntt_v
    li          Q, MODULUS
    columns     forward_columns
    blocks      forward_blocks, .Lforward
    cv_return
cv_end cv_mldsa_ntt_v

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
    load_zeta   \k
    inverse_butterfly vmul.vx, vmulh.vx, L, \a, \b, Z, W
.endm

/* Sums of 16 are below 16.2 q; a product, and so a sum, is above -q / 7. The quotient by 2^23 leaves numbers from 0 to
 * 1.02 q. */
.macro inverse_blocks
    four        inverse_v, v0, v1, v2, v3, v4, v5, v6, v7
    four        inverse_v, v8, v9, v10, v11, v12, v13, v14, v15
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
    vsetvli     Z, zero, e32, m8, ta, ma
    .irp group, v0,v8
    vsra.vi     L, \group, QUOTIENT_BITS
    vnmsac.vx   \group, Q, L
    .endr
.endm

/* x z modulo q, where z is positive, for x from 0 to 18 q: the quotient by w, rounded down, is at most 1.04 too small. */
.macro scale x, k, a
    zeta        \k, \a
    li          Z, (.Lcv_z + MODULUS) % MODULUS
    li          W, (.Lcv_z + MODULUS) % MODULUS * 0x100000000 / MODULUS
    vmulhu.vx   T, \x, W
    vmul.vx     \x, \x, Z
    vnmsac.vx   \x, Q, T
    cv_subtract_once \x, Q, T, 32
.endm

/* After three layers numbers are from -q / 10 to 8.3 q, so sums and differences in the last one, which includes the
 * division by 256, are from -q / 5 to 16.6 q and from -8.4 q to 8.4 q. */
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
    vsub.vv     L, v8, v0
    vadd.vv     v0, v0, v8
    li          Z, SUM_OFFSET
    li          W, DIFFERENCE_OFFSET
    vadd.vx     v0, v0, Z
    vadd.vx     v8, L, W
    scale       v0, 0, SCALE
    scale       v8, 1, SCALE
.endm

/* void cv_mldsa_inverse_v(uint32_t f[256]) */
cv_function cv_mldsa_inverse_v
    li          Q, MODULUS
    blocks      inverse_blocks, .Linverse
    columns     inverse_columns
    cv_return
cv_end cv_mldsa_inverse_v

.section .rodata
.balign 64
/* Zetas of the layers of rows, and their `w`. */
.Lrows:
.irp k, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    zeta        \k
    .4byte .Lcv_z & 0xffffffff, .Lcv_w & 0xffffffff
.endr
.Lforward:
.irp block, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    zeta_words  16+\block, 16+\block, 16+\block, 16+\block
    .irp i, 0,1
    zeta_words  32+2*\block+\i, 32+2*\block+\i, 32+2*\block+\i, 32+2*\block+\i
    .endr
    .irp i, 0,2
    zeta_words  64+4*\block+\i, 64+4*\block+\i, 65+4*\block+\i, 65+4*\block+\i
    .endr
    .irp i, 0,4
    zeta_words  128+8*\block+\i, 129+8*\block+\i, 130+8*\block+\i, 131+8*\block+\i
    .endr
.endr
.Linverse:
.irp block, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    .irp i, 0,4
    zeta_words  255-8*\block-\i, 254-8*\block-\i, 253-8*\block-\i, 252-8*\block-\i
    .endr
    .irp i, 0,2
    zeta_words  127-4*\block-\i, 127-4*\block-\i, 126-4*\block-\i, 126-4*\block-\i
    .endr
    .irp i, 0,1
    zeta_words  63-2*\block-\i, 63-2*\block-\i, 63-2*\block-\i, 63-2*\block-\i
    .endr
    zeta_words  31-\block, 31-\block, 31-\block, 31-\block
.endr

.section .note.GNU-stack, "", @progbits

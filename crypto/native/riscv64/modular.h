/* Arithmetic modulo q, and tests of masks, by instructions whose time does not depend on data. Zvkt does not list
 * minima, reductions, vcompress or vcpop, so kernels use these on public data only, and say why it is public. */
#ifndef CV_MODULAR_H
#define CV_MODULAR_H

#include "vector.h"

/* x + q if x, a signed number of `bits` bits, is negative. */
.macro cv_add_if_negative x, q, t, bits
    vsrl.vi     \t, \x, \bits - 1
    vmacc.vx    \x, \q, \t
.endm

/* x modulo q, for x below 2 q. */
.macro cv_subtract_once x, q, t, bits
    vsub.vx     \x, \x, \q
    cv_add_if_negative \x, \q, \t, \bits
.endm

/* `to` becomes 1 if any of the first `n` bits of `mask` is set, otherwise 0. `n` is not 0, and a multiple of 64 if it is
 * more than that. Clobbers `mask`, `n`, t0 and vl. */
.macro cv_any_bit to, mask, n
    vsetvli     t0, zero, e64, m1, ta, ma
    li          \to, 0
.Lword\@:
    vmv.x.s     t0, \mask
    addi        \n, \n, -64
    bgez        \n, .Lwhole\@
    neg         \n, \n
    sll         t0, t0, \n
    li          \n, 0
.Lwhole\@:
    or          \to, \to, t0
    vslide1down.vx \mask, \mask, zero
    bnez        \n, .Lword\@
    snez        \to, \to
.endm

#endif

/* Tweaks of XTS by multiplication in GHASH's field. Needs: V, Zvkg; Zvkb where they are reversed.
 *
 * GB/T 17964 has the field of GHASH; IEEE 1619 has it with the bits in each byte reversed. */
#ifndef CV_XTS_ZVKG_H
#define CV_XTS_ZVKG_H

#define TURNED  1
#include "xts.h"

#define POWER   v28     /* x^n in every lane */

/* Jumps to `shifts`, a function that computes the tweaks by shifts, if there are at least a quarter as many blocks as
 * lanes, but less than twice as many: there, doubling costs as much as for a long message, and few steps share the cost.
 * On the models of cores/ at their VLEN, multiplication would take up to 1.34 times the cycles there, and at least
 * 0.91. Clobbers t0, t1, STEP. */
.macro few_by_shifts shifts
    csrr        t0, 0xc22   /* vlenb; the lanes of four registers are a quarter of it */
    slli        t1, BLOCKS, 4
    sub         t1, t1, t0
    slli        STEP, t0, 3
    sub         STEP, STEP, t0
    bgeu        t1, STEP, .Lmultiply\@
    j           \shifts
.Lmultiply\@:
.endm

/* For `xts`; also sets POWER = x^n, where n is the number of lanes, or a power of two above `blocks`. x is 0x40 in byte
 * 0. Lanes are doubled: lanes k ... 2 k - 1 are lanes 0 ... k - 1 times x^k. Clobbers t0, t1, MASK. */
.macro begin_zvkg step, blocks, ieee
    srli        t1, \step, 2
    slli        t0, \blocks, 2
    li          LANES, 4
.Lmore\@:
    slli        LANES, LANES, 1
    bgeu        LANES, t1, .Lenough\@
    bgeu        t0, LANES, .Lmore\@
    mv          t1, LANES
.Lenough\@:
    mv          LANES, t1
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     TWEAKS, (TWEAK)
    turn        TWEAKS, TWEAKS, \ieee
    vsetvli     zero, LANES, e32, m4, ta, ma
    vid.v       POWER
    vand.vi     POWER, POWER, 3
    vmsne.vi    v0, POWER, 0
    li          t0, 0x40
    vmv.v.x     POWER, t0
    vmerge.vim  POWER, POWER, 0, v0
    li          t0, 4
.Ldouble\@:
    vmv.v.v     MASK, TWEAKS
    vgmul.vv    MASK, POWER
    vslideup.vx TWEAKS, MASK, t0
    vgmul.vv    POWER, POWER
    slli        t0, t0, 1
    bltu        t0, LANES, .Ldouble\@
.endm

.macro next_zvkg
    vgmul.vv    TWEAKS, POWER
.endm

#endif

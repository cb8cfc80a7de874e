/* GHASH in vector registers. Needs: V, Zvkg.
 *
 * Of n lanes, n a power of two, lane j processes blocks j, j + n, j + 2 n ... A step is A = (A + X) H^n, which is
 * vghsh; the blocks of the last step are only added. A partial step comes first, preceded by blocks of zeros, which
 * have no effect. At the end the hash is the sum of A[j] H^(n - j). */
#ifndef CV_GHASH_H
#define CV_GHASH_H

#include "vector.h"

/* The number of lanes for `blocks`: what `lmul` registers hold, or the next power of two if that is less.
 * first: blocks of the first step. Clobbers t0, vl, vtype. */
.macro ghash_lanes lanes, first, blocks, lmul
    vsetvli     \lanes, zero, e32, \lmul, ta, ma
    srli        \lanes, \lanes, 2
.Lhalf\@:
    srli        t0, \lanes, 1
    bltu        t0, \blocks, .Lfound\@
    mv          \lanes, t0
    j           .Lhalf\@
.Lfound\@:
    addi        \first, \blocks, -1
    addi        t0, \lanes, -1
    and         \first, \first, t0
    addi        \first, \first, 1
.endm

/* The number of lanes where a lane is costly: at most what `lmul` registers hold and the number of blocks divided by
 * 2^shift, at least one.
 * first: blocks of the first step. Clobbers t0, t1, vl, vtype. */
.macro ghash_few_lanes lanes, first, blocks, lmul, shift
    vsetvli     t0, zero, e32, \lmul, ta, ma
    srli        t0, t0, 2
    li          \lanes, 1
    srli        t1, \blocks, \shift + 1
    j           .Ltest\@
.Lmore\@:
    slli        \lanes, \lanes, 1
    srli        t1, t1, 1
.Ltest\@:
    beqz        t1, .Lfound\@
    bltu        \lanes, t0, .Lmore\@
.Lfound\@:
    addi        \first, \blocks, -1
    addi        t0, \lanes, -1
    and         \first, \first, t0
    addi        \first, \first, 1
.endm

/* Every lane of `out` = the block at `ptr`, which is aligned to 4. `lane`, `index`: first registers of clobbered
 * groups; `index` may be `lane` with a smaller group. Sets vl to `lanes`. Clobbers t0. */
.macro ghash_broadcast out, lane, index, ptr, lanes, lmul
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     \lane, (\ptr)
    slli        t0, \lanes, 2
    vsetvli     zero, t0, e32, \lmul, ta, ma
    vid.v       \index
    vand.vi     \index, \index, 3
    vrgather.vv \out, \lane, \index
.endm

/* power = power^lanes. Clobbers t0. */
.macro ghash_raise power, lanes
    srli        t0, \lanes, 1
    beqz        t0, .Ldone\@
.Lnext\@:
    vgmul.vv    \power, \power
    srli        t0, t0, 1
    bnez        t0, .Lnext\@
.Ldone\@:
.endm

/* `out` = zeros, then the `first` blocks of `in`, with the hash at `y` added to the first of them. Clobbers `temp`. vl
 * is that of all lanes, before and after. Clobbers t0, t1, vtype. */
.macro ghash_begin out, in, temp, y, first, lanes, lmul
    vsetivli    zero, 4, e32, m1, tu, ma
    vle32.v     \temp, (\y)
    vxor.vv     \in, \in, \temp
    slli        t0, \lanes, 2
    vsetvli     zero, t0, e32, \lmul, ta, ma
    slli        t1, \first, 2
    sub         t0, t0, t1
    vmv.v.i     \out, 0
    vslideup.vx \out, \in, t0
.endm

/* The hash, stored at `y`, from the accumulator, whose lanes are combined in pairs, A[j] H^m + A[j + m] for m = 1, 2, 4
 * ... n / 2, and then multiplied by H. `power` holds H in every lane, or, with Zvkgs (`scalar`), in its first. Clobbers
 * power, temp, t0, lanes, vl, vtype. */
.macro ghash_end acc, power, temp, y, h, lanes, scalar=0
    slli        \lanes, \lanes, 2
    li          t0, 4
    bgeu        t0, \lanes, .Ljoined\@
.Lnext\@:
    vslidedown.vx \temp, \acc, t0
    .if \scalar
    vgmul.vs    \acc, \power
    .else
    vgmul.vv    \acc, \power
    .endif
    slli        t0, t0, 1
    vgmul.vv    \power, \power
    vxor.vv     \acc, \acc, \temp
    bltu        t0, \lanes, .Lnext\@
.Ljoined\@:
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     \temp, (\h)
    vgmul.vv    \acc, \temp
    vse32.v     \acc, (\y)
.endm

#endif

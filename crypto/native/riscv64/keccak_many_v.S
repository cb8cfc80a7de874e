/* Keccak-f[1600] of many states. Needs: V. VLEN at least 128. */

/* Immediates are below 32, so one of the two shifts uses a register: that by the larger of n and 64 - n. */
#define BY36    t0
#define BY37    t4
#define BY39    t5
#define BY41    t6
#define BY43    a7
#define BY44    s0
#define BY45    s1
#define BY46    s2
#define BY49    s3
#define BY50    s4
#define BY54    s5
#define BY55    s6
#define BY56    s7
#define BY58    s8
#define BY61    s9
#define BY62    s10
#define BY63    s11

#include "keccak_lanes.h"

/* By one bit without scratch registers, since theta has none. */
.macro rotate to, from, n, by
    .if \n == 1
    vsrl.vx     \to, \from, \by
    vadd.vv     \to, \to, \from
    vadd.vv     \to, \to, \from
    .else
    .if \n < 32
    vsll.vi     \to, \from, \n
    vsrl.vx     W, \from, \by
    .else
    vsll.vx     \to, \from, \by
    vsrl.vi     W, \from, 64 - \n
    .endif
    vor.vv      \to, \to, W
    .endif
.endm

/* Lanes 1, 2, 8, 12, 17 and 20 are kept as their complements. Theta, rho and pi then produce complements of lanes 0, 2
 * and 3 of the first row, 0 and 2 of the next two, 1, 3 and 4 of the fourth and 0 and 3 of the last; by De Morgan's
 * laws, chi needs one complement for each row instead of five to return to the same six.
 *
 * A row, starting at any of its lanes: l0 ^= l1 o0 l2, l1 ^= l2 o1 l3 and so on, each `o` either vand or vor. `inverse`
 * becomes the complement of `from`, before the remaining uses of l1 and l2; o0 is applied to `x` and `y`. `out3`
 * receives the new `l3`; `t` is scratch, as are U and V. */
.macro chi inverse, from, x, y, o0, o1, o2, o3, o4, l0, l1, l2, l3, l4, out3, t
    \o3\().vv   \t, \l4, \l0
    \o4\().vv   V, \l0, \l1
    vxor.vi     \inverse, \from, -1
    \o0\().vv   U, \x, \y
    vxor.vv     \l0, \l0, U
    \o1\().vv   U, \l2, \l3
    vxor.vv     \l1, \l1, U
    \o2\().vv   U, \l3, \l4
    vxor.vv     \l2, \l2, U
    vxor.vv     \out3, \l3, \t
    vxor.vv     \l4, \l4, V
.endm

.macro keccak_chi
    chi         v13, v13, v13, v14, vand, vor, vand, vor, vand, v12, v13, v14, T, v11, v10, v10
    chi         U, v2, U, v3, vor, vand, vor, vand, vor, v1, v2, v3, v4, v0, v4, T
    chi         U, v9, U, v8, vor, vor, vand, vor, vand, v7, v8, v9, v5, v6, v5, T
    chi         v18, v18, v18, v19, vor, vand, vor, vand, vor, v17, v18, v19, v15, v16, v15, T
    chi         v21, v21, v21, v22, vand, vor, vand, vor, vand, v20, v21, v22, v23, v24, v23, T
.endm

.macro complement lanes:vararg
    .irp lane, \lanes
    vxor.vi     v\lane, v\lane, -1
    .endr
.endm

.macro keccak_in
    complement  1,2,8,12,17,20
.endm

.macro keccak_out
    complement  1,2,8,12,17,20
.endm

.macro keccak_begin
    addi        sp, sp, -96
    cv_each_saved sd, 0
    li          BY36, 36
    li          BY37, 37
    li          BY39, 39
    li          BY41, 41
    li          BY43, 43
    li          BY44, 44
    li          BY45, 45
    li          BY46, 46
    li          BY49, 49
    li          BY50, 50
    li          BY54, 54
    li          BY55, 55
    li          BY56, 56
    li          BY58, 58
    li          BY61, 61
    li          BY62, 62
    li          BY63, 63
.endm

.macro keccak_end
    cv_each_saved ld, 0
    addi        sp, sp, 96
    cv_return
.endm

/* A permutation takes 4692 instructions, a block of 17 lanes 63 more. Additionally clobbers t0, t4 ... t6 and a7. */
keccak_many cv_keccak_many_v

.section .note.GNU-stack, "", @progbits

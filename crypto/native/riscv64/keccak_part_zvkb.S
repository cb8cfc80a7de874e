/* Keccak-f[1600] of fewer states than a register has words: instructions on one register take as much time as there are
 * states. Needs: V, Zvkb. VLEN at least 128. */
#include "keccak_lanes.h"

.macro rotate to, from, n, by
    vror.vi     \to, \from, 64 - \n
.endm

/* 3.2.4 for one row; `out3` receives the new `l3`; `t` is scratch, as are U and V. */
.macro chi l0, l1, l2, l3, l4, out3, t
    vandn.vv    U, \l2, \l1
    vandn.vv    \t, \l0, \l4
    vandn.vv    V, \l1, \l0
    vxor.vv     \l0, \l0, U
    vandn.vv    U, \l3, \l2
    vxor.vv     \l1, \l1, U
    vandn.vv    U, \l4, \l3
    vxor.vv     \l2, \l2, U
    vxor.vv     \out3, \l3, \t
    vxor.vv     \l4, \l4, V
.endm

.macro keccak_chi
    chi         v12, v13, v14, T, v11, v10, v10
    chi         v0, v1, v2, v3, v4, v3, T
    chi         v5, v6, v7, v8, v9, v8, T
    chi         v15, v16, v17, v18, v19, v18, T
    chi         v20, v21, v22, v23, v24, v23, T
.endm

.macro keccak_begin
.endm

.macro keccak_in
.endm

.macro keccak_out
.endm

.macro keccak_end
    cv_return
.endm

/* A permutation takes 3180 instructions, a block of 17 lanes 63 more. */
keccak_many cv_keccak_part_zvkb

.section .note.GNU-stack, "", @progbits

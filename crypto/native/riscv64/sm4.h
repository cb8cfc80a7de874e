/* SM4 in vector registers: all kernels of this family keep the round keys, four to a register, in v1 ... v8. */
#ifndef CV_SM4_H
#define CV_SM4_H

#include "vector.h"

/* Offset of the keys for decryption in cv_block_key. */
#define KEY_DECRYPT 128

/* Clobbers `ptr`, vl, vtype. */
.macro sm4_load_keys ptr
    vsetivli    zero, 4, e32, m1, ta, ma
    .irp r, 1,2,3,4,5,6,7
    vle32.v     v\r, (\ptr)
    addi        \ptr, \ptr, 16
    .endr
    vle32.v     v8, (\ptr)
.endm

/* `out` = the cipher of all blocks of `state`, whose words are numbers, as bytes. The last four words come out in
 * reverse order, and are put in order by `order`. Clobbers `state`. */
.macro sm4_crypt out, state, order
    .irp r, 1,2,3,4,5,6,7,8
    vsm4r.vs    \state, v\r
    .endr
    vrgatherei16.vv \out, \state, \order
    vrev8.v     \out, \out
.endm

/* order[i] = i ^ 3, in 16 bits, in half as many registers as data has: `half` is half of `lmul`. vl: all lanes.
 * Clobbers t0, vtype. */
.macro sm4_order order, half
    vsetvli     t0, zero, e16, \half, ta, ma
    vid.v       \order
    vxor.vi     \order, \order, 3
.endm

/* Every lane of `out` = the block in the first lane of `block`. `index`: half as many registers, clobbered. vl, vtype:
 * `elements` of SEW 32 and `lmul`, before and after. Clobbers t0. */
.macro sm4_lanes out, block, index, elements, half, lmul
    vsetvli     t0, zero, e16, \half, ta, ma
    vid.v       \index
    vand.vi     \index, \index, 3
    vsetvli     zero, \elements, e32, \lmul, ta, mu
    vrgatherei16.vv \out, \block, \index
.endm

#endif

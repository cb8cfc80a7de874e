/* Macros that all vector kernels share. */
#ifndef CV_VECTOR_H
#define CV_VECTOR_H

#include "function.h"
#include "insn_v.h"
#include "insn_zvk.h"

/* Clears secrets from the vector registers and returns. Clobbers t0. */
.macro cv_return
    vsetvli     t0, zero, e32, m8, ta, ma
    vmv.v.i     v0, 0
    vmv.v.i     v8, 0
    vmv.v.i     v16, 0
    vmv.v.i     v24, 0
    ret
.endm

/* The same if, in each of `groups`, of LMUL `lmul`, only the first `elements` words were written: clears these, and all
 * of v0 ... v15. On cores whose cost grows with the number of registers, clearing all would dominate a short call.
 * Clobbers t0. */
.macro cv_return_after elements, lmul, groups:vararg
    vsetvli     t0, zero, e32, m8, ta, ma
    vmv.v.i     v0, 0
    vmv.v.i     v8, 0
    vsetvli     t0, zero, e32, \lmul, ta, ma
    bgeu        \elements, t0, .Lall\@
    vsetvli     zero, \elements, e32, \lmul, ta, ma
.Lall\@:
    .irp group, \groups
    vmv.v.i     \group, 0
    .endr
    ret
.endm

/* Divides `len` bytes at `in` into whole steps of a register group and a rest.
 * step: bytes of a group of LMUL `lmul`; end: the end of the last whole step; rest: bytes after it. Sets vl to a whole
 * group of SEW 32. It does not rely on vsetvli's own rule, which may split a length between one and two groups into
 * halves that are not whole blocks. Clobbers nothing else. */
.macro cv_steps step, end, rest, in, len, lmul, policy
    vsetvli     \step, zero, e32, \lmul, ta, \policy
    slli        \step, \step, 2
    addi        \rest, \step, -1
    and         \rest, \rest, \len
    sub         \end, \len, \rest
    add         \end, \end, \in
.endm

/* After the last whole step: processes the rest as one shorter step by jumping back to `loop`, or falls through if
 * there is no rest. Clobbers t0. */
.macro cv_rest step, end, rest, in, lmul, policy, loop
    beqz        \rest, .Ldone\@
    srli        t0, \rest, 2
    vsetvli     zero, t0, e32, \lmul, ta, \policy
    mv          \step, \rest
    add         \end, \in, \rest
    li          \rest, 0
    j           \loop
.Ldone\@:
.endm

#endif

/* What all vector kernels share. */
#ifndef CV_VECTOR_H
#define CV_VECTOR_H

#include "function.h"
#include "insn_v.h"
#include "insn_zvk.h"

/* Returns with nothing of secrets in vector registers. Clobbers t0. */
.macro cv_return
    vsetvli     t0, zero, e32, m8, ta, ma
    vmv.v.i     v0, 0
    vmv.v.i     v8, 0
    vmv.v.i     v16, 0
    vmv.v.i     v24, 0
    ret
.endm

/* The same where of each of `groups`, of LMUL `lmul`, no more was written than the first `elements` words: all of v0 ... v15,
 * and what that is. On cores that pay by the register, clearing all would be much of a short call. Clobbers t0. */
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

/* Divides `len` bytes from `in` on into whole steps of a register group and a rest.
 * step: bytes of a group of LMUL `lmul`; end: where the last whole step ends; rest: bytes behind it. Sets vl to a
 * whole group of SEW 32. Not by vsetvli's own rule: between one and two groups it may give halves, which need not
 * be whole blocks. Clobbers nothing else. */
.macro cv_steps step, end, rest, in, len, lmul, policy
    vsetvli     \step, zero, e32, \lmul, ta, \policy
    slli        \step, \step, 2
    addi        \rest, \step, -1
    and         \rest, \rest, \len
    sub         \end, \len, \rest
    add         \end, \end, \in
.endm

/* Behind the last whole step: takes the rest as one shorter step and goes back to `loop`, or falls through if there is
 * none. Clobbers t0. */
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

/* AES in vector registers: all kernels of this family keep the round keys in v1 ... v15. */
#ifndef CV_AES_H
#define CV_AES_H

#include "vector.h"

/* Offset of `rounds` in cv_block_key. */
#define KEY_ROUNDS 256

/* Loads round keys 0 ... `rounds` into v1 ... Clobbers `ptr`, vl, vtype. */
.macro aes_load_keys rounds, ptr
    vsetivli    zero, 4, e32, m1, ta, ma
    .irp r, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    .if \r <= \rounds + 1
    vle32.v     v\r, (\ptr)
    .if \r <= \rounds
    addi        \ptr, \ptr, 16
    .endif
    .endif
    .endr
.endm

/* For all blocks of `state`: E(key, state), after the first round key if `whitened`. */
.macro aes_encrypt state, rounds, whitened=0
    .ifeq \whitened
    vaesz.vs    \state, v1
    .endif
    .irp r, 2,3,4,5,6,7,8,9,10,11,12,13,14
    .if \r <= \rounds
    vaesem.vs   \state, v\r
    .endif
    .endr
    aes_last    vaesef.vs, \state, \rounds
.endm

/* `insn` with the last round key. */
.macro aes_last insn, state, rounds
    .ifeq \rounds - 10
    \insn       \state, v11
    .endif
    .ifeq \rounds - 12
    \insn       \state, v13
    .endif
    .ifeq \rounds - 14
    \insn       \state, v15
    .endif
.endm

/* For all blocks of `state`: D(key, state). */
.macro aes_decrypt state, rounds
    aes_last    vaesz.vs, \state, \rounds
    .irp r, 14,13,12,11,10,9,8,7,6,5,4,3,2
    .if \r <= \rounds
    vaesdm.vs   \state, v\r
    .endif
    .endr
    vaesdf.vs   \state, v1
.endm

/* Jumps to `r12` or `r14`, or falls through with ten rounds. Clobbers t0, t1. */
.macro aes_by_rounds key, r12, r14
    lw          t0, KEY_ROUNDS(\key)
    li          t1, 12
    beq         t0, t1, \r12
    bgt         t0, t1, \r14
.endm

#endif

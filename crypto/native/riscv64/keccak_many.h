/* Keccak-f[1600] of many states: a state in each lane of a register. The including file has macros:
 *   rotate to, from, n, by     to = from <<< n, where `by` is given for n by the names below
 *   keccak_chi                 3.2.4 of all rows; the old lane 10 is in T, and goes to v10
 *   keccak_begin, keccak_end   prologue and epilogue; the latter returns
 *   keccak_in, keccak_out      conversions of states after loading and before storing */
#ifndef CV_KECCAK_MANY_H
#define CV_KECCAK_MANY_H

#include "vector.h"

#define STATES  a0
#define STRIDE  a1
#define DATA    a2
#define BLOCKS  a3
#define LANES   a4
#define COUNT   a5
#define LEFT    a6
/* Used in the rounds; AT and REST outside of them. */
#define CONST   t1
#define END     t2
#define WORD    t3
#define AT      t2
#define REST    t3
/* Lane A[x, y] of all states is v(x + 5 y). */
#define T       v25
#define U       v26
#define V       v27
#define W       v28
#define D       v30
/* Address of each state's next data. */
#define FROM    v31

.hidden cv_keccak_constants

.macro parity c, l0, l1, l2, l3, l4
    vxor.vv     \c, \l0, \l1
    vxor.vv     \c, \c, \l2
    vxor.vv     \c, \c, \l3
    vxor.vv     \c, \c, \l4
.endm

/* The column's lanes ^= before ^ (after <<< 1). */
.macro column before, after, l0, l1, l2, l3, l4
    rotate      D, \after, 1, BY63
    vxor.vv     D, D, \before
    vxor.vv     \l0, \l0, D
    vxor.vv     \l1, \l1, D
    vxor.vv     \l2, \l2, D
    vxor.vv     \l3, \l3, D
    vxor.vv     \l4, \l4, D
.endm

/* FIPS 202, 3.2.1: parities are v25 ... v29. */
.macro theta
    parity      v25, v0, v5, v10, v15, v20
    parity      v26, v1, v6, v11, v16, v21
    parity      v27, v2, v7, v12, v17, v22
    parity      v28, v3, v8, v13, v18, v23
    parity      v29, v4, v9, v14, v19, v24
    column      v29, v26, v0, v5, v10, v15, v20
    column      v25, v27, v1, v6, v11, v16, v21
    column      v26, v28, v2, v7, v12, v17, v22
    column      v27, v29, v3, v8, v13, v18, v23
    column      v28, v25, v4, v9, v14, v19, v24
.endm

/* 3.2.2 and 3.2.3, as in keccak_zbb.S: the new v10 stays in T. */
.macro rho_pi
    rotate      T, v1, 1, BY63
    rotate      v1, v6, 44, BY44
    rotate      v6, v9, 20, BY44
    rotate      v9, v22, 61, BY61
    rotate      v22, v14, 39, BY39
    rotate      v14, v20, 18, BY46
    rotate      v20, v2, 62, BY62
    rotate      v2, v12, 43, BY43
    rotate      v12, v13, 25, BY39
    rotate      v13, v19, 8, BY56
    rotate      v19, v23, 56, BY56
    rotate      v23, v15, 41, BY41
    rotate      v15, v4, 27, BY37
    rotate      v4, v24, 14, BY50
    rotate      v24, v21, 2, BY62
    rotate      v21, v8, 55, BY55
    rotate      v8, v16, 45, BY45
    rotate      v16, v5, 36, BY36
    rotate      v5, v3, 28, BY36
    rotate      v3, v18, 21, BY43
    rotate      v18, v17, 15, BY49
    rotate      v17, v11, 10, BY54
    rotate      v11, v7, 6, BY58
    rotate      v7, v10, 3, BY61
.endm

.macro round
    ld          WORD, (CONST)
    addi        CONST, CONST, 8
    theta
    rho_pi
    keccak_chi
    vxor.vx     v0, v0, WORD
.endm

.macro absorb lanes:vararg
    .irp lane, \lanes
    vluxei64.v  T, (zero), FROM
    vadd.vi     FROM, FROM, 8
    vxor.vv     v\lane, v\lane, T
    .endr
.endm

.macro all insn
    mv          AT, STATES
    .irp lane, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24
    \insn      v\lane, (AT)
    add         AT, AT, STRIDE
    .endr
.endm

/* For each state and block: state ^= block, then 24 rounds (FIPS 202, algorithms 7 and 8), for as many states as a
 * register has 64-bit words.
 *
 * void name(uint64_t *states, size_t stride, const uint8_t *const *data, size_t blocks, size_t lanes, size_t count)
 * states: lane i of state j is at `states` plus `stride` i bytes and j words. data: addresses of each state's blocks.
 * blocks, count > 0; lanes 0, 9, 13, 17, 18 or 21. Clobbers a0, a2, a5, a6, t1 ... t3, all vector registers, and what
 * the macros clobber. */
.macro keccak_many name
cv_function \name
    keccak_begin
1:  vsetvli     zero, COUNT, e64, m1, ta, ma
    all         vle64.v
    keccak_in
    vle64.v     FROM, (DATA)
    mv          LEFT, BLOCKS
2:  mv          REST, LANES
    beqz        REST, 3f
    absorb      0,1,2,3,4,5,6,7,8
    addi        REST, REST, -9
    beqz        REST, 3f
    absorb      9,10,11,12
    addi        REST, REST, -4
    beqz        REST, 3f
    absorb      13,14,15,16
    addi        REST, REST, -4
    beqz        REST, 3f
    absorb      17
    addi        REST, REST, -1
    beqz        REST, 3f
    absorb      18,19,20
3:  lla         CONST, cv_keccak_constants
    addi        END, CONST, 24 * 8
4:  round
    round
    bne         CONST, END, 4b
    addi        LEFT, LEFT, -1
    bnez        LEFT, 2b
    keccak_out
    all         vse64.v
    csrr        REST, 0xc20
    sub         COUNT, COUNT, REST
    slli        REST, REST, 3
    add         STATES, STATES, REST
    add         DATA, DATA, REST
    bnez        COUNT, 1b
    keccak_end
cv_end \name
.endm

#endif

/* Keccak-f[1600] of many states. Needs: V, Zvkb. VLEN at least 128; a state in each lane of a register. */
#include "vector.h"

#define STATES  a0
#define STRIDE  a1
#define DATA    a2
#define BLOCKS  a3
#define LANES   a4
#define COUNT   a5
#define VL      t0
#define CONST   t1
#define END     t2
#define WORD    t3
#define AT      t4
#define LEFT    t5
/* Lane A[x, y] of all states is v(x + 5 y). */
#define T       v25
#define U       v26
#define V       v27
#define D       v30
/* Where each state's data go on. */
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
    vror.vi     D, \after, 63
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

/* 3.2.2 and 3.2.3, as in keccak_zbb.S: what goes to v10 stays in T. */
.macro rho_pi
    vror.vi     T, v1, 63
    vror.vi     v1, v6, 20
    vror.vi     v6, v9, 44
    vror.vi     v9, v22, 3
    vror.vi     v22, v14, 25
    vror.vi     v14, v20, 46
    vror.vi     v20, v2, 2
    vror.vi     v2, v12, 21
    vror.vi     v12, v13, 39
    vror.vi     v13, v19, 56
    vror.vi     v19, v23, 8
    vror.vi     v23, v15, 23
    vror.vi     v15, v4, 37
    vror.vi     v4, v24, 50
    vror.vi     v24, v21, 62
    vror.vi     v21, v8, 9
    vror.vi     v8, v16, 19
    vror.vi     v16, v5, 28
    vror.vi     v5, v3, 36
    vror.vi     v3, v18, 43
    vror.vi     v18, v17, 49
    vror.vi     v17, v11, 54
    vror.vi     v11, v7, 58
    vror.vi     v7, v10, 61
.endm

/* 3.2.4 of one row; `out3` gets what `l3` becomes; `t` is scratch, as are U and V. */
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

.macro round
    ld          WORD, (CONST)
    addi        CONST, CONST, 8
    theta
    rho_pi
    chi         v12, v13, v14, T, v11, v10, v10
    chi         v0, v1, v2, v3, v4, v3, T
    chi         v5, v6, v7, v8, v9, v8, T
    chi         v15, v16, v17, v18, v19, v18, T
    chi         v20, v21, v22, v23, v24, v23, T
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

/* For each state and block: state ^= block, then 24 rounds (FIPS 202, algorithms 7 and 8). A permutation takes 3180
 * instructions, a block of 17 lanes 60 more, for as many states as a register has words of 64 bits.
 *
 * void cv_keccak_many_zvkb(uint64_t *states, size_t stride, const uint8_t *const *data, size_t blocks, size_t lanes,
 *                          size_t count)
 * states: lane i of state j is `stride` i bytes and j words behind. data: where each state's begin. blocks, count > 0;
 * lanes 0, 9, 13, 17, 18 or 21. Clobbers a0, a2, a5, a6, t0 ... t6, all vector registers. */
cv_function cv_keccak_many_zvkb
1:  vsetvli     VL, COUNT, e64, m1, ta, ma
    all         vle64.v
    vle64.v     FROM, (DATA)
    mv          a6, BLOCKS
2:  mv          LEFT, LANES
    beqz        LEFT, 3f
    absorb      0,1,2,3,4,5,6,7,8
    addi        LEFT, LEFT, -9
    beqz        LEFT, 3f
    absorb      9,10,11,12
    addi        LEFT, LEFT, -4
    beqz        LEFT, 3f
    absorb      13,14,15,16
    addi        LEFT, LEFT, -4
    beqz        LEFT, 3f
    absorb      17
    addi        LEFT, LEFT, -1
    beqz        LEFT, 3f
    absorb      18,19,20
3:  lla         CONST, cv_keccak_constants
    addi        END, CONST, 24 * 8
4:  round
    round
    bne         CONST, END, 4b
    addi        a6, a6, -1
    bnez        a6, 2b
    all         vse64.v
    slli        AT, VL, 3
    add         STATES, STATES, AT
    add         DATA, DATA, AT
    sub         COUNT, COUNT, VL
    bnez        COUNT, 1b
    cv_return
cv_end cv_keccak_many_zvkb

.section .note.GNU-stack, "", @progbits

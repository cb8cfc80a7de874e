/* Keccak-f[1600] of many states with lane i in vi. The including file has, besides what keccak_many.h needs,
 *   rotate to, from, n, by     to = from <<< n; `by` is the register that keccak_many_v.S names for n
 *   keccak_chi                 3.2.4 of all rows; lane 10 is in T before, and in v10 after */
#ifndef CV_KECCAK_LANES_H
#define CV_KECCAK_LANES_H

#define FIRST_LANES v0,v1,v2,v3,v4,v5,v6,v7,v8
#define LANES_9     v9,v10,v11,v12
#define LANES_13    v13,v14,v15,v16
#define LANE_17     v17
#define LANES_18    v18,v19,v20
#define LAST_LANES  v21,v22,v23,v24
#define T           v25
#define U           v26
#define V           v27
#define W           v28
#define D           v30
#define FROM        v31

#include "keccak_many.h"

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

.macro keccak_rounds
    addi        END, CONST, 24 * 8
.Lrounds:
    round
    round
    bne         CONST, END, .Lrounds
.endm

#endif

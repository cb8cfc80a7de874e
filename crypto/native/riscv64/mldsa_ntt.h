/* How the number-theoretic transform of ML-DSA arranges a polynomial in vector registers. */
#ifndef CV_MLDSA_NTT_H
#define CV_MLDSA_NTT_H

#include "mldsa_zetas.h"
#include "modular.h"

#define F      a0
#define AT     a1
#define COUNT  a2 /* columns or blocks at a time */
#define LEFT   a3
#define STRIDE a4
#define TABLE  a5
#define BYTES  a6 /* of the table for a block */
#define Q      a7
#define Z      t0
#define W      t1
/* Half of a butterfly. */
#define L      v16
#define T      v24

/* Loads or stores the rows. */
.macro rows insn
    vsetvli     zero, COUNT, e32, m1, ta, ma
    mv          AT, F
    .irp row, v0,v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,v12,v13,v14,v15
    \insn       \row, (AT)
    addi        AT, AT, 64
    .endr
.endm

/* For each column: `layers` with rows in v0 ... v15. */
.macro columns layers, table=.Lrows
    li          LEFT, 16
    lla         TABLE, \table
.Lcolumns\@:
    vsetvli     COUNT, LEFT, e32, m1, ta, ma
    rows        vle32.v
    \layers
    rows        vse32.v
    slli        AT, COUNT, 2
    add         F, F, AT
    sub         LEFT, LEFT, COUNT
    bnez        LEFT, .Lcolumns\@
    addi        F, F, -64
.endm

/* For each block: `layers` with coefficients in v0 ... v15. */
.macro blocks layers, table, bytes=7*32
    li          LEFT, 16
    li          STRIDE, 64
    li          BYTES, \bytes
    lla         TABLE, \table
.Lblocks\@:
    vsetvli     COUNT, LEFT, e32, m1, ta, ma
    addi        AT, F, 32
    vlsseg8e32.v v0, (F), STRIDE
    vlsseg8e32.v v8, (AT), STRIDE
    mv          AT, TABLE
    \layers
    vsetvli     zero, COUNT, e32, m1, ta, ma
    addi        AT, F, 32
    vssseg8e32.v v0, (F), STRIDE
    vssseg8e32.v v8, (AT), STRIDE
    slli        AT, COUNT, 6
    add         F, F, AT
    mul         AT, COUNT, BYTES
    add         TABLE, TABLE, AT
    sub         LEFT, LEFT, COUNT
    bnez        LEFT, .Lblocks\@
    addi        F, F, -1024
.endm

/* The next zetas of the table are in v16 ... v19, their `w` in v20 ... v23; then LMUL is `lmul`. */
.macro next_zetas lmul
    vsetvli     zero, COUNT, e32, m1, ta, ma
    vlsseg8e32.v v16, (AT), BYTES
    addi        AT, AT, 32
    vsetvli     Z, zero, e32, \lmul, ta, ma
.endm

#endif

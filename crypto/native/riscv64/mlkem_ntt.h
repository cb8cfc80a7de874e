/* How the number-theoretic transform of ML-KEM arranges a polynomial in vector registers.
 *
 * Layers that combine coefficients 128, 64 and 32 apart see the polynomial as 8 rows of 32 columns: a row is in two
 * registers (at VLEN 128, half a row), from VLEN 512 on in one. The others see it as 8 blocks of 32 coefficients: pair i
 * of all blocks (at VLEN 128, of four) is in vi. What longer registers compute beyond these is not used. */
#ifndef CV_MLKEM_NTT_H
#define CV_MLKEM_NTT_H

#include "mlkem_zetas.h"
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
#define C      t2
/* Half of a butterfly. */
#define L      v16
#define T      v24

/* For each column: `layers` with LMUL l1, l2 and l4 for one, two and four rows. */
.macro columns layers, l1, l2, l4, rows:vararg
    li          LEFT, 32
.Lcolumns\@:
    vsetvli     COUNT, LEFT, e16, \l1, ta, ma
    mv          AT, F
    .irp row, \rows
    vle16.v     \row, (AT)
    addi        AT, AT, 64
    .endr
    \layers     \l1, \l2, \l4, \rows
    vsetvli     zero, COUNT, e16, \l1, ta, ma
    mv          AT, F
    .irp row, \rows
    vse16.v     \row, (AT)
    addi        AT, AT, 64
    .endr
    slli        AT, COUNT, 1
    add         F, F, AT
    sub         LEFT, LEFT, COUNT
    bnez        LEFT, .Lcolumns\@
    addi        F, F, -64
.endm

/* The same for either kind of register. */
.macro all_columns layers
    csrr        Z, 0xc22
    li          C, 64
    bgeu        Z, C, .Llong\@
    columns     \layers, m2, m4, m8, v0, v2, v4, v6, v8, v10, v12, v14
    j           .Ldone\@
.Llong\@:
    columns     \layers, m1, m2, m4, v0, v1, v2, v3, v4, v5, v6, v7
.Ldone\@:
.endm

/* For each block of 32 coefficients: `layers` with pairs in v0 ... v15. */
.macro blocks layers, table, bytes=7*32
    li          LEFT, 8
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
    addi        F, F, -512
.endm

/* The next zetas of the table are in v16 ... v19, their `w` in v20 ... v23; then LMUL is `lmul`. */
.macro next_zetas lmul
    vsetvli     zero, COUNT, e32, m1, ta, ma
    vlsseg8e32.v v16, (AT), BYTES
    addi        AT, AT, 32
    vsetvli     Z, zero, e16, \lmul, ta, ma
.endm

#endif

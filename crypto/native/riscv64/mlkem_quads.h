/* Conversions between four coefficients of d bits that follow each other, a *quad*, and coefficients of 16 bits. A quad is
 * at most 48 bits long, and begins at half a byte if d is odd. */
#ifndef CV_MLKEM_QUADS_H
#define CV_MLKEM_QUADS_H

#include "modular.h"

#define D       a2
#define D2      a4
#define D4      a5
#define C32     a6
#define C64     a7
#define COUNT   t1
#define LEFT    t2
/* Only where quads are loaded. */
#define LAST    t3
#define LOW     t4
#define BITS    v24
/* Only where they are stored. */
#define INDEX   v24

/* 2^16 - 2^d and 2^32 - 2^(2 d): what a field's neighbour must be multiplied by to move it next to the field, or away
 * from it. */
.macro quad_begin
    slli        D2, D, 1
    slli        D4, D, 2
    li          t0, 1
    sll         C32, t0, D
    sll         C64, t0, D2
    slli        t0, t0, 16
    sub         C32, t0, C32
    slli        t0, t0, 16
    sub         C64, t0, C64
.endm

/* Prepares to load quads from `bytes` bytes, at least 8. Quads are loaded in windows of 8 bytes; those of the last
 * quads begin earlier, so that all end within the bytes. Only indices, which are public, go through vminu. */
.macro quad_load_begin bytes
    quad_begin
    addi        LAST, \bytes, -8
    li          LOW, 1
    sll         LOW, LOW, D4
    addi        LOW, LOW, -1
    vsetvli     t0, zero, e64, m8, ta, ma
    vid.v       BITS
    vmul.vx     BITS, BITS, D4
.endm

/* Loads the next COUNT quads, at most LEFT. Their coefficients are in v8 ... v15; vl is the number of these, SEW 16.
 * Clobbers v16 ... v23. */
.macro quad_load in
    vsetvli     COUNT, LEFT, e64, m8, ta, ma
    vsrl.vi     v16, BITS, 3
    vminu.vx    v16, v16, LAST
    vluxei64.v  v8, (\in), v16
    vsll.vi     v16, v16, 3
    vsub.vv     v16, BITS, v16
    vsrl.vv     v8, v8, v16
    mul         t0, COUNT, D4
    vadd.vx     BITS, BITS, t0
    vand.vx     v8, v8, LOW
    vsrl.vx     v16, v8, D2
    vmacc.vx    v8, C64, v16
    vsetvli     t0, zero, e32, m8, ta, ma
    vsrl.vx     v16, v8, D
    vmacc.vx    v8, C32, v16
    slli        t0, COUNT, 2
    vsetvli     zero, t0, e16, m8, ta, ma
.endm

/* For storing quads: of two quads, which have 8 bytes each, d bytes are stored; if d is odd, one more of the first quad
 * than of the second. INDEX has the positions of these bytes: number i is byte i mod d of the pair i / d, and 2^15 / d,
 * rounded up, times (2 i + 1) / 2^16 is close enough to i / d. Clobbers v8 ... v23 and v0. */
.macro quad_store_begin
    quad_begin
    addi        t1, D, 1
    srli        t1, t1, 1
    li          t0, 32767
    add         t0, t0, D
    divu        t0, t0, D
    vsetvli     t2, zero, e16, m8, ta, mu
    vid.v       INDEX
    vadd.vv     v8, INDEX, INDEX
    vadd.vi     v8, v8, 1
    vmulhu.vx   v8, v8, t0
    vmul.vx     v16, v8, D
    vsub.vv     v16, INDEX, v16
    li          t0, 16
    sub         t0, t0, D
    vmacc.vx    INDEX, t0, v8
    addi        t0, t1, -1
    vmsgtu.vx   v0, v16, t0
    li          t0, 8
    sub         t0, t0, t1
    vadd.vx     INDEX, INDEX, t0, v0.t
.endm

/* Coefficients in v8 ..., of LMUL `lmul`, become quads in 64 bits. Clobbers v16 .... */
.macro quad_join lmul
    vsetvli     t0, zero, e32, \lmul, ta, ma
    vsrl.vi     v16, v8, 16
    vnmsac.vx   v8, C32, v16
    vsetvli     t0, zero, e64, \lmul, ta, ma
    li          t0, 32
    vsrl.vx     v16, v8, t0
    vnmsac.vx   v8, C64, v16
.endm

/* Stores the quads of COUNT coefficients, of LMUL 4. */
.macro quad_store out
    mul         t0, COUNT, D
    srli        t0, t0, 3
    vsetvli     zero, t0, e8, m4, ta, ma
    vrgatherei16.vv v16, v8, INDEX
    vse8.v      v16, (\out)
    add         \out, \out, t0
.endm

#endif

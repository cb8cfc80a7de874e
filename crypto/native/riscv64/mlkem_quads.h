/* Conversions between four coefficients of d bits that follow each other, a *quad*, and coefficients of 16 bits. A quad is
 * at most 48 bits long, and begins at half a byte if d is odd. */
#ifndef CV_MLKEM_QUADS_H
#define CV_MLKEM_QUADS_H

#include "vector.h"

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

/* For quads from the first of `bytes` bytes at `in` on. They are loaded in windows of 8 bytes; those of the last quads
 * begin earlier, so that all end within the bytes, of which there are at least 8. */
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

/* The coefficients of up to LEFT quads are in v8 ... v15; COUNT says of how many. vl is their number, SEW 16. Clobbers
 * v16 ... v23. */
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

/* For storing quads: of two quads, which have 8 bytes each, the mask v0 selects d bytes; if d is odd, one more of the
 * first quad than of the second. */
.macro quad_store_begin
    quad_begin
    li          t0, 1
    addi        t1, D, 1
    srli        t1, t1, 1
    sub         t2, D, t1
    sll         t1, t0, t1
    sll         t2, t0, t2
    addi        t1, t1, -1
    addi        t2, t2, -1
    slli        t2, t2, 8
    or          t1, t1, t2
    vsetvli     t0, zero, e16, m1, ta, ma
    vmv.v.x     v0, t1
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

/* Stores the quads of COUNT coefficients. */
.macro quad_store out, lmul
    slli        t0, COUNT, 1
    vsetvli     zero, t0, e8, \lmul, ta, ma
    vcompress.vm v16, v8, v0
    mul         t0, COUNT, D
    srli        t0, t0, 3
    vsetvli     zero, t0, e8, \lmul, ta, ma
    vse8.v      v16, (\out)
    add         \out, \out, t0
.endm

#endif

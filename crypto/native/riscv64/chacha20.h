/* ChaCha20 in vector registers: a register group holds the same word of as many blocks as it has lanes. */
#ifndef CV_CHACHA20_H
#define CV_CHACHA20_H

#include "vector.h"

#define OUT     a0
#define IN      a1
#define BLOCKS  a2
#define STATE   a3
#define VL      t0
#define ROUNDS  t1
#define BLOCK   t2
#define FROM    t3
#define TO      t4
#define BYTES   t5
/* The state's words. */
#define S0      a4
#define S1      a5
#define S2      a6
#define S3      a7
#define S4      s0
#define S5      s1
#define S6      s2
#define S7      s3
#define S8      s4
#define S9      s5
#define S10     s6
#define S11     s7
#define COUNTER s8
#define S13     s9
#define S14     s10
#define S15     s11

/* x += y; z = (z ^ x) <<< n, for four columns or diagonals. `rotate` is a macro of the including file. */
.macro chacha_step n, x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3
    vadd.vv     \x0, \x0, \y0
    vadd.vv     \x1, \x1, \y1
    vadd.vv     \x2, \x2, \y2
    vadd.vv     \x3, \x3, \y3
    vxor.vv     \z0, \z0, \x0
    vxor.vv     \z1, \z1, \x1
    vxor.vv     \z2, \z2, \x2
    vxor.vv     \z3, \z3, \x3
    rotate      \z0, \n
    rotate      \z1, \n
    rotate      \z2, \n
    rotate      \z3, \n
.endm

/* Quarter rounds of four columns or diagonals (RFC 8439, 2.1). */
.macro chacha_round a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    chacha_step 16, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \d0, \d1, \d2, \d3
    chacha_step 12, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3, \b0, \b1, \b2, \b3
    chacha_step 8, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \d0, \d1, \d2, \d3
    chacha_step 7, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3, \b0, \b1, \b2, \b3
.endm

.macro chacha_double_round w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15
    chacha_round \w0, \w1, \w2, \w3, \w4, \w5, \w6, \w7, \w8, \w9, \w10, \w11, \w12, \w13, \w14, \w15
    chacha_round \w0, \w1, \w2, \w3, \w5, \w6, \w7, \w4, \w10, \w11, \w8, \w9, \w15, \w12, \w13, \w14
.endm

/* Copies the state into all lanes, except the counter. */
.macro chacha_splat w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w13, w14, w15
    vmv.v.x     \w0, S0
    vmv.v.x     \w1, S1
    vmv.v.x     \w2, S2
    vmv.v.x     \w3, S3
    vmv.v.x     \w4, S4
    vmv.v.x     \w5, S5
    vmv.v.x     \w6, S6
    vmv.v.x     \w7, S7
    vmv.v.x     \w8, S8
    vmv.v.x     \w9, S9
    vmv.v.x     \w10, S10
    vmv.v.x     \w11, S11
    vmv.v.x     \w13, S13
    vmv.v.x     \w14, S14
    vmv.v.x     \w15, S15
.endm

/* Adds the state, except the lanes' own part of the counter. */
.macro chacha_add w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15
    vadd.vx     \w0, \w0, S0
    vadd.vx     \w1, \w1, S1
    vadd.vx     \w2, \w2, S2
    vadd.vx     \w3, \w3, S3
    vadd.vx     \w4, \w4, S4
    vadd.vx     \w5, \w5, S5
    vadd.vx     \w6, \w6, S6
    vadd.vx     \w7, \w7, S7
    vadd.vx     \w8, \w8, S8
    vadd.vx     \w9, \w9, S9
    vadd.vx     \w10, \w10, S10
    vadd.vx     \w11, \w11, S11
    vadd.vx     \w12, \w12, COUNTER
    vadd.vx     \w13, \w13, S13
    vadd.vx     \w14, \w14, S14
    vadd.vx     \w15, \w15, S15
.endm

/* Four words of each block: out = in ^ stream, which is in `w0` ... `w3`; `t0` ... `t3` are scratch. All blocks are
 * read before any is written, so both may be at the same address. */
.macro chacha_xor w0, w1, w2, w3, t0, t1, t2, t3, last=0
    vlsseg4e32.v \t0, (FROM), BLOCK
    vxor.vv     \w0, \w0, \t0
    vxor.vv     \w1, \w1, \t1
    vxor.vv     \w2, \w2, \t2
    vxor.vv     \w3, \w3, \t3
    vssseg4e32.v \w0, (TO), BLOCK
    .ifeq \last
    addi        FROM, FROM, 16
    addi        TO, TO, 16
    .endif
.endm

/* Loads the state, and saves registers for it. */
.macro chacha_begin
    addi        sp, sp, -96
    cv_each_saved sd, 0
    lw          S0, 0(STATE)
    lw          S1, 4(STATE)
    lw          S2, 8(STATE)
    lw          S3, 12(STATE)
    lw          S4, 16(STATE)
    lw          S5, 20(STATE)
    lw          S6, 24(STATE)
    lw          S7, 28(STATE)
    lw          S8, 32(STATE)
    lw          S9, 36(STATE)
    lw          S10, 40(STATE)
    lw          S11, 44(STATE)
    lw          COUNTER, 48(STATE)
    lw          S13, 52(STATE)
    lw          S14, 56(STATE)
    lw          S15, 60(STATE)
    li          BLOCK, 64
.endm

.macro chacha_end
    cv_each_saved ld, 0
    addi        sp, sp, 96
    cv_return
.endm

/* Advances to the next blocks. */
.macro chacha_next loop
    slli        BYTES, VL, 6
    add         IN, IN, BYTES
    add         OUT, OUT, BYTES
    addw        COUNTER, COUNTER, VL
    sub         BLOCKS, BLOCKS, VL
    bnez        BLOCKS, \loop
.endm

#endif

/* Compression functions in integer registers: eight words of state, sixteen of the schedule and four others use all of
 * them. */
#ifndef CV_HASH_SCALAR_H
#define CV_HASH_SCALAR_H

#include "function.h"
#include "insn_zb.h"

#define A   s0
#define B   s1
#define C   s2
#define D   s3
#define E   s4
#define F   s5
#define G   s6
#define H   s7
#define W0  a0
#define W1  a1
#define W2  a2
#define W3  a3
#define W4  a4
#define W5  a5
#define W6  a6
#define W7  a7
#define W8  s8
#define W9  s9
#define W10 s10
#define W11 s11
#define W12 t0
#define W13 t1
#define W14 t2
#define W15 t3
#define K   t4
#define T   t5
#define U   t6
#define X   ra

/* Offsets in the frame of the arguments (state, data, blocks). */
#define STATE 0
#define DATA  8
#define END   16

/* Allocates a frame of `bytes`, with the callee-saved registers from `saved` on; `log` is the binary logarithm of a
 * block's size. */
.macro hash_enter bytes, saved, log
    cv_frame    \bytes, \saved
    slli        a2, a2, \log
    add         a2, a2, a1
    sd          a0, STATE(sp)
    sd          a1, DATA(sp)
    sd          a2, END(sp)
.endm

#endif

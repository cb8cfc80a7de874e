/* A block of ChaCha20's stream in integer registers. Needs: Zbb (roriw; Zbkb has it too). */
#include "function.h"
#include "insn_zb.h"

#define OUT     a0
#define STATE   a1
#define COUNTER a2
#define ROUNDS  t0
#define T       t1
/* Word i of the state. */
#define X0      a3
#define X1      a4
#define X2      a5
#define X3      a6
#define X4      a7
#define X5      s0
#define X6      s1
#define X7      s2
#define X8      s3
#define X9      s4
#define X10     s5
#define X11     s6
#define X12     s7
#define X13     s8
#define X14     s9
#define X15     s10

/* x += y; z = (z ^ x) <<< n, for four columns or diagonals. Only the low 32 bits of words are meaningful. */
.macro chacha_step n, x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3
    add         \x0, \x0, \y0
    add         \x1, \x1, \y1
    add         \x2, \x2, \y2
    add         \x3, \x3, \y3
    xor         \z0, \z0, \x0
    xor         \z1, \z1, \x1
    xor         \z2, \z2, \x2
    xor         \z3, \z3, \x3
    roriw       \z0, \z0, 32-\n
    roriw       \z1, \z1, 32-\n
    roriw       \z2, \z2, 32-\n
    roriw       \z3, \z3, 32-\n
.endm

/* Quarter rounds of four columns or diagonals (RFC 8439, 2.1). */
.macro chacha_round a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    chacha_step 16, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \d0, \d1, \d2, \d3
    chacha_step 12, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3, \b0, \b1, \b2, \b3
    chacha_step 8, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \d0, \d1, \d2, \d3
    chacha_step 7, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3, \b0, \b1, \b2, \b3
.endm

/* out[i] = x + state[i] */
.macro finish i, x
    lw          T, 4*\i(STATE)
    add         \x, \x, T
    sw          \x, 4*\i(OUT)
.endm

/* out = R(S) + S, where S is the state with this counter, and R is twenty rounds (RFC 8439, 2.3). 1079 instructions.
 *
 * void cv_chacha20_zbb_block(uint32_t out[16], const uint32_t state[16], uint32_t counter)
 * Clobbers a3 ... a7, t0, t1, ra. */
cv_function cv_chacha20_zbb_block
    cv_frame    112, 0
    lw          X0, 0(STATE)
    lw          X1, 4(STATE)
    lw          X2, 8(STATE)
    lw          X3, 12(STATE)
    lw          X4, 16(STATE)
    lw          X5, 20(STATE)
    lw          X6, 24(STATE)
    lw          X7, 28(STATE)
    lw          X8, 32(STATE)
    lw          X9, 36(STATE)
    lw          X10, 40(STATE)
    lw          X11, 44(STATE)
    mv          X12, COUNTER
    lw          X13, 52(STATE)
    lw          X14, 56(STATE)
    lw          X15, 60(STATE)
    li          ROUNDS, 10
1:  chacha_round X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15
    chacha_round X0, X1, X2, X3, X5, X6, X7, X4, X10, X11, X8, X9, X15, X12, X13, X14
    addi        ROUNDS, ROUNDS, -1
    bnez        ROUNDS, 1b
    finish      0, X0
    finish      1, X1
    finish      2, X2
    finish      3, X3
    finish      4, X4
    finish      5, X5
    finish      6, X6
    finish      7, X7
    finish      8, X8
    finish      9, X9
    finish      10, X10
    finish      11, X11
    add         X12, X12, COUNTER
    sw          X12, 48(OUT)
    finish      13, X13
    finish      14, X14
    finish      15, X15
    .irp secret, X0,X1,X2,X3,X4,T
    li          \secret, 0
    .endr
    cv_frame_return 112, 0
cv_end cv_chacha20_zbb_block

.section .note.GNU-stack, "", @progbits

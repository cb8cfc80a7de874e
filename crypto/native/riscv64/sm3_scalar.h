/* SM3 in integer registers: the state, sixteen words of the schedule and four others use all of them. The including
 * file defines the permutations of GB/T 32905-2016, 4.4, as macros: `p0` and `p1` (x, scratch). Bits above 32 are
 * arbitrary. */
#ifndef CV_SM3_SCALAR_H
#define CV_SM3_SCALAR_H

#include "hash_scalar.h"

/* K holds T(j) <<< j. */
#define PASSES 24
#define SAVED  32
#define FRAME  144

/* A round with W[j] in `w` and W[j+4] in `later` (5.3.3); without `majority`, one of the first sixteen. */
.macro sm3_round majority, w, later, a, b, c, d, e, f, g, h
    roriw       T, \a, 32-12
    add         U, T, \e
    add         U, U, K
    roriw       U, U, 32-7
    xor         T, T, U
    add         \d, \d, T
    xor         X, \a, \b
    .if \majority
    xor         T, \b, \c
    and         X, X, T
    xor         X, X, \b
    .else
    xor         X, X, \c
    .endif
    xor         T, \w, \later
    add         \d, \d, X
    add         \d, \d, T
    add         \h, \h, U
    xor         X, \f, \g
    .if \majority
    and         X, X, \e
    xor         X, X, \g
    .else
    xor         X, X, \e
    .endif
    add         \h, \h, \w
    roriw       K, K, 31
    add         \h, \h, X
    roriw       \b, \b, 32-9
    roriw       \f, \f, 32-19
    p0          \h, T
.endm

/* The word sixteen positions after `w`: p1(w ^ w7 ^ (w13 <<< 15)) ^ (w3 <<< 7) ^ w10. */
.macro sm3_next w, w3, w7, w10, w13
    roriw       T, \w13, 32-15
    xor         \w, \w, \w7
    xor         \w, \w, T
    p1          \w, T
    roriw       U, \w3, 32-7
    xor         \w, \w, \w10
    xor         \w, \w, U
.endm

.macro sm3_four majority, schedule, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15
    .if \schedule
    sm3_next    \w4, \w7, \w11, \w14, \w1
    .endif
    sm3_round   \majority, \w0, \w4, A, B, C, D, E, F, G, H
    .if \schedule
    sm3_next    \w5, \w8, \w12, \w15, \w2
    .endif
    sm3_round   \majority, \w1, \w5, D, A, B, C, H, E, F, G
    .if \schedule
    sm3_next    \w6, \w9, \w13, \w0, \w3
    .endif
    sm3_round   \majority, \w2, \w6, C, D, A, B, G, H, E, F
    .if \schedule
    sm3_next    \w7, \w10, \w14, \w1, \w4
    .endif
    sm3_round   \majority, \w3, \w7, B, C, D, A, F, G, H, E
.endm

/* Sixteen rounds; those with the message's own words need no new words before the twelfth. */
.macro sm3_sixteen majority
    sm3_four    \majority, \majority, W0, W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W11, W12, W13, W14, W15
    sm3_four    \majority, \majority, W4, W5, W6, W7, W8, W9, W10, W11, W12, W13, W14, W15, W0, W1, W2, W3
    sm3_four    \majority, \majority, W8, W9, W10, W11, W12, W13, W14, W15, W0, W1, W2, W3, W4, W5, W6, W7
    sm3_four    \majority, 1, W12, W13, W14, W15, W0, W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W11
.endm

/* Two words, big-endian. */
.macro sm3_words first, second, offset
    ld          \second, \offset(T)
    rev8        \second, \second
    srli        \first, \second, 32
.endm

/* XORs a word of the state with its value before the block, and stores the result. */
.macro sm3_feed word, offset
    lw          U, \offset(T)
    xor         \word, \word, U
    sw          \word, \offset(T)
.endm

/* The function `name`, with the arguments (state, data, blocks). */
.macro sm3_function name
cv_function \name
    hash_enter  FRAME, SAVED, 6
    lw          A, 0(a0)
    lw          B, 4(a0)
    lw          C, 8(a0)
    lw          D, 12(a0)
    lw          E, 16(a0)
    lw          F, 20(a0)
    lw          G, 24(a0)
    lw          H, 28(a0)
1:  ld          T, DATA(sp)
    sm3_words   W0, W1, 0
    sm3_words   W2, W3, 8
    sm3_words   W4, W5, 16
    sm3_words   W6, W7, 24
    sm3_words   W8, W9, 32
    sm3_words   W10, W11, 40
    sm3_words   W12, W13, 48
    sm3_words   W14, W15, 56
    addi        T, T, 64
    sd          T, DATA(sp)
    li          K, 0x79cc4519
    sm3_sixteen 0
    li          T, 3
    li          K, 0x9d8a7a87
2:  sd          T, PASSES(sp)
    sm3_sixteen 1
    ld          T, PASSES(sp)
    addi        T, T, -1
    bnez        T, 2b
    ld          T, STATE(sp)
    sm3_feed    A, 0
    sm3_feed    B, 4
    sm3_feed    C, 8
    sm3_feed    D, 12
    sm3_feed    E, 16
    sm3_feed    F, 20
    sm3_feed    G, 24
    sm3_feed    H, 28
    ld          T, DATA(sp)
    ld          U, END(sp)
    bne         T, U, 1b
    cv_frame_return FRAME, SAVED
cv_end \name
.endm

#endif

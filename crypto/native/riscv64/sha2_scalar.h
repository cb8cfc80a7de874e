/* SHA-2 in integer registers: the state, sixteen words of the schedule and four others use all of them. The including
 * file defines LOAD and STORE of words, BYTES of one, and the functions of FIPS 180-4, 4.1, as macros: `sum0` and
 * `sum1` (d, x; d is not x), `sigma0` and `sigma1` (d, x, scratch). Bits above a word's width are arbitrary. */
#ifndef CV_SHA2_SCALAR_H
#define CV_SHA2_SCALAR_H

#include "hash_scalar.h"

#define SAVED 24
#define FRAME 128

/* Round i: h += sum1(e) + ch(e, f, g) + k + w; d += h; h += sum0(a) + maj(a, b, c), where
 *   ch(e, f, g) = g ^ (e & (f ^ g)),   maj(a, b, c) = b ^ ((a ^ b) & (b ^ c))
 * x: b ^ c before, scratch after; t: a ^ b after, which is b ^ c of the next round. */
.macro sha2_round i, w, a, b, c, d, e, f, g, h, x, t
    LOAD        \t, BYTES*\i(K)
    add         \h, \h, \w
    sum1        U, \e
    add         \h, \h, \t
    xor         \t, \f, \g
    add         \h, \h, U
    and         \t, \t, \e
    xor         \t, \t, \g
    add         \h, \h, \t
    xor         \t, \a, \b
    add         \d, \d, \h
    and         \x, \x, \t
    sum0        U, \a
    xor         \x, \x, \b
    add         \h, \h, U
    add         \h, \h, \x
.endm

/* The word sixteen positions after `w`: w += sigma1(w14) + w9 + sigma0(w1). */
.macro sha2_next w, w1, w9, w14, t
    sigma0      \t, \w1, U
    add         \w, \w, \w9
    add         \w, \w, \t
    sigma1      \t, \w14, U
    add         \w, \w, \t
.endm

.macro sha2_step schedule, i, w, w1, w9, w14, a, b, c, d, e, f, g, h, x, t
    .if \schedule
    sha2_next   \w, \w1, \w9, \w14, \t
    .endif
    sha2_round  \i, \w, \a, \b, \c, \d, \e, \f, \g, \h, \x, \t
.endm

/* Sixteen rounds, preceded by as many words if `schedule`. */
.macro sha2_sixteen schedule
    sha2_step   \schedule, 0, W0, W1, W9, W14, A, B, C, D, E, F, G, H, X, T
    sha2_step   \schedule, 1, W1, W2, W10, W15, H, A, B, C, D, E, F, G, T, X
    sha2_step   \schedule, 2, W2, W3, W11, W0, G, H, A, B, C, D, E, F, X, T
    sha2_step   \schedule, 3, W3, W4, W12, W1, F, G, H, A, B, C, D, E, T, X
    sha2_step   \schedule, 4, W4, W5, W13, W2, E, F, G, H, A, B, C, D, X, T
    sha2_step   \schedule, 5, W5, W6, W14, W3, D, E, F, G, H, A, B, C, T, X
    sha2_step   \schedule, 6, W6, W7, W15, W4, C, D, E, F, G, H, A, B, X, T
    sha2_step   \schedule, 7, W7, W8, W0, W5, B, C, D, E, F, G, H, A, T, X
    sha2_step   \schedule, 8, W8, W9, W1, W6, A, B, C, D, E, F, G, H, X, T
    sha2_step   \schedule, 9, W9, W10, W2, W7, H, A, B, C, D, E, F, G, T, X
    sha2_step   \schedule, 10, W10, W11, W3, W8, G, H, A, B, C, D, E, F, X, T
    sha2_step   \schedule, 11, W11, W12, W4, W9, F, G, H, A, B, C, D, E, T, X
    sha2_step   \schedule, 12, W12, W13, W5, W10, E, F, G, H, A, B, C, D, X, T
    sha2_step   \schedule, 13, W13, W14, W6, W11, D, E, F, G, H, A, B, C, T, X
    sha2_step   \schedule, 14, W14, W15, W7, W12, C, D, E, F, G, H, A, B, X, T
    sha2_step   \schedule, 15, W15, W0, W8, W13, B, C, D, E, F, G, H, A, T, X
.endm

/* Adds the value of a state word before the block, and stores the sum. */
.macro sha2_feed word, offset
    LOAD        U, \offset*BYTES(T)
    add         \word, \word, U
    STORE       \word, \offset*BYTES(T)
.endm

/* The function `name`, with the arguments (state, data, blocks). `words` is a macro that loads a block from the address
 * in T into W0 ... W15; constants begin at `k` and end at `k_end`; `log` is the binary logarithm of a block's size. */
.macro sha2_function name, words, k, k_end, log
cv_function \name
    hash_enter  FRAME, SAVED, \log
    LOAD        A, 0*BYTES(a0)
    LOAD        B, 1*BYTES(a0)
    LOAD        C, 2*BYTES(a0)
    LOAD        D, 3*BYTES(a0)
    LOAD        E, 4*BYTES(a0)
    LOAD        F, 5*BYTES(a0)
    LOAD        G, 6*BYTES(a0)
    LOAD        H, 7*BYTES(a0)
1:  ld          T, DATA(sp)
    lla         K, \k
    \words
    addi        T, T, 1<<\log
    sd          T, DATA(sp)
    xor         X, B, C
    sha2_sixteen 0
2:  addi        K, K, 16*BYTES
    sha2_sixteen 1
    lla         U, \k_end-16*BYTES
    bne         K, U, 2b
    ld          T, STATE(sp)
    sha2_feed   A, 0
    sha2_feed   B, 1
    sha2_feed   C, 2
    sha2_feed   D, 3
    sha2_feed   E, 4
    sha2_feed   F, 5
    sha2_feed   G, 6
    sha2_feed   H, 7
    ld          T, DATA(sp)
    ld          U, END(sp)
    bne         T, U, 1b
    cv_frame_return FRAME, SAVED
cv_end \name
.endm

#endif

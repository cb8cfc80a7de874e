/* Keccak-f[1600], one state. Needs: Zbb (rori and andn; Zbkb has them too). */
#include "insn_zb.h"
#include "function.h"

/* Lane A[x, y] is A(x + 5 y). Three registers are left for everything else; what does not fit is on the stack. */
#define A0  a0
#define A1  a1
#define A2  a2
#define A3  a3
#define A4  a4
#define A5  a5
#define A6  a6
#define A7  a7
#define A8  s0
#define A9  s1
#define A10 s2
#define A11 s3
#define A12 s4
#define A13 s5
#define A14 s6
#define A15 s7
#define A16 s8
#define A17 s9
#define A18 s10
#define A19 s11
#define A20 t0
#define A21 t1
#define A22 t2
#define A23 t3
#define A24 t4
#define T   t5
#define U   t6
#define V   ra

#define CONSTANT 0
#define PARITY0  8
#define PARITY1  16
#define STATE    24
#define DATA     32
#define BLOCKS   40
#define LANES    48
#define SAVED    56
#define FRAME    176

.hidden cv_keccak_constants

.macro parity c, l0, l1, l2, l3, l4
    xor         \c, \l0, \l1
    xor         \c, \c, \l2
    xor         \c, \c, \l3
    xor         \c, \c, \l4
.endm

.macro column d, l0, l1, l2, l3, l4
    xor         \l0, \l0, \d
    xor         \l1, \l1, \d
    xor         \l2, \l2, \d
    xor         \l3, \l3, \d
    xor         \l4, \l4, \d
.endm

/* FIPS 202, 3.2.1: D[x] = C[x-1] ^ (C[x+1] <<< 1), in an order that needs only three registers and two words of memory. */
.macro theta
    parity      T, A0, A5, A10, A15, A20
    parity      U, A2, A7, A12, A17, A22
    sd          T, PARITY0(sp)
    rori        V, U, 63
    xor         V, V, T
    parity      T, A1, A6, A11, A16, A21
    sd          T, PARITY1(sp)
    column      V, A1, A6, A11, A16, A21
    parity      V, A3, A8, A13, A18, A23
    rori        V, V, 63
    xor         T, T, V
    column      T, A2, A7, A12, A17, A22
    parity      T, A4, A9, A14, A19, A24
    rori        T, T, 63
    xor         U, U, T
    column      U, A3, A8, A13, A18, A23
    ld          U, PARITY0(sp)
    rori        V, V, 1
    rori        U, U, 63
    xor         V, V, U
    ld          U, PARITY1(sp)
    column      V, A4, A9, A14, A19, A24
    rori        T, T, 1
    rori        U, U, 63
    xor         T, T, U
    column      T, A0, A5, A10, A15, A20
.endm

/* 3.2.2 and 3.2.3. All lanes but the first form one cycle; each moves to the position of the one before it. The one
 * that moves to lane 10 stays in T. */
.macro rho_pi
    rori        T, A1, 63
    rori        A1, A6, 20
    rori        A6, A9, 44
    rori        A9, A22, 3
    rori        A22, A14, 25
    rori        A14, A20, 46
    rori        A20, A2, 2
    rori        A2, A12, 21
    rori        A12, A13, 39
    rori        A13, A19, 56
    rori        A19, A23, 8
    rori        A23, A15, 23
    rori        A15, A4, 37
    rori        A4, A24, 50
    rori        A24, A21, 62
    rori        A21, A8, 9
    rori        A8, A16, 19
    rori        A16, A5, 28
    rori        A5, A3, 36
    rori        A3, A18, 43
    rori        A18, A17, 49
    rori        A17, A11, 54
    rori        A11, A7, 58
    rori        A7, A10, 61
.endm

/* 3.2.4 for one row, which is the same from any lane on. `out3` receives the new `l3`; `t`, `u`, `v` are scratch. */
.macro chi l0, l1, l2, l3, l4, out3, t, u, v
    andn        \u, \l2, \l1
    andn        \t, \l0, \l4
    andn        \v, \l1, \l0
    xor         \l0, \l0, \u
    andn        \u, \l3, \l2
    xor         \l1, \l1, \u
    andn        \u, \l4, \l3
    xor         \l2, \l2, \u
    xor         \out3, \l3, \t
    xor         \l4, \l4, \v
.endm

/* A round whose constant is `offset` bytes after the current one, in 138 instructions. */
.macro round offset
    theta
    rho_pi
    chi         A12, A13, A14, T, A11, A10, A10, U, V
    chi         A0, A1, A2, A3, A4, A3, T, U, V
    chi         A5, A6, A7, A8, A9, A8, T, U, V
    chi         A15, A16, A17, A18, A19, A18, T, U, V
    chi         A20, A21, A22, A23, A24, A23, T, U, V
    ld          T, CONSTANT(sp)
    ld          U, \offset(T)
    xor         A0, A0, U
.endm

.macro absorb lane, offset
    ld          U, \offset(T)
    xor         \lane, \lane, U
.endm

.macro lanes insn, base
    \insn          A0, 0(\base)
    \insn          A1, 8(\base)
    \insn          A2, 16(\base)
    \insn          A3, 24(\base)
    \insn          A4, 32(\base)
    \insn          A5, 40(\base)
    \insn          A6, 48(\base)
    \insn          A7, 56(\base)
    \insn          A8, 64(\base)
    \insn          A9, 72(\base)
    \insn          A10, 80(\base)
    \insn          A11, 88(\base)
    \insn          A12, 96(\base)
    \insn          A13, 104(\base)
    \insn          A14, 112(\base)
    \insn          A15, 120(\base)
    \insn          A16, 128(\base)
    \insn          A17, 136(\base)
    \insn          A18, 144(\base)
    \insn          A19, 152(\base)
    \insn          A20, 160(\base)
    \insn          A21, 168(\base)
    \insn          A22, 176(\base)
    \insn          A23, 184(\base)
    \insn          A24, 192(\base)
.endm

/* For each block: state ^= block, then 24 rounds (FIPS 202, algorithms 7 and 8). A permutation takes 3337 instructions,
 * a block of 17 lanes 48 more.
 *
 * void cv_keccak_zbb_aligned(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes)
 * blocks > 0; data aligned to 8; lanes 0, 9, 13, 17, 18 or 21. Clobbers a0 ... a7, t0 ... t6, ra. */
cv_function cv_keccak_zbb_aligned
    cv_frame    FRAME, SAVED
    sd          a0, STATE(sp)
    sd          a1, DATA(sp)
    sd          a2, BLOCKS(sp)
    sd          a3, LANES(sp)
    mv          T, a0
    lanes       ld, T
1:  ld          V, LANES(sp)
    ld          T, DATA(sp)
    beqz        V, 2f
    absorb      A0, 0
    absorb      A1, 8
    absorb      A2, 16
    absorb      A3, 24
    absorb      A4, 32
    absorb      A5, 40
    absorb      A6, 48
    absorb      A7, 56
    absorb      A8, 64
    addi        V, V, -9
    beqz        V, 2f
    absorb      A9, 72
    absorb      A10, 80
    absorb      A11, 88
    absorb      A12, 96
    addi        V, V, -4
    beqz        V, 2f
    absorb      A13, 104
    absorb      A14, 112
    absorb      A15, 120
    absorb      A16, 128
    addi        V, V, -4
    beqz        V, 2f
    absorb      A17, 136
    addi        V, V, -1
    beqz        V, 2f
    absorb      A18, 144
    absorb      A19, 152
    absorb      A20, 160
2:  lla         U, cv_keccak_constants
    sd          U, CONSTANT(sp)
3:  round       0
    round       8
    round       16
    round       24
    addi        T, T, 32
    sd          T, CONSTANT(sp)
    lla         U, cv_keccak_constants+192
    bne         T, U, 3b
    ld          T, BLOCKS(sp)
    ld          U, DATA(sp)
    ld          V, LANES(sp)
    addi        T, T, -1
    slli        V, V, 3
    add         U, U, V
    sd          T, BLOCKS(sp)
    sd          U, DATA(sp)
    bnez        T, 1b
    ld          T, STATE(sp)
    lanes       sd, T
    sd          zero, PARITY0(sp)
    sd          zero, PARITY1(sp)
    cv_frame_return FRAME, SAVED
cv_end cv_keccak_zbb_aligned

.section .note.GNU-stack, "", @progbits

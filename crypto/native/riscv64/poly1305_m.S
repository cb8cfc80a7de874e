/* Poly1305 in 64-bit registers. Needs: RV64, M. Left out if the compiler does not target M. */
#ifdef __riscv_mul
#include "function.h"

#define H       a0
#define R       a1
#define DATA    a2
#define END     a3      /* first the number of blocks */
#define R0      a4
#define R1      a5
#define F1      a6      /* 5 r1 / 4 */
/* h = H0 + 2^64 H1 + 2^128 H2 + C */
#define H0      a7
#define H1      t0
#define H2      t1
#define C       t2
#define T0      t3
#define T1      t4
#define T2      t5
#define T3      t6
#define T4      a1
/* Words of unaligned data extend over two words of memory: the remainder of the last one, and the shift distances. */
#define LEFT    s0
#define UP      s1
#define DOWN    s2

/* h = (h + m + 2^128) r for the block m in T0, T1. 39 instructions.
 *
 * r is clamped: r0, r1 < 2^60, and r1 / 4 is an integer, so 2^128 r1 = 2^130 (r1 / 4) = 5 r1 / 4. With H2 <= 10 (7 at
 * first, else 3, plus the bit above the block and two carries), the sum of the products' upper words and of the
 * products with H2 is below 2^64, and only sums of lower words carry. The part of the product from 2^130 on, multiplied
 * by five, is below 2^64, too: this is C, which is added together with the next block, so that both carry only once. */
.macro take
    add         H0, H0, C
    sltu        T2, H0, C
    add         H0, H0, T0
    sltu        T3, H0, T0
    add         H1, H1, T1
    sltu        T4, H1, T1
    add         T2, T2, T3
    add         H1, H1, T2
    sltu        T2, H1, T2
    addi        H2, H2, 1
    add         H2, H2, T4
    add         H2, H2, T2
    mulhu       T0, H0, R0
    mulhu       C, H0, R1
    mul         T1, H0, R1
    mul         H0, H0, R0
    mul         T2, H1, F1
    mulhu       T3, H1, F1
    mul         T4, H2, F1
    mul         H2, H2, R0
    add         H0, H0, T2
    sltu        T2, H0, T2
    add         T0, T0, T3
    mulhu       T3, H1, R0
    add         T0, T0, T4
    mul         H1, H1, R0
    add         T0, T0, T2
    add         T1, T1, T0
    sltu        T0, T1, T0
    add         C, C, H2
    add         C, C, T3
    add         H1, H1, T1
    sltu        T1, H1, T1
    add         C, C, T0
    add         C, C, T1
    srli        T0, C, 2
    andi        H2, C, 3
    andi        C, C, -4
    add         C, C, T0
.endm

.macro take_aligned offset
    ld          T0, \offset(DATA)
    ld          T1, \offset+8(DATA)
    take
.endm

/* m = the remainder of the last word, below a part of the next one, which is `word`; LEFT is then the remainder of
 * that. */
.macro join_words m, word
    sll         T4, \word, UP
    or          \m, LEFT, T4
    srl         LEFT, \word, DOWN
.endm

/* word = the bytes at `from` up to, but not including, `to`. Clobbers `to`, `byte`. */
.macro gather word, from, to, byte
    li          \word, 0
.Lmore\@:
    addi        \to, \to, -1
    lbu         \byte, (\to)
    slli        \word, \word, 8
    or          \word, \word, \byte
    bne         \to, \from, .Lmore\@
.endm

/* void cv_poly1305_m(uint64_t h[3], const uint64_t r[2], const uint8_t *data, size_t blocks)
 * h = (h + block + 2^128) r modulo 2^130 - 5 for each block; r clamped, h below 2^131. blocks > 0. A block takes 42
 * instructions, or 49 if it is not aligned to 8: it is then read by aligned words, except for the bytes at both ends.
 * Clobbers a1 ... a7, t0 ... t6. */
cv_function cv_poly1305_m
    ld          H0, 0(H)
    ld          H1, 8(H)
    ld          H2, 16(H)
    ld          R0, 0(R)
    ld          R1, 8(R)
    srli        F1, R1, 2
    add         F1, F1, R1
    li          C, 0
    andi        T0, END, 1
    slli        END, END, 4
    add         END, END, DATA
    andi        T1, DATA, 7
    bnez        T1, 4f
    beqz        T0, 1f
    addi        DATA, DATA, -16
    j           2f
1:  take_aligned 0
2:  take_aligned 16
    addi        DATA, DATA, 32
    bne         DATA, END, 1b
3:  add         H0, H0, C
    sltu        C, H0, C
    add         H1, H1, C
    sltu        C, H1, C
    add         H2, H2, C
    sd          H0, 0(H)
    sd          H1, 8(H)
    sd          H2, 16(H)
    .irp secret, R0,R1,F1,H0,H1,H2,C,T0,T1,T2,T3,T4
    li          \secret, 0
    .endr
    ret
4:  addi        sp, sp, -32
    sd          s0, 0(sp)
    sd          s1, 8(sp)
    sd          s2, 16(sp)
    slli        DOWN, DATA, 3
    neg         UP, DOWN
    sub         T0, DATA, T1
    addi        T0, T0, 8
    mv          T1, T0
    gather      LEFT, DATA, T1, T2
    mv          DATA, T0
    andi        END, END, -8
    addi        END, END, -8
    j           7f
5:  ld          T3, 8(DATA)
6:  ld          T2, 0(DATA)
    join_words  T0, T2
    join_words  T1, T3
    take
    addi        DATA, DATA, 16
7:  bltu        DATA, END, 5b
    bne         DATA, END, 8f
    /* The last block: its last word has as many bytes as the first one lacked. */
    srli        T1, DOWN, 3
    andi        T1, T1, 7
    addi        T0, DATA, 8
    add         T1, T1, T0
    gather      T3, T0, T1, T2
    j           6b
8:  ld          s0, 0(sp)
    ld          s1, 8(sp)
    ld          s2, 16(sp)
    addi        sp, sp, 32
    j           3b
cv_end cv_poly1305_m

#endif
.section .note.GNU-stack, "", @progbits

/* GHASH. Needs: V, Zvkb, Zvbc32e 0.7 (a draft): carry-less products of 32-bit elements. VLEN at least 128; all lanes of two
 * registers of 32 bits at once. */
#include "ghash.h"

#define KEY     a0      /* cv_ghash_key begins with H */
#define Y       a1
#define IN      a2
#define BLOCKS  a3
#define B0      a4      /* the factor, its lowest word first */
#define B1      a5
#define B2      a6
#define B3      a7
#define LANES   t2
#define FIRST   t3
#define STEP    t4
#define END     t5
#define FOLD    t6
#define ACC0    v0      /* the words of the accumulator */
#define ACC1    v2
#define ACC2    v4
#define ACC3    v6
#define DATA0   v8
#define DATA1   v10
#define DATA2   v12
#define DATA3   v14
#define P0      v16     /* the words of a product */
#define P1      v18
#define P2      v20
#define P3      v22
#define TEMP    v24

/* p ^= the lower or upper half of a b. */
.macro low p, a, b
    vclmul.vx   TEMP, \a, \b
    vxor.vv     \p, \p, TEMP
.endm
.macro high p, a, b
    vclmulh.vx  TEMP, \a, \b
    vxor.vv     \p, \p, TEMP
.endm

/* word *= x^128, where x^128 = x^7 + x^2 + x + 1, 0x87; its upper half is added to the next word, `carry`. */
.macro fold word, carry
    high        \carry, \word, FOLD
    vclmul.vx   \word, \word, FOLD
.endm

/* P = ACC B in every lane. The upper four words of the product are computed and folded into the lower four first, whose
 * registers they share. 71 instructions. */
.macro multiply
    vclmul.vx   P0, ACC1, B3
    low         P0, ACC2, B2
    low         P0, ACC3, B1
    high        P0, ACC0, B3
    high        P0, ACC1, B2
    high        P0, ACC2, B1
    high        P0, ACC3, B0
    vclmul.vx   P1, ACC2, B3
    low         P1, ACC3, B2
    high        P1, ACC1, B3
    high        P1, ACC2, B2
    high        P1, ACC3, B1
    vclmul.vx   P2, ACC3, B3
    high        P2, ACC2, B3
    high        P2, ACC3, B2
    vclmulh.vx  P3, ACC3, B3
    fold        P3, P0
    fold        P2, P3
    fold        P1, P2
    fold        P0, P1
    low         P0, ACC0, B0
    low         P1, ACC0, B1
    low         P1, ACC1, B0
    high        P1, ACC0, B0
    low         P2, ACC0, B2
    low         P2, ACC1, B1
    low         P2, ACC2, B0
    high        P2, ACC0, B1
    high        P2, ACC1, B0
    low         P3, ACC0, B3
    low         P3, ACC1, B2
    low         P3, ACC2, B1
    low         P3, ACC3, B0
    high        P3, ACC0, B2
    high        P3, ACC1, B1
    high        P3, ACC2, B0
.endm

/* `insn` for each word of the accumulator, of the product and of the data. */
.macro each insn
    \insn       ACC0, P0, DATA0
    \insn       ACC1, P1, DATA1
    \insn       ACC2, P2, DATA2
    \insn       ACC3, P3, DATA3
.endm

/* Bits of a block are numbered from the most significant bit of byte 0, those of a polynomial from x^0. */
.macro reverse acc, p, data
    vbrev8.v    \data, \data
.endm
.macro reverse_acc acc, p, data
    vbrev8.v    \acc, \acc
.endm
.macro join acc, p, data
    vxor.vv     \acc, \p, \data
.endm

/* B from the first lane of the four words. vl is 1. */
.macro factor w0, w1, w2, w3
    vmv.x.s     B0, \w0
    vmv.x.s     B1, \w1
    vmv.x.s     B2, \w2
    vmv.x.s     B3, \w3
.endm

/* B = H. Sets vl to 1; clobbers v28 ... v31. */
.macro factor_h
    vsetivli    zero, 1, e32, m1, tu, ma
    vlseg4e32.v v28, (KEY)
    .irp word, v28,v29,v30,v31
    vbrev8.v    \word, \word
    .endr
    factor      v28, v29, v30, v31
.endm

/* B = B^2. Sets vl to 1; preserves the accumulator, whose first lane is kept in v28 ... v31 meanwhile. */
.macro square
    vsetivli    zero, 1, e32, m1, tu, ma
    vmv.v.v     v28, ACC0
    vmv.v.v     v29, ACC1
    vmv.v.v     v30, ACC2
    vmv.v.v     v31, ACC3
    vmv.s.x     ACC0, B0
    vmv.s.x     ACC1, B1
    vmv.s.x     ACC2, B2
    vmv.s.x     ACC3, B3
    multiply
    factor      P0, P1, P2, P3
    vmv.v.v     ACC0, v28
    vmv.v.v     ACC1, v29
    vmv.v.v     ACC2, v30
    vmv.v.v     ACC3, v31
.endm

/* void cv_ghash_zvbc32e0p7(const cv_ghash_key *key, uint8_t y[16], const uint8_t *in, size_t blocks)
 * y = ((y + in[0]) H + in[1]) H ... + in[blocks - 1]) H in GF(2^128) of NIST SP 800-38D; lanes are as in ghash.h.
 * blocks > 0, y aligned to 4. A step takes 83 instructions. Clobbers a0 ... a7, t0 ... t6, all vector registers. */
cv_function cv_ghash_zvbc32e0p7
    li          FOLD, 0x87
    ghash_few_lanes LANES, FIRST, BLOCKS, m8, 2
    factor_h
    beq         FIRST, BLOCKS, 2f
    /* B = H^n. */
    srli        STEP, LANES, 1
    beqz        STEP, 2f
1:  square
    srli        STEP, STEP, 1
    bnez        STEP, 1b
    /* Zeros, then the first blocks, the hash added to the first of them. */
2:  vsetvli     zero, FIRST, e32, m2, ta, ma
    vlseg4e32.v DATA0, (IN)
    vsetivli    zero, 1, e32, m1, tu, ma
    vlseg4e32.v v28, (Y)
    vxor.vv     DATA0, DATA0, v28
    vxor.vv     DATA1, DATA1, v29
    vxor.vv     DATA2, DATA2, v30
    vxor.vv     DATA3, DATA3, v31
    vsetvli     zero, LANES, e32, m2, ta, ma
    sub         t0, LANES, FIRST
    .irp word, ACC0,ACC1,ACC2,ACC3
    vmv.v.i     \word, 0
    .endr
    vslideup.vx ACC0, DATA0, t0
    vslideup.vx ACC1, DATA1, t0
    vslideup.vx ACC2, DATA2, t0
    vslideup.vx ACC3, DATA3, t0
    each        reverse_acc
    slli        END, BLOCKS, 4
    add         END, END, IN
    slli        t0, FIRST, 4
    add         IN, IN, t0
    beq         IN, END, 4f
    slli        STEP, LANES, 4
3:  vlseg4e32.v DATA0, (IN)
    add         IN, IN, STEP
    multiply
    each        reverse
    each        join
    bne         IN, END, 3b
    /* The sum of ACC[j] H^(n - j), by pairs: ACC[j] H^m + ACC[j + m] for m = 1, 2, 4 ... n / 2, and then multiplied by
     * H. */
    factor_h
4:  li          t0, 1
    bgeu        t0, LANES, 7f
5:  vsetvli     zero, LANES, e32, m2, ta, ma
    vslidedown.vx DATA0, ACC0, t0
    vslidedown.vx DATA1, ACC1, t0
    vslidedown.vx DATA2, ACC2, t0
    vslidedown.vx DATA3, ACC3, t0
    multiply
    each        join
    slli        t0, t0, 1
    bgeu        t0, LANES, 6f
    square
    j           5b
6:  factor_h
7:  vsetivli    zero, 1, e32, m1, ta, ma
    multiply
    vbrev8.v    v28, P0
    vbrev8.v    v29, P1
    vbrev8.v    v30, P2
    vbrev8.v    v31, P3
    vsseg4e32.v v28, (Y)
    .irp secret, B0,B1,B2,B3
    li          \secret, 0
    .endr
    cv_return
cv_end cv_ghash_zvbc32e0p7

.section .note.GNU-stack, "", @progbits

/* GHASH. Needs: V, Zvbc, Zvkb. VLEN at least 128; all lanes of four registers of 64 bits at once. */
#include "ghash.h"

#define KEY     a0      /* cv_ghash_key begins with H */
#define Y       a1
#define IN      a2
#define BLOCKS  a3
#define B0      a4      /* the factor, lower word, */
#define B1      a5      /* and upper word; */
#define C0      a6      /* the factor times x^64 */
#define C1      a7
#define LANES   t2
#define FIRST   t3
#define STEP    t4
#define END     t5
#define FOLD    t6
#define ACC0    v0
#define ACC1    v4
#define DATA0   v8
#define DATA1   v12
#define P0      v16
#define P1      v20
#define P2      v24
#define TEMP    v28

/* p ^= a b; `insn` is vclmul.vx or vclmulh.vx. */
.macro add_product insn, p, a, b
    \insn       TEMP, \a, \b
    vxor.vv     \p, \p, TEMP
.endm

/* a = a B in every lane, where a is a0 + a1 x^64 and C = B x^64: a0 B + a1 C has three words, of which the third is
 * folded with x^128 = x^7 + x^2 + x + 1, 0x87. 17 instructions. */
.macro multiply a0, a1
    vclmul.vx   P0, \a0, B0
    vclmulh.vx  P1, \a0, B0
    vclmulh.vx  P2, \a0, B1
    add_product vclmul.vx, P0, \a1, C0
    add_product vclmulh.vx, P1, \a1, C0
    add_product vclmul.vx, P1, \a0, B1
    add_product vclmul.vx, P1, \a1, C1
    add_product vclmulh.vx, P2, \a1, C1
    vclmul.vx   \a0, P2, FOLD
    vclmulh.vx  \a1, P2, FOLD
    vxor.vv     \a0, \a0, P0
    vxor.vv     \a1, \a1, P1
.endm

/* B and C from the first lane of a. vl is 1. */
.macro factor a0, a1
    vmv.x.s     B0, \a0
    vmv.x.s     B1, \a1
    vclmul.vx   TEMP, \a1, FOLD
    vmv.x.s     C0, TEMP
    vclmulh.vx  TEMP, \a1, FOLD
    vxor.vv     TEMP, TEMP, \a0
    vmv.x.s     C1, TEMP
.endm

/* B = H. A polynomial has x^i at bit i; bits of a block are numbered from the most significant bit of byte 0. Sets vl
 * to 1; clobbers DATA. */
.macro factor_h
    vsetivli    zero, 1, e64, m1, tu, ma
    vlseg2e64.v v8, (KEY)
    vbrev8.v    v12, v9
    vbrev8.v    v8, v8
    factor      DATA0, DATA1
.endm

/* B = B^2. Sets vl to 1; clobbers DATA. */
.macro square
    vsetivli    zero, 1, e64, m1, tu, ma
    vmv.s.x     DATA0, B0
    vmv.s.x     DATA1, B1
    multiply    DATA0, DATA1
    factor      DATA0, DATA1
.endm

/* B = B^lanes. Sets vl to 1; clobbers DATA, t0. */
.macro raise lanes
    srli        t0, \lanes, 1
    beqz        t0, .Ldone\@
.Lnext\@:
    square
    srli        t0, t0, 1
    bnez        t0, .Lnext\@
.Ldone\@:
.endm

/* void cv_ghash_zvbc_zvkb(const cv_ghash_key *key, uint8_t y[16], const uint8_t *in, size_t blocks)
 * y = ((y + in[0]) H + in[1]) H ... + in[blocks - 1]) H in GF(2^128) of NIST SP 800-38D; lanes are as in ghash.h.
 * blocks > 0. A step takes 24 instructions. Clobbers a0 ... a7, t0 ... t6, all vector registers. */
cv_function cv_ghash_zvbc_zvkb
    li          FOLD, 0x87
    ghash_few_lanes LANES, FIRST, BLOCKS, m8, 2
    factor_h
    beq         FIRST, BLOCKS, 1f
    raise       LANES
    /* Zeros, then the first blocks, the hash added to the first of them. */
1:  vsetvli     zero, FIRST, e64, m4, ta, ma
    vlseg2e64.v DATA0, (IN)
    vsetivli    zero, 1, e64, m1, tu, ma
    vlseg2e64.v v16, (Y)
    vxor.vv     DATA0, DATA0, v16
    vxor.vv     DATA1, DATA1, v17
    vsetvli     zero, LANES, e64, m4, ta, ma
    vmv.v.i     ACC0, 0
    vmv.v.i     ACC1, 0
    sub         t0, LANES, FIRST
    vslideup.vx ACC0, DATA0, t0
    vslideup.vx ACC1, DATA1, t0
    vbrev8.v    ACC0, ACC0
    vbrev8.v    ACC1, ACC1
    slli        END, BLOCKS, 4
    add         END, END, IN
    slli        t0, FIRST, 4
    add         IN, IN, t0
    beq         IN, END, 3f
    slli        STEP, LANES, 4
2:  vlseg2e64.v DATA0, (IN)
    add         IN, IN, STEP
    multiply    ACC0, ACC1
    vbrev8.v    DATA0, DATA0
    vbrev8.v    DATA1, DATA1
    vxor.vv     ACC0, ACC0, DATA0
    vxor.vv     ACC1, ACC1, DATA1
    bne         IN, END, 2b
    /* The sum of ACC[j] H^(n - j), by pairs: ACC[j] H^m + ACC[j + m] for m = 1, 2, 4 ... n / 2, and then multiplied by
     * H. */
    factor_h
3:  li          t0, 1
    bgeu        t0, LANES, 6f
4:  vsetvli     zero, LANES, e64, m4, ta, ma
    vslidedown.vx DATA0, ACC0, t0
    vslidedown.vx DATA1, ACC1, t0
    multiply    ACC0, ACC1
    vxor.vv     ACC0, ACC0, DATA0
    vxor.vv     ACC1, ACC1, DATA1
    slli        t0, t0, 1
    bgeu        t0, LANES, 5f
    square
    j           4b
5:  factor_h
6:  vsetivli    zero, 1, e64, m1, ta, ma
    multiply    ACC0, ACC1
    vbrev8.v    v16, ACC0
    vbrev8.v    v17, ACC1
    vsseg2e64.v v16, (Y)
    .irp secret, B0,B1,C0,C1
    li          \secret, 0
    .endr
    cv_return
cv_end cv_ghash_zvbc_zvkb

.section .note.GNU-stack, "", @progbits

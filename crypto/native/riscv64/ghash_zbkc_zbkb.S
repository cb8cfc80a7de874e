/* GHASH. Needs: RV64, Zbkc, Zbkb. */
#include "function.h"
#include "insn_zk.h"

#define KEY     a0      /* cv_ghash_key begins with H */
#define Y       a1
#define IN      a2
#define BLOCKS  a3
#define H0      a4
#define H1      a5
#define Y0      a6
#define Y1      a7
#define P0      t0
#define P1      t1
#define P2      t2
#define P3      t3
#define TEMP    t4
#define FOLD    t5

/* p ^= a b; `insn` is clmul or clmulh. */
.macro add_product insn, p, a, b
    \insn       TEMP, \a, \b
    xor         \p, \p, TEMP
.endm

/* Loads a block as a polynomial with x^i at bit i. Bits of a block are numbered from the most significant bit of byte
 * 0. */
.macro load_block first, second, from
    ld          \first, 0(\from)
    ld          \second, 8(\from)
    brev8       \first, \first
    brev8       \second, \second
.endm

/* void cv_ghash_zbkc_zbkb_aligned(const cv_ghash_key *key, uint8_t y[16], const uint8_t *in, size_t blocks)
 * y = ((y + in[0]) H + in[1]) H ... in GF(2^128) of NIST SP 800-38D. The product has four words; x^128 = x^7 + x^2 + x
 * + 1 folds the upper two, multiplied by 0x87, onto the two below. A block takes 29 instructions.
 * blocks > 0; all aligned to 8. Clobbers a2 ... a7, t0 ... t5. */
cv_function cv_ghash_zbkc_zbkb_aligned
    load_block  H0, H1, KEY
    load_block  Y0, Y1, Y
    slli        BLOCKS, BLOCKS, 4
    add         BLOCKS, BLOCKS, IN
    li          FOLD, 0x87
1:  load_block  P0, P1, IN
    addi        IN, IN, 16
    xor         Y0, Y0, P0
    xor         Y1, Y1, P1
    clmulh      P3, Y1, H1
    clmul       P2, Y1, H1
    clmulh      P1, Y0, H0
    clmul       P0, Y0, H0
    add_product clmulh, P2, Y0, H1
    add_product clmulh, P2, Y1, H0
    add_product clmul, P1, Y0, H1
    add_product clmul, P1, Y1, H0
    add_product clmulh, P2, P3, FOLD
    add_product clmul, P1, P3, FOLD
    clmulh      Y1, P2, FOLD
    clmul       Y0, P2, FOLD
    xor         Y1, Y1, P1
    xor         Y0, Y0, P0
    bne         IN, BLOCKS, 1b
    brev8       Y0, Y0
    brev8       Y1, Y1
    sd          Y0, 0(Y)
    sd          Y1, 8(Y)
    .irp secret, H0,H1,Y0,Y1,P0,P1,P2,P3,TEMP
    li          \secret, 0
    .endr
    ret
cv_end cv_ghash_zbkc_zbkb_aligned

.section .note.GNU-stack, "", @progbits

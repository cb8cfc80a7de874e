/* AES in offset codebook mode. Needs: V, Zvkned. VLEN at least 128; all lanes of four registers at once. */
#include "aes.h"

#define KEY     a0
#define OUT     a1
#define IN      a2
#define BLOCKS  a3      /* left */
#define OCB     a4
#define NUMBER  a5      /* of the next block; then of the step, in steps */
#define LAST    a6      /* lane of the last block */
#define ALL     a7      /* elements of all lanes */
#define LANES   t2
#define STEP    t3
#define TABLE   t4      /* L[i] of the lowest bit above the lanes */
#define SHIFT   t5      /* which is bit i */
#define FIRST   t6
#define OFFSETS v16
#define DATA    v20
#define SUM     v24
#define BEGIN   v28     /* offsets of the first step; then: */
#define ODD     v28     /* from a step to one with an odd number */
#define WITHIN  v29     /* from the first to the last lane */
#define EVEN    v30

/* Offsets in cv_ocb (src/ocb.c asserts them). */
#define OCB_L           48
#define OCB_OFFSET      560
#define OCB_CHECKSUM    576
#define OCB_BLOCKS      656

.macro ocb_encrypt offsets, rounds
    vle32.v     DATA, (IN)
    vxor.vv     SUM, SUM, DATA
    vxor.vv     DATA, DATA, \offsets
    aes_encrypt DATA, \rounds
    vxor.vv     DATA, DATA, \offsets
    vse32.v     DATA, (OUT)
.endm

.macro ocb_decrypt offsets, rounds
    vle32.v     DATA, (IN)
    vxor.vv     DATA, DATA, \offsets
    aes_decrypt DATA, \rounds
    vxor.vv     DATA, DATA, \offsets
    vxor.vv     SUM, SUM, DATA
    vse32.v     DATA, (OUT)
.endm

/* out = L[ntz(number)], in the present vl. `entry`: where L[0] is. Clobbers t0, t1, a0. */
.macro load_l out, number, entry
    mv          t0, \number
    mv          t1, \entry
    j           .Ltest\@
.Lnext\@:
    addi        t1, t1, 16
    srli        t0, t0, 1
.Ltest\@:
    andi        a0, t0, 1
    beqz        a0, .Lnext\@
    vle32.v     \out, (t1)
.endm

/* C[i] = E(K, P[i] + O[i]) + O[i] or P[i] = D(K, C[i] + O[i]) + O[i], and the sum of all P[i].
 *
 * O[i] = O[i-1] + L[ntz(i)]: so from a multiple of n on, O[q n + j] = O[q n] + G[j], where G[j] is the sum of those L whose
 * bits the Gray code j ^ j >> 1 has. Lane j holds that of block q n + j. From lanes 0 ... k - 1 to k ... 2 k - 1 it is a
 * step of L[b] + L[b-1], k = 2^b; from the last lane to the first of the next step it is L[log n - 1] + L[ntz((q+1) n)].
 * The first step begins at the lane of its number. Any other takes 11 instructions and one for each round key, and 6
 * or more if its number is even. */
.macro ocb crypt, rounds
    aes_load_keys \rounds, KEY
    vsetvli     ALL, zero, e32, m4, ta, ma
    srli        LANES, ALL, 2
    slli        STEP, ALL, 2
    addi        TABLE, OCB, OCB_L
    li          SHIFT, 0
    li          FIRST, 4
    vmv.v.i     OFFSETS, 0
.Ldouble\@:
    vsetivli    zero, 4, e32, m4, ta, ma
    vle32.v     BEGIN, (TABLE)
    beqz        SHIFT, .Lone\@
    addi        t0, TABLE, -16
    vle32.v     DATA, (t0)
    vxor.vv     BEGIN, BEGIN, DATA
.Lone\@:
    vsetvli     zero, ALL, e32, m4, ta, ma
    vmv.v.v     DATA, OFFSETS
    vaesz.vs    DATA, BEGIN
    vslideup.vx OFFSETS, DATA, FIRST
    addi        TABLE, TABLE, 16
    addi        SHIFT, SHIFT, 1
    slli        FIRST, FIRST, 1
    bltu        FIRST, ALL, .Ldouble\@

    /* The offset of the first block, less that of its lane, in every lane. */
    ld          NUMBER, OCB_BLOCKS(OCB)
    addi        NUMBER, NUMBER, 1
    addi        LAST, LANES, -1
    and         LAST, LAST, NUMBER
    slli        FIRST, LAST, 2
    vsetivli    zero, 4, e32, m4, ta, ma
    addi        t1, OCB, OCB_L
    load_l      DATA, NUMBER, t1
    addi        t0, OCB, OCB_OFFSET
    vle32.v     SUM, (t0)
    vslidedown.vx BEGIN, OFFSETS, FIRST
    vxor.vv     SUM, SUM, DATA
    vxor.vv     SUM, SUM, BEGIN
    vsetvli     zero, ALL, e32, m4, ta, ma
    vaesz.vs    OFFSETS, SUM
    vslidedown.vx BEGIN, OFFSETS, FIRST
    vmv.v.i     SUM, 0

    sub         FIRST, LANES, LAST
    bgeu        BLOCKS, FIRST, .Lfull\@
    mv          FIRST, BLOCKS
.Lfull\@:
    slli        t0, FIRST, 2
    vsetvli     zero, t0, e32, m4, tu, ma
    \crypt      BEGIN, \rounds
    sub         BLOCKS, BLOCKS, FIRST
    add         LAST, LAST, FIRST
    addi        LAST, LAST, -1
    beqz        BLOCKS, .Lend\@
    slli        FIRST, FIRST, 4
    add         IN, IN, FIRST
    add         OUT, OUT, FIRST
    vsetivli    zero, 4, e32, m1, ta, ma
    addi        t0, TABLE, -16
    vle32.v     WITHIN, (t0)
    vle32.v     ODD, (TABLE)
    vxor.vv     ODD, ODD, WITHIN
    vsetvli     zero, ALL, e32, m4, tu, ma
    srl         NUMBER, NUMBER, SHIFT
    addi        LAST, LANES, -1
.Lstep\@:
    addi        NUMBER, NUMBER, 1
    andi        t0, NUMBER, 1
    bnez        t0, .Lodd\@
    vsetivli    zero, 4, e32, m1, ta, ma
    load_l      EVEN, NUMBER, TABLE
    vxor.vv     EVEN, EVEN, WITHIN
    vsetvli     zero, ALL, e32, m4, tu, ma
    vaesz.vs    OFFSETS, EVEN
    j           .Lready\@
.Lodd\@:
    vaesz.vs    OFFSETS, ODD
.Lready\@:
    bltu        BLOCKS, LANES, .Ltail\@
    \crypt      OFFSETS, \rounds
    add         IN, IN, STEP
    add         OUT, OUT, STEP
    sub         BLOCKS, BLOCKS, LANES
    bnez        BLOCKS, .Lstep\@
    j           .Lend\@
.Ltail\@:
    slli        t0, BLOCKS, 2
    vsetvli     zero, t0, e32, m4, tu, ma
    \crypt      OFFSETS, \rounds
    addi        LAST, BLOCKS, -1

    /* The offset of the last block, and the sum of all lanes. */
.Lend\@:
    slli        LAST, LAST, 2
    vsetvli     zero, ALL, e32, m4, ta, ma
    vslidedown.vx DATA, OFFSETS, LAST
    srli        ALL, ALL, 1
    addi        t0, OCB, OCB_OFFSET
    vsetivli    zero, 4, e32, m1, ta, ma
    vse32.v     DATA, (t0)
.Lfold\@:
    vsetvli     zero, ALL, e32, m4, ta, ma
    vslidedown.vx DATA, SUM, ALL
    vxor.vv     SUM, SUM, DATA
    srli        ALL, ALL, 1
    li          t0, 4
    bgeu        ALL, t0, .Lfold\@
    addi        t0, OCB, OCB_CHECKSUM
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     DATA, (t0)
    vxor.vv     SUM, SUM, DATA
    vse32.v     SUM, (t0)
    cv_return
.endm

/* void cv_aes_zvkned_ocb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, cv_ocb *ocb)
 * Reads ocb->l and ocb->blocks, moves ocb->offset and ocb->checksum on. blocks > 0. Clobbers a0 ... a7, t0 ... t6, all
 * vector registers. */
cv_function cv_aes_zvkned_ocb_encrypt
    aes_by_rounds KEY, .Lencrypt12, .Lencrypt14
    ocb         ocb_encrypt, 10
.Lencrypt12:
    ocb         ocb_encrypt, 12
.Lencrypt14:
    ocb         ocb_encrypt, 14
cv_end cv_aes_zvkned_ocb_encrypt

/* void cv_aes_zvkned_ocb_decrypt(…), as above, with D. */
cv_function cv_aes_zvkned_ocb_decrypt
    aes_by_rounds KEY, .Ldecrypt12, .Ldecrypt14
    ocb         ocb_decrypt, 10
.Ldecrypt12:
    ocb         ocb_decrypt, 12
.Ldecrypt14:
    ocb         ocb_decrypt, 14
cv_end cv_aes_zvkned_ocb_decrypt

.section .note.GNU-stack, "", @progbits

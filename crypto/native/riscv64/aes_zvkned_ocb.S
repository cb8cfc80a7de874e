/* AES in offset codebook mode. Needs: V, Zvkned. VLEN at least 128; all lanes of four registers at once. */
#include "aes.h"

#define KEY     a0
#define OUT     a1
#define IN      a2
#define BLOCKS  a3      /* remaining */
#define OCB     a4
#define NUMBER  a5      /* of the next block; then of the step, in steps */
#define LAST    a6      /* lane of the last block */
#define ALL     a7      /* elements of all lanes */
#define LANES   t2
#define STEP    t3
#define TABLE   t4      /* address of L[i] for the lowest bit above the lanes */
#define SHIFT   t5      /* that bit's number i; then: */
#define FOUR    t5      /* blocks of four steps */
#define FIRST   t6
#define OFFSETS v16
#define DATA    v20
#define SUM     v24
#define BEGIN   v28     /* offsets of the first step; then: */
#define BY1     v28     /* difference of offsets from a step to one with an odd number, */
#define BY2     v29     /* with twice an odd number, */
#define BY4     v30     /* with four times an odd number; */
#define BY      v31     /* to any step */
#define WITHIN  v0      /* difference from the first to the last lane */

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

/* out = L[ntz(number)], at the current vl. `entry`: address of L[0]. Clobbers t0, t1, a0. */
.macro load_l out, number, entry
    mv          t0, \number
    addi        t1, \entry, -16
.Lnext\@:
    andi        a0, t0, 1
    addi        t1, t1, 16
    srli        t0, t0, 1
    beqz        a0, .Lnext\@
    vle32.v     \out, (t1)
.endm

/* Moves OFFSETS to step `number`; the lowest bit of `number` corresponds to `entry`. */
.macro move number, entry
    vsetivli    zero, 4, e32, m1, ta, ma
    load_l      BY, \number, \entry
    vxor.vv     BY, BY, WITHIN
    vsetvli     zero, ALL, e32, m4, tu, ma
    vaesz.vs    OFFSETS, BY
.endm

/* out = the sum of L at `entry` and WITHIN. Sets vl to a block. */
.macro load_by out, entry, at
    addi        t0, \entry, \at
    vle32.v     \out, (t0)
    vxor.vv     \out, \out, WITHIN
.endm

/* One step of all lanes. */
.macro step crypt, rounds
    \crypt      OFFSETS, \rounds
    add         IN, IN, STEP
    add         OUT, OUT, STEP
.endm

/* C[i] = E(K, P[i] + O[i]) + O[i] or P[i] = D(K, C[i] + O[i]) + O[i], and the sum of all P[i].
 *
 * O[i] = O[i-1] + L[ntz(i)]. Therefore, from a multiple of n on, O[q n + j] = O[q n] + G[j], where G[j] is the sum of
 * those L whose bits are set in the Gray code j ^ j >> 1. Lane j holds the offset of block q n + j. From lanes 0 ... k
 * - 1 to k ... 2 k - 1 the difference is L[b] + L[b-1], k = 2^b; from the last lane to the first of the next step it is
 * L[log n - 1] + L[ntz((q+1) n)]. The first step begins at the lane of its block number. Steps are grouped in fours
 * where possible, so that the last of each group has a number that is a multiple of four: eight steps take 174
 * instructions or a few more with ten rounds, 8 for each round key. */
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
    srl         NUMBER, NUMBER, SHIFT
    slli        FOUR, LANES, 2
    vsetvli     zero, ALL, e32, m4, tu, ma
.Lstep\@:
    bltu        BLOCKS, LANES, .Ltail\@
    andi        t0, NUMBER, 3
    bnez        t0, .Lone_step\@
    bgeu        BLOCKS, FOUR, .Lfast\@
.Lone_step\@:
    addi        NUMBER, NUMBER, 1
    move        NUMBER, TABLE
    step        \crypt, \rounds
    sub         BLOCKS, BLOCKS, LANES
    bnez        BLOCKS, .Lstep\@
    j           .Lwhole\@
.Lfast\@:
    vsetivli    zero, 4, e32, m1, ta, ma
    load_by     BY1, TABLE, 0
    load_by     BY2, TABLE, 16
    load_by     BY4, TABLE, 32
    vsetvli     zero, ALL, e32, m4, tu, ma
    addi        TABLE, TABLE, 48
.Lfour\@:
    vaesz.vs    OFFSETS, BY1
    step        \crypt, \rounds
    vaesz.vs    OFFSETS, BY2
    step        \crypt, \rounds
    vaesz.vs    OFFSETS, BY1
    step        \crypt, \rounds
    addi        NUMBER, NUMBER, 4
    andi        t0, NUMBER, 4
    bnez        t0, .Lby4\@
    srli        t0, NUMBER, 3
    move        t0, TABLE
    j           .Lfourth\@
.Lby4\@:
    vaesz.vs    OFFSETS, BY4
.Lfourth\@:
    step        \crypt, \rounds
    sub         BLOCKS, BLOCKS, FOUR
    bgeu        BLOCKS, FOUR, .Lfour\@
    addi        TABLE, TABLE, -48
    bnez        BLOCKS, .Lstep\@
.Lwhole\@:
    addi        LAST, LANES, -1
    j           .Lend\@
.Ltail\@:
    addi        NUMBER, NUMBER, 1
    move        NUMBER, TABLE
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
 * Reads ocb->l and ocb->blocks, updates ocb->offset and ocb->checksum. blocks > 0. Clobbers a0 ... a7, t0 ... t6, all
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

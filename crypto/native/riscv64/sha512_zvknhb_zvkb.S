/* SHA-512's compression function. Needs: V, Zvknhb, Zvkb. VLEN at least 128. */
#include "sha2.h"

.hidden cv_sha512_k

#define K     a3
#define SPACE a4

/* For VLEN 128, four words in two registers: v2 v3 scratch, v4 ... v7 the state before the block, v8 ... v15 words, v16
 * ... v23 words plus constants, v28 ... v31 state. Constants do not fit; K advances over them in each block. */

/* Sixteen rounds with the words in v8 ... v15, and their successors if `schedule`; K advances by `words`. vl is sixteen
 * words before and after. */
.macro rounds schedule, words
    vle64.v     v16, (K)
    addi        K, K, 8 * \words
    vadd.vv     v16, v16, v8
    vsetivli    zero, 4, e64, m2, ta, ma
    sha2_quad   \schedule, v16, v28, v30, v2, v8, v10, v12, v14
    sha2_quad   \schedule, v18, v28, v30, v2, v10, v12, v14, v8
    sha2_quad   \schedule, v20, v28, v30, v2, v12, v14, v8, v10
    sha2_quad   \schedule, v22, v28, v30, v2, v14, v8, v10, v12
    vsetvli     t0, zero, e64, m8, ta, ma
.endm

/* Absorbs a block into the state. After the rounds, the state before the block is added: the last four of the eight
 * registers of a group. */
.macro block
    vmv4r.v     v4, v28
    vle64.v     v8, (DATA)
    addi        DATA, DATA, 16 * 8
    vrev8.v     v8, v8
    rounds      1, 16
    rounds      1, 16
    rounds      1, 16
    rounds      1, 16
    rounds      0, -64
    vadd.vv     v24, v24, v0
.endm

/* All blocks, if four words are one register. Constants of rounds 64 ... 79 are kept on the stack as four registers. */
.macro one_register parts
    sha2_constants \parts, 64, 8, K
    vsetivli    zero, 4, e64, m1, ta, ma
    sha2_sixteen \parts, 64, 8, K, v8, v9, v10, v11
    csrr        SPACE, 0xc22
    slli        SPACE, SPACE, 2
    sub         sp, sp, SPACE
    vs4r.v      v8, (sp)
    sha2_mask
    sha2_blocks \parts, 64, 8, 80
    add         sp, sp, SPACE
    cv_return
.endm

/* state = H(i), H(i+1) = H(i) + rounds of block i (FIPS 180-4, 6.4.2). A block of 128 bytes takes 103 instructions, 94
 * where VLEN is 256, 105 where it is 512, and 106 above.
 *
 * void cv_sha512_zvknhb_zvkb(uint64_t state[8], const uint8_t *data, size_t blocks)
 * blocks > 0. Four vector registers on the stack where VLEN is above 128. Clobbers a1 ... a4, t0, t1, all vector
 * registers. */
cv_function cv_sha512_zvknhb_zvkb
    slli        END, END, 7
    add         END, END, DATA
    lla         K, cv_sha512_k
    csrr        t0, 0xc22
    li          t1, 32
    beq         t0, t1, .Lone
    li          t1, 64
    beq         t0, t1, .Ltwo
    bgtu        t0, t1, .Lfour
    sha2_mask
    sha2_load_state e64, m2, 8, v28, v30
    vsetvli     t0, zero, e64, m8, ta, ma
1:  block
    bne         DATA, END, 1b
    sha2_store_state e64, m2, 8, v28, v30
    cv_return

.Lone:
    one_register 1
.Ltwo:
    one_register 2
.Lfour:
    one_register 4
cv_end cv_sha512_zvknhb_zvkb

.section .note.GNU-stack, "", @progbits

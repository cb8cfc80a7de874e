/* SHA-2 in vector registers, for words of 32 and 64 bits.
 *
 * What needs no order among words is done for sixteen at once: byte order, sums with constants, the feed-forward. That
 * is one instruction instead of four, and two to change LMUL. */
#ifndef CV_SHA2_H
#define CV_SHA2_H

#include "vector.h"

#define STATE a0
#define DATA  a1
#define END   a2
/* v0: a bit for the first word. */

/* Four rounds with `k`, words of the schedule with their constants; then, if `schedule`, the words sixteen later:
 *   w0[i] = sigma1(W[t+14+i]) + W[t+9+i] + sigma0(W[t+1+i]) + W[t+i]
 * where vsha2ms wants W[t+4] and W[t+9 ... t+11] in one register. */
.macro sha2_quad schedule, k, abef, cdgh, tmp, w0, w1, w2, w3
    vsha2cl.vv  \cdgh, \abef, \k
    vsha2ch.vv  \abef, \cdgh, \k
    .if \schedule
    vmerge.vvm  \tmp, \w2, \w1, v0
    vsha2ms.vv  \w0, \tmp, \w3
    .endif
.endm

/* Offsets of f, e, b and a among words of `bytes` bytes to v1, and where h, g, d, c are to t0. Sets vl to four words. */
.macro sha2_order sew, lmul, bytes
    vsetivli    zero, 1, e32, m1, ta, ma
    li          t0, \bytes * 0x00010405
    vmv.s.x     v1, t0
    addi        t0, STATE, 2 * \bytes
    vsetivli    zero, 4, \sew, \lmul, ta, ma
.endm

.macro sha2_load_state sew, lmul, bytes, abef, cdgh
    sha2_order  \sew, \lmul, \bytes
    vluxei8.v   \abef, (STATE), v1
    vluxei8.v   \cdgh, (t0), v1
.endm

.macro sha2_store_state sew, lmul, bytes, abef, cdgh
    sha2_order  \sew, \lmul, \bytes
    vsuxei8.v   \abef, (STATE), v1
    vsuxei8.v   \cdgh, (t0), v1
.endm

.macro sha2_mask
    vsetivli    zero, 1, e8, m1, ta, ma
    vmv.v.i     v0, 1
.endm

/* What follows is for four words in one register: v1 scratch, v2 v3 the state before the block, v4 ... v7 words, v8 ... v11
 * words and constants, v14 v15 state (abef, cdgh), v16 ... v31 constants of 64 rounds. Lanes behind the fourth, where
 * there are such, compute nothing of use. */

/* Sixteen words to `w0` ... `w3`: at once if they fill the registers, else one by one. vl must be four words, and
 * becomes all of four registers. `ptr` moves on. */
.macro sha2_words full, sew, bytes, ptr, w0, w1, w2, w3
    .if \full
    vsetvli     t0, zero, e\sew, m4, ta, ma
    vle\sew\().v \w0, (\ptr)
    addi        \ptr, \ptr, 16 * \bytes
    .else
    .irp w, \w0, \w1, \w2, \w3
    vle\sew\().v \w, (\ptr)
    addi        \ptr, \ptr, 4 * \bytes
    .endr
    vsetvli     t0, zero, e\sew, m4, ta, ma
    .endif
.endm

.macro sha2_constants full, sew, bytes, ptr
    vsetivli    zero, 4, e\sew, m1, ta, ma
    sha2_words  \full, \sew, \bytes, \ptr, v16, v17, v18, v19
    vsetivli    zero, 4, e\sew, m1, ta, ma
    sha2_words  \full, \sew, \bytes, \ptr, v20, v21, v22, v23
    vsetivli    zero, 4, e\sew, m1, ta, ma
    sha2_words  \full, \sew, \bytes, \ptr, v24, v25, v26, v27
    vsetivli    zero, 4, e\sew, m1, ta, ma
    sha2_words  \full, \sew, \bytes, \ptr, v28, v29, v30, v31
.endm

/* Sixteen rounds with the words in v8 ... v11; then the next words in v4 ... v7, if `schedule`. Sets vl to four words. */
.macro sha2_rounds schedule, sew
    vsetivli    zero, 4, e\sew, m1, ta, ma
    sha2_quad   \schedule, v8, v14, v15, v1, v4, v5, v6, v7
    sha2_quad   \schedule, v9, v14, v15, v1, v5, v6, v7, v4
    sha2_quad   \schedule, v10, v14, v15, v1, v6, v7, v4, v5
    sha2_quad   \schedule, v11, v14, v15, v1, v7, v4, v5, v6
.endm

/* The next sixteen rounds, with constants from `k` on. */
.macro sha2_next schedule, sew, k
    vsetvli     t0, zero, e\sew, m4, ta, ma
    vadd.vv     v8, v4, \k
    sha2_rounds \schedule, \sew
.endm

/* A block into the state. v2 and v3 are added first: to begin with they are 0, and then what the state was before the
 * rounds of the block before. v12 ... v15 and v0 ... v3 are four registers each for that, of which the last two count. */
.macro sha2_block full, sew, bytes, parts
    sha2_words  \full, \sew, \bytes, DATA, v4, v5, v6, v7
    vadd.vv     v12, v12, v0
    vmv2r.v     v2, v14
    vrev8.v     v4, v4
    vadd.vv     v8, v4, v16
    sha2_rounds 1, \sew
    sha2_next   1, \sew, v20
    sha2_next   1, \sew, v24
    .if \parts == 4
    sha2_next   0, \sew, v28
    .else
    sha2_next   1, \sew, v28
    vl4re64.v   v8, (sp)
    vsetvli     t0, zero, e\sew, m4, ta, ma
    vadd.vv     v8, v4, v8
    sha2_rounds 0, \sew
    .endif
.endm

/* All blocks. The constants of rounds 64 ... 79 are at sp if there are such. vl is four words. */
.macro sha2_blocks full, sew, bytes, parts
    sha2_load_state e\sew, m1, \bytes, v14, v15
    vmv.v.i     v2, 0
    vmv.v.i     v3, 0
1:  sha2_block  \full, \sew, \bytes, \parts
    bne         DATA, END, 1b
    vadd.vv     v14, v14, v2
    vadd.vv     v15, v15, v3
    sha2_store_state e\sew, m1, \bytes, v14, v15
.endm

#endif

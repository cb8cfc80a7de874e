/* SHA-2 in vector registers, for words of 32 and 64 bits.
 *
 * Operations that do not depend on the order of words process sixteen at once: byte order, sums with constants, the
 * feed-forward. That takes one instruction instead of four, and two to change LMUL. */
#ifndef CV_SHA2_H
#define CV_SHA2_H

#include "vector.h"

#define STATE a0
#define DATA  a1
#define END   a2
/* v0: the mask that selects the first word. */

/* Four rounds with `k`, words of the schedule plus their constants; then, if `schedule`, the words sixteen positions
 * later:
 *   w0[i] = sigma1(W[t+14+i]) + W[t+9+i] + sigma0(W[t+1+i]) + W[t+i]
 * for which vsha2ms needs W[t+4] and W[t+9 ... t+11] in one register. */
.macro sha2_quad schedule, k, abef, cdgh, tmp, w0, w1, w2, w3
    vsha2cl.vv  \cdgh, \abef, \k
    vsha2ch.vv  \abef, \cdgh, \k
    .if \schedule
    vmerge.vvm  \tmp, \w2, \w1, v0
    vsha2ms.vv  \w0, \tmp, \w3
    .endif
.endm

/* Offsets of f, e, b and a among words of `bytes` bytes in v1, and the address of h, g, d, c in t0. Sets vl to four
 * words. */
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

/* The following macros are for four words in one register: v1 scratch, v2 v3 the state before the block, v4 ... v7
 * words, v8 ... v11 words plus constants, v14 v15 state (abef, cdgh), v16 ... v31 constants of 64 rounds.
 *
 * A register holds `parts` times four words. If that is 1, sixteen words are four registers, which are processed at
 * once. In larger registers that would compute unused lanes, which costs more cycles than it saves instructions: there
 * each register is processed on its own, and vl is four words. The words of a block are nevertheless loaded and
 * byte-swapped together, in as few registers as they fill, and then separated. Hence their place in `words`: the second
 * and the fourth four come from the registers of the first and the third, or all from the first. */
.macro sha2_with_words what, parts, more:vararg
    .ifeq \parts - 2
    \what       \parts, v6, v4, v7, v5, \more
    .else
    \what       \parts, v4, v5, v6, v7, \more
    .endif
.endm

/* Loads sixteen constants into `w0` ... `w3`. Advances `ptr`. */
.macro sha2_sixteen parts, sew, bytes, ptr, w0, w1, w2, w3
    .ifeq \parts - 1
    vsetvli     t0, zero, e\sew, m4, ta, ma
    vle\sew\().v \w0, (\ptr)
    addi        \ptr, \ptr, 16 * \bytes
    .else
    .irp w, \w0, \w1, \w2, \w3
    vle\sew\().v \w, (\ptr)
    addi        \ptr, \ptr, 4 * \bytes
    .endr
    .endif
.endm

.macro sha2_constants parts, sew, bytes, ptr
    vsetivli    zero, 4, e\sew, m1, ta, ma
    sha2_sixteen \parts, \sew, \bytes, \ptr, v16, v17, v18, v19
    sha2_sixteen \parts, \sew, \bytes, \ptr, v20, v21, v22, v23
    sha2_sixteen \parts, \sew, \bytes, \ptr, v24, v25, v26, v27
    sha2_sixteen \parts, \sew, \bytes, \ptr, v28, v29, v30, v31
.endm

/* Sixteen rounds with the words and the constants in four registers; then the next words, if `schedule`.
 * `first`: vl is as `sha2_begin` left it. */
.macro sha2_rounds parts, w0, w1, w2, w3, schedule, sew, k0, k1, k2, k3, first=0
    .ifeq \parts - 1
    .ifeq \first
    vsetvli     t0, zero, e\sew, m4, ta, ma
    .endif
    vadd.vv     v8, \w0, \k0
    vsetivli    zero, 4, e\sew, m1, ta, ma
    .endif
    sha2_four   \parts, \schedule, v8, \k0, \w0, \w1, \w2, \w3
    sha2_four   \parts, \schedule, v9, \k1, \w1, \w2, \w3, \w0
    sha2_four   \parts, \schedule, v10, \k2, \w2, \w3, \w0, \w1
    sha2_four   \parts, \schedule, v11, \k3, \w3, \w0, \w1, \w2
.endm

.macro sha2_four parts, schedule, sum, k, w0, w1, w2, w3
    .if \parts > 1
    vadd.vv     \sum, \w0, \k
    .endif
    sha2_quad   \schedule, \sum, v14, v15, v1, \w0, \w1, \w2, \w3
.endm

/* The words of the next block; v14 and v15 += v2 and v3, which become equal to them. v2 and v3 are 0 at first, and
 * later the state before the rounds of the last block. Of v12 ... v15 and of v0 ... v3, only the last two
 * registers are meaningful. */
.macro sha2_begin parts, w0, w1, w2, w3, sew, bytes
    .ifeq \parts - 1
    vsetvli     t0, zero, e\sew, m4, ta, ma
    .endif
    .ifeq \parts - 2
    vsetvli     t0, zero, e\sew, m2, ta, ma
    .endif
    .ifeq \parts - 4
    vsetivli    zero, 16, e\sew, m1, ta, ma
    .endif
    vle\sew\().v \w0, (DATA)
    addi        DATA, DATA, 16 * \bytes
    .ifeq \parts - 1
    vadd.vv     v12, v12, v0
    vmv2r.v     v2, v14
    vrev8.v     \w0, \w0
    .else
    vrev8.v     \w0, \w0
    vsetivli    zero, 4, e\sew, m1, ta, ma
    vslidedown.vi \w1, \w0, 4
    .ifeq \parts - 2
    vslidedown.vi \w3, \w2, 4
    .else
    vslidedown.vi \w2, \w0, 8
    vslidedown.vi \w3, \w0, 12
    .endif
    vadd.vv     v14, v14, v2
    vadd.vv     v15, v15, v3
    vmv.v.v     v2, v14
    vmv.v.v     v3, v15
    .endif
.endm

/* The last sixteen of eighty rounds: their constants are at sp. */
.macro sha2_fifth parts, w0, w1, w2, w3, sew
    vl4re64.v   v8, (sp)
    .ifeq \parts - 1
    vsetvli     t0, zero, e\sew, m4, ta, ma
    vadd.vv     v8, \w0, v8
    vsetivli    zero, 4, e\sew, m1, ta, ma
    .else
    vadd.vv     v8, v8, \w0
    vadd.vv     v9, v9, \w1
    vadd.vv     v10, v10, \w2
    vadd.vv     v11, v11, \w3
    .endif
    sha2_quad   0, v8, v14, v15, v1, \w0, \w1, \w2, \w3
    sha2_quad   0, v9, v14, v15, v1, \w1, \w2, \w3, \w0
    sha2_quad   0, v10, v14, v15, v1, \w2, \w3, \w0, \w1
    sha2_quad   0, v11, v14, v15, v1, \w3, \w0, \w1, \w2
.endm

/* Absorbs a block into the state, in `rounds` rounds. */
.macro sha2_block parts, sew, bytes, rounds
    sha2_with_words sha2_begin, \parts, \sew, \bytes
    sha2_with_words sha2_rounds, \parts, 1, \sew, v16, v17, v18, v19, 1
    sha2_with_words sha2_rounds, \parts, 1, \sew, v20, v21, v22, v23
    sha2_with_words sha2_rounds, \parts, 1, \sew, v24, v25, v26, v27
    .ifeq \rounds - 64
    sha2_with_words sha2_rounds, \parts, 0, \sew, v28, v29, v30, v31
    .else
    sha2_with_words sha2_rounds, \parts, 1, \sew, v28, v29, v30, v31
    sha2_with_words sha2_fifth, \parts, \sew
    .endif
.endm

/* All blocks. vl is four words. */
.macro sha2_blocks parts, sew, bytes, rounds
    sha2_load_state e\sew, m1, \bytes, v14, v15
    vmv.v.i     v2, 0
    vmv.v.i     v3, 0
1:  sha2_block  \parts, \sew, \bytes, \rounds
    bne         DATA, END, 1b
    vadd.vv     v14, v14, v2
    vadd.vv     v15, v15, v3
    sha2_store_state e\sew, m1, \bytes, v14, v15
.endm

#endif

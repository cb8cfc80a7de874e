/* XTS of any block cipher, all lanes of four registers at once; VLEN at least 128. xts_v.h and xts_zvkg.h define how
 * tweaks are computed and kept. */
#ifndef CV_XTS_H
#define CV_XTS_H

#include "vector.h"

#define KEY     a0
#define OUT     a1
#define IN      a2
#define BLOCKS  a3
#define TWEAK   a4
#define STEP    t2
#define END     t3
#define REST    t4
#define DONE    t5      /* words of the shorter step, after it */
#define LANES   t6      /* number of words in lanes with tweaks */
#define DATA    v16
#define MASK    v20     /* reversed tweaks */
#define TWEAKS  v24     /* tweaks in the form for multiplication */

/* Tweaks in one field are multiplied in their byte representation; those in the other, if `ieee` is TURNED, with the
 * bits of each byte reversed, for which Zvkb converts them back and forth. */
.macro turn out, in, ieee
    .ifeq \ieee - TURNED
    vbrev8.v    \out, \in
    .endif
.endm

.macro add_tweaks data, ieee
    .ifeq \ieee - TURNED
    vxor.vv     \data, \data, MASK
    .else
    vxor.vv     \data, \data, TWEAKS
    .endif
.endm

/* C[i] = E(K, P[i] + T x^i) + T x^i, or with D; then T = T x^blocks. `crypt rounds` converts DATA to `result`; `load
 * rounds` loads the round keys into v1 ... v15, and clobbers KEY. `begin step, blocks, ieee` sets lane i of TWEAKS to T
 * x^i, for all lanes or for more than `blocks`, and LANES to the number of their words; `next` multiplies all lanes by
 * x^n, where n is the number of lanes. A step takes 7 instructions in addition to `crypt` and `next`, and one more if
 * tweaks are reversed. */
.macro xts begin, next, load, crypt, result, rounds, ieee=1
    slli        DONE, BLOCKS, 4
    cv_steps    STEP, END, REST, IN, DONE, m4, ma
    \load       \rounds
    \begin      STEP, BLOCKS, \ieee
    vsetvli     t0, zero, e32, m4, ta, ma
    li          DONE, 0
    beq         IN, END, 3f
    j           2f
1:  \next
2:  turn        MASK, TWEAKS, \ieee
    vle32.v     DATA, (IN)
    add         IN, IN, STEP
    add_tweaks  DATA, \ieee
    \crypt      \rounds
    add_tweaks  \result, \ieee
    vse32.v     \result, (OUT)
    add         OUT, OUT, STEP
    bne         IN, END, 1b
    bnez        DONE, 4f
    \next
    /* Fewer lanes; the tweak after them is the next one. */
3:  beqz        REST, 4f
    srli        DONE, REST, 2
    vsetvli     zero, DONE, e32, m4, ta, ma
    mv          STEP, REST
    add         END, IN, REST
    j           2b
4:  vsetivli    zero, 4, e32, m4, ta, ma
    vslidedown.vx MASK, TWEAKS, DONE
    turn        MASK, MASK, \ieee
    vse32.v     MASK, (TWEAK)
    cv_return_after LANES, m4, v16, v20, v24, v28
.endm

#endif

/* SM3's compression function. Needs: V, Zvksh, Zvkb. VLEN at least 128. */
#include "vector.h"

#define STATE a0
#define DATA  a1
#define END   a2

/* vsm3c does rounds 2 i and 2 i + 1 with words 0, 1, 4 and 5 of eight, from W[2 i] on. So eight words are needed from
 * each even index on. vsm3me computes them from any index on:
 *   me(W[j+8 ... j+15], W[j ... j+7]) = W[j+16 ... j+23]
 * Two sequences are therefore expanded, q(k) = W[8 k ...] and p(k) = W[8 k + 4 ...], both at once as one register
 * group. The words from 8 k + 2 and 8 k + 6 on are obtained by moving these by two lanes, many at once: the words that move in from
 * the next group end up in unused lanes. Lanes after the eighth, if there are any, compute nothing useful. */

/* Eight rounds from round 2 `i` on. */
.macro rounds i, state, q, q2, p, p2
    vsm3c.vi    \state, \q, \i
    vsm3c.vi    \state, \q2, (\i+1)
    vsm3c.vi    \state, \p, (\i+2)
    vsm3c.vi    \state, \p2, (\i+3)
.endm

/* q(0), p(0), q(1) and p(1), whose last half comes from q(2). vl is eight words. */
.macro words q0, p0, q1, p1, scratch
    vle32.v     \q0, (DATA)
    addi        DATA, DATA, 16
    vle32.v     \p0, (DATA)
    addi        DATA, DATA, 16
    vle32.v     \q1, (DATA)
    addi        DATA, DATA, 32
    vsm3me.vv   \scratch, \q1, \q0
    vslidedown.vi \p1, \q1, 4
    vslideup.vi \p1, \scratch, 4
.endm

/* For VLEN 128, eight words in two registers: v2 v3 state, v4 v5 the state before the block, v8 ... v15 q, p, q, p,
 * v16 ... v23 the same moved. Sixteen rounds from round 2 `i` on, then the next words unless they are the last. */
.macro part i
    vsetvli     t0, zero, e32, m8, ta, ma
    vslidedown.vi v16, v8, 2
    vsetivli    zero, 8, e32, m2, ta, ma
    rounds      \i, v2, v8, v16, v10, v18
    rounds      (\i+4), v2, v12, v20, v14, v22
    .if \i < 24
    vsetvli     t0, zero, e32, m4, ta, ma
    vsm3me.vv   v8, v12, v8
    vsm3me.vv   v12, v8, v12
    .endif
.endm

/* For VLEN above 128, eight words in one register: v2 state, v4 the state before the block, v8 ... v15 q, p four times,
 * v16 ... v23 the same moved. 32 rounds from round 2 `i` on. */
.macro wide_part i
    vsetvli     t0, zero, e32, m8, ta, ma
    vslidedown.vi v16, v8, 2
    vsetivli    zero, 8, e32, m1, ta, ma
    rounds      \i, v2, v8, v16, v9, v17
    rounds      (\i+4), v2, v10, v18, v11, v19
    rounds      (\i+8), v2, v12, v20, v13, v21
    rounds      (\i+12), v2, v14, v22, v15, v23
.endm

/* Loads the state, big-endian, in the order of vsm3c. */
.macro load_state state
    vle32.v     \state, (STATE)
    vrev8.v     \state, \state
.endm

.macro store_state state
    vrev8.v     \state, \state
    vse32.v     \state, (STATE)
.endm

/* state = V(i), V(i+1) = CF(V(i), B(i)) (GB/T 32905-2016, 5.3). A block of 64 bytes takes 66 instructions, or 60 where
 * VLEN is above 128.
 *
 * void cv_sm3_zvksh_zvkb(uint32_t state[8], const uint8_t *data, size_t blocks)
 * blocks > 0. Clobbers a1, a2, t0, t1, all vector registers. */
cv_function cv_sm3_zvksh_zvkb
    slli        END, END, 6
    add         END, END, DATA
    csrr        t0, 0xc22
    li          t1, 16
    bne         t0, t1, .Lwide
    vsetivli    zero, 8, e32, m2, ta, ma
    load_state  v2
1:  vmv2r.v     v4, v2
    words       v8, v10, v12, v14, v24
    part        0
    part        8
    part        16
    part        24
    vxor.vv     v2, v2, v4
    bne         DATA, END, 1b
    store_state v2
    cv_return

.Lwide:
    vsetivli    zero, 8, e32, m1, ta, ma
    load_state  v2
1:  vmv1r.v     v4, v2
    words       v8, v9, v10, v11, v24
    vsetvli     t0, zero, e32, m2, ta, ma
    vsm3me.vv   v12, v10, v8
    vsm3me.vv   v14, v12, v10
    wide_part   0
    vsetvli     t0, zero, e32, m2, ta, ma
    vsm3me.vv   v8, v14, v12
    vsm3me.vv   v10, v8, v14
    vsm3me.vv   v12, v10, v8
    vsm3me.vv   v14, v12, v10
    wide_part   16
    vxor.vv     v2, v2, v4
    bne         DATA, END, 1b
    store_state v2
    cv_return
cv_end cv_sm3_zvksh_zvkb

.section .note.GNU-stack, "", @progbits

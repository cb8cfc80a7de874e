/* ChaCha20. Needs: V, Zvkb. VLEN at least 128; a block in each lane of two registers. */
#include "chacha20.h"

#define SPACE t6

.macro rotate x, n
    vror.vi     \x, \x, 32-\n
.endm

/* out[i] = in[i] ^ (R(S(i)) + S(i)), where S(i) is the state with counter + i, and R is twenty rounds (RFC 8439, 2.3).
 *
 * The state fills all registers. To make room for input, words 12 ... 15 go to the stack after the rounds, and each
 * four words that have been written make room for the next. 2 blocks for each 128 bits of VLEN take 1046 instructions.
 *
 * void cv_chacha20_zvkb(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t state[16])
 * blocks > 0. Eight vector registers on the stack. Clobbers a0 ... a7, t0 ... t6, all vector registers. */
cv_function cv_chacha20_zvkb
    chacha_begin
    csrr        SPACE, 0xc22
    slli        SPACE, SPACE, 3
    sub         sp, sp, SPACE
1:  vsetvli     VL, BLOCKS, e32, m2, ta, ma
    vid.v       v24
    chacha_splat v0, v2, v4, v6, v8, v10, v12, v14, v16, v18, v20, v22, v26, v28, v30
    vadd.vx     v24, v24, COUNTER
    li          ROUNDS, 5
2:  chacha_double_round v0, v2, v4, v6, v8, v10, v12, v14, v16, v18, v20, v22, v24, v26, v28, v30
    chacha_double_round v0, v2, v4, v6, v8, v10, v12, v14, v16, v18, v20, v22, v24, v26, v28, v30
    addi        ROUNDS, ROUNDS, -1
    bnez        ROUNDS, 2b
    chacha_add  v0, v2, v4, v6, v8, v10, v12, v14, v16, v18, v20, v22, v24, v26, v28, v30
    vs8r.v      v24, (sp)
    mv          FROM, IN
    mv          TO, OUT
    chacha_xor  v0, v2, v4, v6, v24, v26, v28, v30
    chacha_xor  v8, v10, v12, v14, v0, v2, v4, v6
    chacha_xor  v16, v18, v20, v22, v8, v10, v12, v14
    vl8re32.v   v0, (sp)
    vid.v       v8
    vadd.vv     v0, v0, v8
    chacha_xor  v0, v2, v4, v6, v16, v18, v20, v22, 1
    chacha_next 1b
    vsetvli     t0, zero, e32, m8, ta, ma
    vmv.v.i     v0, 0
    vs8r.v      v0, (sp)
    add         sp, sp, SPACE
    chacha_end
cv_end cv_chacha20_zvkb

.section .note.GNU-stack, "", @progbits

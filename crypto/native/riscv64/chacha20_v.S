/* ChaCha20. Needs: V. VLEN at least 128; a block in each lane of a register. */
#include "chacha20.h"

/* v24: scratch. */
.macro rotate x, n
    vsll.vi     v24, \x, \n
    vsrl.vi     \x, \x, 32-\n
    vor.vv      \x, \x, v24
.endm

/* As in chacha20_zvkb.S; rotations take three instructions and scratch, so words are single registers: word i is v(i).
 * v16: the lanes' part of the counter.
 *
 * void cv_chacha20_v(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t state[16])
 * blocks > 0. Clobbers a0 ... a7, t0 ... t5, all vector registers. */
cv_function cv_chacha20_v
    chacha_begin
1:  vsetvli     VL, BLOCKS, e32, m1, ta, ma
    vid.v       v16
    chacha_splat v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v13, v14, v15
    vadd.vx     v12, v16, COUNTER
    li          ROUNDS, 10
2:  chacha_double_round v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15
    addi        ROUNDS, ROUNDS, -1
    bnez        ROUNDS, 2b
    chacha_add  v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15
    vadd.vv     v12, v12, v16
    mv          FROM, IN
    mv          TO, OUT
    chacha_xor  v0, v1, v2, v3, v20, v21, v22, v23
    chacha_xor  v4, v5, v6, v7, v20, v21, v22, v23
    chacha_xor  v8, v9, v10, v11, v20, v21, v22, v23
    chacha_xor  v12, v13, v14, v15, v20, v21, v22, v23, 1
    chacha_next 1b
    chacha_end
cv_end cv_chacha20_v

.section .note.GNU-stack, "", @progbits

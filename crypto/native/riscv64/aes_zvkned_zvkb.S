/* AES in counter mode. Needs: V, Zvkned, Zvkb. VLEN at least 128; all lanes of eight registers at once. */
#include "aes.h"

#define KEY     a0
#define OUT     a1
#define IN      a2
#define BLOCKS  a3
#define IV      a4
#define COUNTER a5
#define STEP    t2
#define END     t3
#define REST    t4
#define LEN     t5
#define LANES   t6
#define STREAM  v16
#define DATA    v24
/* v0: a bit for the last word of each block, which is the counter. */

/* C[i] = P[i] ^ E(K, iv[0..2] || be32(counter + i)).
 *
 * The first three words of a block never change, so they are merged with the first round key: K0' = K0 ^ (iv[0..2] ||
 * 0). The rest of a block is 0, 0, 0, be32(counter + lane), which is computed anew in each step: keeping it would take
 * eight registers, but fifteen round keys, the stream and the data leave none. viota counts the blocks before each. A
 * step takes 11 instructions and one for each round key. */
.macro ctr rounds
    aes_load_keys \rounds, KEY
    vle32.v     STREAM, (IV)
    vsetvli     t0, zero, e8, m1, ta, ma
    li          t0, 0x88
    vmv.v.x     v0, t0
    vsetivli    zero, 4, e32, m1, ta, ma
    vmerge.vim  STREAM, STREAM, 0, v0
    vxor.vv     v1, v1, STREAM
    slli        LEN, BLOCKS, 4
    cv_steps    STEP, END, REST, IN, LEN, m8, mu
    srli        LANES, STEP, 4
    beq         IN, END, 2f
1:  vmv.v.i     STREAM, 0
    vle32.v     DATA, (IN)
    viota.m     STREAM, v0, v0.t
    add         IN, IN, STEP
    vadd.vx     STREAM, STREAM, COUNTER, v0.t
    addw        COUNTER, COUNTER, LANES
    vrev8.v     STREAM, STREAM
    aes_encrypt STREAM, \rounds
    vxor.vv     DATA, DATA, STREAM
    vse32.v     DATA, (OUT)
    add         OUT, OUT, STEP
    bne         IN, END, 1b
2:  cv_rest     STEP, END, REST, IN, m8, mu, 1b
    srli        LEN, LEN, 2
    cv_return_after LEN, m8, v16, v24
.endm

/* void cv_aes_zvkned_zvkb_ctr32(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *                               const uint8_t *iv, uint32_t counter)
 * blocks > 0, iv aligned to 4. Clobbers a0 ... a5, t0 ... t6, all vector registers. */
cv_function cv_aes_zvkned_zvkb_ctr32
    aes_by_rounds KEY, .Lrounds12, .Lrounds14
    ctr         10
.Lrounds12:
    ctr         12
.Lrounds14:
    ctr         14
cv_end cv_aes_zvkned_zvkb_ctr32

.section .note.GNU-stack, "", @progbits

/* SM4 in ECB, CBC, CFB and counter mode, and CBC-MAC. Needs: V, Zvksed, Zvkb. VLEN at least 128; all lanes of eight
 * registers at once, except where one block depends on the other. */
#include "sm4.h"

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
#define SAVED   a7      /* the stack pointer */
#define BEFORE  t4      /* address one block before IN */
#define WHOLE   t4      /* address of the first whole group of four blocks */
#define ORDER   v12
#define STATE   v16
#define DATA    v24
/* v0: a bit for the last word of each block, which is the counter. */

/* void cv_sm4_zvksed_zvkb_ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
 * C[i] = E(K, P[i]). A step takes 16 instructions.
 * blocks > 0. Clobbers a0 ... a2, t0 ... t5, all vector registers. */
cv_function cv_sm4_zvksed_zvkb_ecb_encrypt
    sm4_load_keys KEY
.Lecb:
    sm4_order   ORDER, m4
    slli        LEN, BLOCKS, 4
    cv_steps    STEP, END, REST, IN, LEN, m8, ma
    beq         IN, END, 2f
1:  vle32.v     STATE, (IN)
    add         IN, IN, STEP
    vrev8.v     STATE, STATE
    sm4_crypt   DATA, STATE, ORDER
    vse32.v     DATA, (OUT)
    add         OUT, OUT, STEP
    bne         IN, END, 1b
2:  cv_rest     STEP, END, REST, IN, m8, ma, 1b
    srli        LEN, LEN, 2
    cv_return_after LEN, m8, v16, v24
cv_end cv_sm4_zvksed_zvkb_ecb_encrypt

/* void cv_sm4_zvksed_zvkb_ecb_decrypt(…), as above, with D. */
cv_function cv_sm4_zvksed_zvkb_ecb_decrypt
    addi        KEY, KEY, KEY_DECRYPT
    sm4_load_keys KEY
    j           .Lecb
cv_end cv_sm4_zvksed_zvkb_ecb_decrypt

/* P[i] = D(K, C[i]) + C[i-1], where C[-1] = iv. */
.macro cbc_decrypt_step
    vle32.v     STATE, (IN)
    vrev8.v     STATE, STATE
    sm4_crypt   DATA, STATE, ORDER
    vle32.v     STATE, (BEFORE)
    vxor.vv     DATA, DATA, STATE
    vse32.v     DATA, (OUT)
.endm

/* P[i] = C[i] + E(K, C[i-1]), where C[-1] = iv. */
.macro cfb_decrypt_step
    vle32.v     STATE, (BEFORE)
    vrev8.v     STATE, STATE
    sm4_crypt   DATA, STATE, ORDER
    vle32.v     STATE, (IN)
    vxor.vv     DATA, DATA, STATE
    vse32.v     DATA, (OUT)
.endm

/* From the end to the beginning, as in aes_zvkned_chain.S; the first block is done last, on its own, after the IV. A
 * step takes 19 instructions. */
.macro backwards step
    sm4_load_keys KEY
    sm4_order   ORDER, m4
    addi        LEN, BLOCKS, -1
    slli        LEN, LEN, 4
    addi        IN, IN, 16
    addi        OUT, OUT, 16
    cv_steps    STEP, t1, END, IN, LEN, m8, ma
    add         END, END, IN        /* address of the first whole step */
    add         IN, IN, LEN
    add         OUT, OUT, LEN
    addi        BEFORE, IN, -16
    beq         IN, END, 2f
1:  sub         IN, IN, STEP
    sub         BEFORE, BEFORE, STEP
    sub         OUT, OUT, STEP
    \step
    bne         IN, END, 1b
2:  addi        t0, STEP, -1
    and         LEN, LEN, t0
    sub         IN, IN, LEN
    sub         OUT, OUT, LEN
    beqz        LEN, 3f
    srli        t0, LEN, 2
    vsetvli     zero, t0, e32, m8, ta, ma
    sub         BEFORE, BEFORE, LEN
    \step
3:  addi        IN, IN, -16
    addi        OUT, OUT, -16
    mv          BEFORE, IV
    vsetivli    zero, 4, e32, m8, ta, ma
    \step
    cv_return
.endm

/* void cv_sm4_zvksed_zvkb_cbc_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *                                     const uint8_t iv[16])
 * blocks > 0, iv aligned to 4. Clobbers a0 ... a2, t0 ... t5, all vector registers. */
cv_function cv_sm4_zvksed_zvkb_cbc_decrypt
    addi        KEY, KEY, KEY_DECRYPT
    backwards   cbc_decrypt_step
cv_end cv_sm4_zvksed_zvkb_cbc_decrypt

/* void cv_sm4_zvksed_zvkb_cfb_decrypt(…), as above. */
cv_function cv_sm4_zvksed_zvkb_cfb_decrypt
    backwards   cfb_decrypt_step
cv_end cv_sm4_zvksed_zvkb_cfb_decrypt

/* Applies `step` to every block, one after the other: the chain is in DATA in the form in which it leaves the cipher,
 * bytes in order, and begins with the block at `from`. Blocks in excess of a multiple of four come first. Clobbers KEY,
 * END, WHOLE, vl, vtype. */
.macro chain step, from
    sm4_load_keys KEY
    sm4_order   ORDER, mf2
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     DATA, (\from)
    slli        END, BLOCKS, 4
    add         END, END, IN
    andi        WHOLE, BLOCKS, 3
    slli        WHOLE, WHOLE, 4
    add         WHOLE, WHOLE, IN
    beq         IN, WHOLE, 2f
1:  \step
    bne         IN, WHOLE, 1b
    beq         IN, END, 3f
2:  .rept 4
    \step
    .endr
    bne         IN, END, 2b
3:
.endm

.macro cbc_encrypt_step
    vle32.v     STATE, (IN)
    addi        IN, IN, 16
    vxor.vv     STATE, STATE, DATA
    vrev8.v     STATE, STATE
    sm4_crypt   DATA, STATE, ORDER
    vse32.v     DATA, (OUT)
    addi        OUT, OUT, 16
.endm

.macro cfb_encrypt_step
    vrev8.v     STATE, DATA
    sm4_crypt   DATA, STATE, ORDER
    vle32.v     STATE, (IN)
    addi        IN, IN, 16
    vxor.vv     DATA, DATA, STATE
    vse32.v     DATA, (OUT)
    addi        OUT, OUT, 16
.endm

.macro mac_step
    vle32.v     STATE, (IN)
    addi        IN, IN, 16
    vxor.vv     STATE, STATE, DATA
    vrev8.v     STATE, STATE
    sm4_crypt   DATA, STATE, ORDER
.endm

/* void cv_sm4_zvksed_zvkb_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *                                     const uint8_t iv[16])
 * C[i] = E(K, P[i] + C[i-1]), where C[-1] = iv. Four blocks take 65 instructions.
 * blocks > 0, iv aligned to 4. Clobbers a0 ... a2, t0, t3, t4, all vector registers. */
cv_function cv_sm4_zvksed_zvkb_cbc_encrypt
    chain       cbc_encrypt_step, IV
    cv_return
cv_end cv_sm4_zvksed_zvkb_cbc_encrypt

/* void cv_sm4_zvksed_zvkb_cfb_encrypt(…), as above: C[i] = P[i] + E(K, C[i-1]). */
cv_function cv_sm4_zvksed_zvkb_cfb_encrypt
    chain       cfb_encrypt_step, IV
    cv_return
cv_end cv_sm4_zvksed_zvkb_cfb_encrypt

#define MAC     a1

/* void cv_sm4_zvksed_zvkb_mac(const cv_block_key *key, uint8_t mac[16], const uint8_t *in, size_t blocks)
 * mac = E(K, mac + in[i]) for each block; four take 57 instructions. blocks > 0, mac aligned to 4. Clobbers a0, a2, t0, t3,
 * t4, all vector registers. */
cv_function cv_sm4_zvksed_zvkb_mac
    chain       mac_step, MAC
    vse32.v     DATA, (MAC)
    cv_return
cv_end cv_sm4_zvksed_zvkb_mac

/* Maximum number of lanes in a step of counter mode: its counters are on the stack. */
#define MAX_LANES 256

/* void cv_sm4_zvksed_zvkb_ctr32(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *                               const uint8_t *iv, uint32_t counter)
 * C[i] = P[i] + E(K, iv[0..2] || be32(counter + i)). No register is free for the counter blocks: those of the first
 * step, as numbers, less `counter`, are kept in memory. They hold no secret. A step takes 19 instructions.
 * blocks > 0, iv aligned to 4. Clobbers a0 ... a2, a5 ... a7, t0 ... t6, all vector registers. */
cv_function cv_sm4_zvksed_zvkb_ctr32
    sm4_load_keys KEY
    sm4_order   ORDER, m4
    vsetvli     t0, zero, e8, m1, ta, ma
    li          t0, 0x88
    vmv.v.x     v0, t0
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     DATA, (IV)
    vrev8.v     DATA, DATA
    li          t0, 4 * MAX_LANES
    vsetvli     STEP, t0, e32, m8, ta, mu
    sm4_lanes   STATE, DATA, ORDER, STEP, m4, m8
    viota.m     STATE, v0, v0.t
    srli        LANES, STEP, 2
    slli        STEP, STEP, 2
    sub         sp, sp, STEP
    vse32.v     STATE, (sp)
    add         SAVED, sp, STEP
    sm4_order   ORDER, m4
    slli        LEN, BLOCKS, 4
    addi        REST, STEP, -1
    and         REST, REST, LEN
    sub         END, LEN, REST
    add         END, END, IN
    srli        t0, STEP, 2
    vsetvli     zero, t0, e32, m8, ta, mu
    beq         IN, END, 2f
1:  vle32.v     STATE, (sp)
    vadd.vx     STATE, STATE, COUNTER, v0.t
    addw        COUNTER, COUNTER, LANES
    sm4_crypt   DATA, STATE, ORDER
    vle32.v     STATE, (IN)
    add         IN, IN, STEP
    vxor.vv     DATA, DATA, STATE
    vse32.v     DATA, (OUT)
    add         OUT, OUT, STEP
    bne         IN, END, 1b
2:  cv_rest     STEP, END, REST, IN, m8, mu, 1b
    mv          sp, SAVED
    cv_return
cv_end cv_sm4_zvksed_zvkb_ctr32

.section .note.GNU-stack, "", @progbits

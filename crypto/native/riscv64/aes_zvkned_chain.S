/* AES in CBC and CFB mode, and CBC-MAC. Needs: V, Zvkned. VLEN at least 128; decryption uses all lanes of eight
 * registers at once. */
#include "aes.h"

#define KEY     a0
#define OUT     a1
#define IN      a2
#define BLOCKS  a3
#define IV      a4
#define STEP    t2
#define LEN     t3
#define BEFORE  t4      /* address one block before IN */
#define END     t5
#define DATA    v16
#define CHAIN   v24     /* previous ciphertexts */

/* P[i] = D(K, C[i]) + C[i-1], where C[-1] = iv. */
.macro cbc_step rounds
    aes_decrypt DATA, \rounds
    vxor.vv     DATA, DATA, CHAIN
    vse32.v     DATA, (OUT)
.endm

/* P[i] = C[i] + E(K, C[i-1]), where C[-1] = iv. */
.macro cfb_step rounds
    aes_encrypt CHAIN, \rounds
    vxor.vv     DATA, DATA, CHAIN
    vse32.v     DATA, (OUT)
.endm

/* From the end to the beginning: the previous ciphertexts then still exist when output overwrites input, and are loaded
 * from one block earlier. The first blocks, a whole step or less, are done last, after the IV. A step takes 8
 * instructions and one for each round key. */
.macro backwards what, rounds
    aes_load_keys \rounds, KEY
    vsetvli     STEP, zero, e32, m8, ta, ma
    slli        STEP, STEP, 2
    slli        LEN, BLOCKS, 4
    addi        END, LEN, -1
    addi        t0, STEP, -1
    and         END, END, t0
    addi        END, END, 1         /* bytes done last */
    add         END, END, IN
    add         IN, IN, LEN
    add         OUT, OUT, LEN
    addi        BEFORE, IN, -16
    beq         IN, END, 2f
1:  sub         IN, IN, STEP
    sub         BEFORE, BEFORE, STEP
    vle32.v     DATA, (IN)
    vle32.v     CHAIN, (BEFORE)
    sub         OUT, OUT, STEP
    \what       \rounds
    bne         IN, END, 1b
2:  and         LEN, LEN, t0
    bnez        LEN, 3f
    mv          LEN, STEP
3:  sub         IN, IN, LEN
    sub         OUT, OUT, LEN
    srli        LEN, LEN, 2
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     CHAIN, (IV)
    vsetvli     zero, LEN, e32, m8, ta, ma
    vle32.v     DATA, (IN)
    vslideup.vi CHAIN, DATA, 4
    \what       \rounds
    cv_return
.endm

/* void cv_aes_zvkned_cbc_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *                                const uint8_t iv[16])
 * blocks > 0, iv aligned to 4. Clobbers a0 ... a2, t0 ... t5, all vector registers. */
cv_function cv_aes_zvkned_cbc_decrypt
    aes_by_rounds KEY, .Lcbc12, .Lcbc14
    backwards   cbc_step, 10
.Lcbc12:
    backwards   cbc_step, 12
.Lcbc14:
    backwards   cbc_step, 14
cv_end cv_aes_zvkned_cbc_decrypt

/* void cv_aes_zvkned_cfb_decrypt(…), as above. */
cv_function cv_aes_zvkned_cfb_decrypt
    aes_by_rounds KEY, .Lcfb12, .Lcfb14
    backwards   cfb_step, 10
.Lcfb12:
    backwards   cfb_step, 12
.Lcfb14:
    backwards   cfb_step, 14
cv_end cv_aes_zvkned_cfb_decrypt

/* C[i] = E(K, P[i] + C[i-1]): one block after the other, in 6 instructions and one for each round key. */
.macro cbc_next rounds
1:  vle32.v     DATA, (IN)
    addi        IN, IN, 16
    vxor.vv     CHAIN, CHAIN, DATA
    aes_encrypt CHAIN, \rounds
    vse32.v     CHAIN, (OUT)
    addi        OUT, OUT, 16
    bne         IN, END, 1b
.endm

/* C[i] = P[i] + E(K, C[i-1]). */
.macro cfb_next rounds
1:  vle32.v     DATA, (IN)
    addi        IN, IN, 16
    aes_encrypt CHAIN, \rounds
    vxor.vv     CHAIN, CHAIN, DATA
    vse32.v     CHAIN, (OUT)
    addi        OUT, OUT, 16
    bne         IN, END, 1b
.endm

.macro forwards what, rounds
    aes_load_keys \rounds, KEY
    vle32.v     CHAIN, (IV)
    slli        END, BLOCKS, 4
    add         END, END, IN
    \what       \rounds
    cv_return
.endm

/* void cv_aes_zvkned_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *                                const uint8_t iv[16])
 * blocks > 0, iv aligned to 4. Clobbers a0 ... a2, t0, t1, t5, all vector registers. */
cv_function cv_aes_zvkned_cbc_encrypt
    aes_by_rounds KEY, .Lcbce12, .Lcbce14
    forwards    cbc_next, 10
.Lcbce12:
    forwards    cbc_next, 12
.Lcbce14:
    forwards    cbc_next, 14
cv_end cv_aes_zvkned_cbc_encrypt

/* void cv_aes_zvkned_cfb_encrypt(…), as above. */
cv_function cv_aes_zvkned_cfb_encrypt
    aes_by_rounds KEY, .Lcfbe12, .Lcfbe14
    forwards    cfb_next, 10
.Lcfbe12:
    forwards    cfb_next, 12
.Lcfbe14:
    forwards    cfb_next, 14
cv_end cv_aes_zvkned_cfb_encrypt

#define MAC     a1
#define MAC_IN  a2
#define STATE   v16
#define BLOCK   v24

/* mac = E(K, mac + in[i]) for each block. The first round key is combined with the last one of the block before: the
 * state carries K0 from block to block. 4 instructions and one for each round key but the first. */
.macro mac rounds, last
    aes_load_keys \rounds, KEY
    vle32.v     STATE, (MAC)
    slli        END, BLOCKS, 4
    add         END, END, MAC_IN
    vxor.vv     STATE, STATE, v1
    vxor.vv     \last, \last, v1
1:  vle32.v     BLOCK, (MAC_IN)
    addi        MAC_IN, MAC_IN, 16
    vxor.vv     STATE, STATE, BLOCK
    aes_encrypt STATE, \rounds, 1
    bne         MAC_IN, END, 1b
    vxor.vv     STATE, STATE, v1
    vse32.v     STATE, (MAC)
    cv_return
.endm

/* void cv_aes_zvkned_mac(const cv_block_key *key, uint8_t mac[16], const uint8_t *in, size_t blocks)
 * blocks > 0, mac aligned to 4. Clobbers a0, a2, t0, t1, t5, all vector registers. */
cv_function cv_aes_zvkned_mac
    aes_by_rounds KEY, .Lmac12, .Lmac14
    mac         10, v11
.Lmac12:
    mac         12, v13
.Lmac14:
    mac         14, v15
cv_end cv_aes_zvkned_mac

.section .note.GNU-stack, "", @progbits

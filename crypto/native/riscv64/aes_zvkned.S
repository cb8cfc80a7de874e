/* AES in ECB mode. Needs: V, Zvkned. VLEN at least 128; all lanes of eight registers at once. */
#include "aes.h"

#define KEY     a0
#define OUT     a1
#define IN      a2
#define BLOCKS  a3
#define STEP    t2
#define END     t3
#define REST    t4
#define LEN     t5
#define DATA    v16

/* C[i] = E(K, P[i]) or P[i] = D(K, C[i]) for every block. A step takes 6 instructions and one for each round key. */
.macro ecb crypt, rounds
    aes_load_keys \rounds, KEY
    slli        LEN, BLOCKS, 4
    cv_steps    STEP, END, REST, IN, LEN, m8, ma
    beq         IN, END, 2f
1:  vle32.v     DATA, (IN)
    add         IN, IN, STEP
    \crypt      DATA, \rounds
    vse32.v     DATA, (OUT)
    add         OUT, OUT, STEP
    bne         IN, END, 1b
2:  cv_rest     STEP, END, REST, IN, m8, ma, 1b
    srli        LEN, LEN, 2
    cv_return_after LEN, m8, v16
.endm

/* void cv_aes_zvkned_ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
 * blocks > 0. Clobbers a0 ... a3, t0 ... t5, all vector registers. */
cv_function cv_aes_zvkned_ecb_encrypt
    aes_by_rounds KEY, .Lencrypt12, .Lencrypt14
    ecb         aes_encrypt, 10
.Lencrypt12:
    ecb         aes_encrypt, 12
.Lencrypt14:
    ecb         aes_encrypt, 14
cv_end cv_aes_zvkned_ecb_encrypt

/* void cv_aes_zvkned_ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
 * blocks > 0. Clobbers a0 ... a3, t0 ... t5, all vector registers. */
cv_function cv_aes_zvkned_ecb_decrypt
    aes_by_rounds KEY, .Ldecrypt12, .Ldecrypt14
    ecb         aes_decrypt, 10
.Ldecrypt12:
    ecb         aes_decrypt, 12
.Ldecrypt14:
    ecb         aes_decrypt, 14
cv_end cv_aes_zvkned_ecb_decrypt

.section .note.GNU-stack, "", @progbits

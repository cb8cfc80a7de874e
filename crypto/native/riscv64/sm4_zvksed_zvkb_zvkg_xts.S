/* SM4 in XTS mode. Needs: V, Zvksed, Zvkb, Zvkg. VLEN at least 128; all lanes of four registers at once. */
#include "sm4.h"
#include "xts.h"

#define ORDER   v10
#define RESULT  v12

.macro load keys
    addi        KEY, KEY, \keys
    sm4_load_keys KEY
    sm4_order   ORDER, m2
.endm

.macro crypt keys
    vrev8.v     DATA, DATA
    sm4_crypt   RESULT, DATA, ORDER
.endm

/* void cv_sm4_zvksed_zvkb_zvkg_xts_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *                                          uint8_t tweak[16])
 * blocks > 0, tweak aligned to 4. Clobbers a0 ... a2, t0 ... t5, all vector registers. */
cv_function cv_sm4_zvksed_zvkb_zvkg_xts_encrypt
    xts         load, crypt, RESULT, 0
cv_end cv_sm4_zvksed_zvkb_zvkg_xts_encrypt

/* void cv_sm4_zvksed_zvkb_zvkg_xts_decrypt(…), as above, with D. */
cv_function cv_sm4_zvksed_zvkb_zvkg_xts_decrypt
    xts         load, crypt, RESULT, KEY_DECRYPT
cv_end cv_sm4_zvksed_zvkb_zvkg_xts_decrypt

/* void cv_sm4_zvksed_zvkb_zvkg_xts_gb_encrypt(…), as above, in the field of GB/T 17964. */
cv_function cv_sm4_zvksed_zvkb_zvkg_xts_gb_encrypt
    xts         load, crypt, RESULT, 0, 0
cv_end cv_sm4_zvksed_zvkb_zvkg_xts_gb_encrypt

/* void cv_sm4_zvksed_zvkb_zvkg_xts_gb_decrypt(…), as above, with D. */
cv_function cv_sm4_zvksed_zvkb_zvkg_xts_gb_decrypt
    xts         load, crypt, RESULT, KEY_DECRYPT, 0
cv_end cv_sm4_zvksed_zvkb_zvkg_xts_gb_decrypt

.section .note.GNU-stack, "", @progbits

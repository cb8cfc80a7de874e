/* AES in XTS mode. Needs: V, Zvkned, Zvkb, Zvkg. VLEN at least 128; all lanes of four registers at once. */
#include "aes.h"
#include "xts.h"

.macro load rounds
    aes_load_keys \rounds, KEY
.endm

.macro encrypt rounds
    aes_encrypt DATA, \rounds
.endm

.macro decrypt rounds
    aes_decrypt DATA, \rounds
.endm

/* void cv_aes_zvkned_zvkb_zvkg_xts_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *                                          uint8_t tweak[16])
 * blocks > 0, tweak aligned to 4. Clobbers a0 ... a2, t0 ... t5, all vector registers. */
cv_function cv_aes_zvkned_zvkb_zvkg_xts_encrypt
    aes_by_rounds KEY, .Lencrypt12, .Lencrypt14
    xts         load, encrypt, DATA, 10
.Lencrypt12:
    xts         load, encrypt, DATA, 12
.Lencrypt14:
    xts         load, encrypt, DATA, 14
cv_end cv_aes_zvkned_zvkb_zvkg_xts_encrypt

/* void cv_aes_zvkned_zvkb_zvkg_xts_decrypt(…), as above, with D. */
cv_function cv_aes_zvkned_zvkb_zvkg_xts_decrypt
    aes_by_rounds KEY, .Ldecrypt12, .Ldecrypt14
    xts         load, decrypt, DATA, 10
.Ldecrypt12:
    xts         load, decrypt, DATA, 12
.Ldecrypt14:
    xts         load, decrypt, DATA, 14
cv_end cv_aes_zvkned_zvkb_zvkg_xts_decrypt

.section .note.GNU-stack, "", @progbits

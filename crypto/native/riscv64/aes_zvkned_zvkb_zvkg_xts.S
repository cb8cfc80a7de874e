/* AES in XTS mode. Needs: V, Zvkned, Zvkb, Zvkg. VLEN at least 128; all lanes of four registers at once. */
#include "xts_zvkg.h"
#include "aes_xts.h"

/* void cv_aes_zvkned_zvkb_zvkg_xts_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *                                          uint8_t tweak[16])
 * blocks > 0, tweak aligned to 4. Clobbers a0 ... a3, a5 ... a7, t0 ... t6, all vector registers. */
aes_xts cv_aes_zvkned_zvkb_zvkg_xts_encrypt, begin_zvkg, next_zvkg, encrypt, cv_aes_zvkned_xts_encrypt

/* void cv_aes_zvkned_zvkb_zvkg_xts_decrypt(…), as above, with D. */
aes_xts cv_aes_zvkned_zvkb_zvkg_xts_decrypt, begin_zvkg, next_zvkg, decrypt, cv_aes_zvkned_xts_decrypt

.section .note.GNU-stack, "", @progbits

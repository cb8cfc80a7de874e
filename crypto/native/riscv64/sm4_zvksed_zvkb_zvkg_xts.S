/* SM4 in XTS mode. Needs: V, Zvksed, Zvkb, Zvkg. VLEN at least 128; all lanes of four registers at once. */
#include "xts_zvkg.h"
#include "sm4_xts.h"

/* void cv_sm4_zvksed_zvkb_zvkg_xts_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *                                         uint8_t tweak[16])
 * blocks > 0, tweak aligned to 4. Clobbers a0 ... a3, a5 ... a7, t0 ... t6, all vector registers. */
sm4_xts cv_sm4_zvksed_zvkb_zvkg_xts_encrypt, begin_zvkg, next_zvkg, 0, 1, cv_sm4_zvksed_zvkb_xts_encrypt

/* void cv_sm4_zvksed_zvkb_zvkg_xts_decrypt(…), as above, with D. */
sm4_xts cv_sm4_zvksed_zvkb_zvkg_xts_decrypt, begin_zvkg, next_zvkg, KEY_DECRYPT, 1, cv_sm4_zvksed_zvkb_xts_decrypt

/* void cv_sm4_zvksed_zvkb_zvkg_xts_gb_encrypt(…), as above, in the field of GB/T 17964. */
sm4_xts cv_sm4_zvksed_zvkb_zvkg_xts_gb_encrypt, begin_zvkg, next_zvkg, 0, 0, cv_sm4_zvksed_zvkb_xts_gb_encrypt

/* void cv_sm4_zvksed_zvkb_zvkg_xts_gb_decrypt(…), as above, with D. */
sm4_xts cv_sm4_zvksed_zvkb_zvkg_xts_gb_decrypt, begin_zvkg, next_zvkg, KEY_DECRYPT, 0, cv_sm4_zvksed_zvkb_xts_gb_decrypt

.section .note.GNU-stack, "", @progbits

/* AES in XTS mode. Needs: V, Zvkned. VLEN at least 128; all lanes of four registers at once. */
#include "xts_v.h"
#include "aes_xts.h"

/* void cv_aes_zvkned_xts_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t tweak[16])
 * blocks > 0, tweak aligned to 4. Clobbers a0 ... a3, a5 ... a7, t0 ... t6, all vector registers. */
aes_xts cv_aes_zvkned_xts_encrypt, begin_v, next_v, encrypt

/* void cv_aes_zvkned_xts_decrypt(…), as above, with D. */
aes_xts cv_aes_zvkned_xts_decrypt, begin_v, next_v, decrypt

wide_tweaks

.section .note.GNU-stack, "", @progbits

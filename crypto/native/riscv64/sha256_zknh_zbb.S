/* SHA-256's compression function. Needs: Zknh, Zbb (rev8; Zbkb has it too). */
#include "sha256_scalar.h"

.macro sum0 d, x
    sha256sum0  \d, \x
.endm

.macro sum1 d, x
    sha256sum1  \d, \x
.endm

.macro sigma0 d, x, t
    sha256sig0  \d, \x
.endm

.macro sigma1 d, x, t
    sha256sig1  \d, \x
.endm

/* state = H(i), H(i+1) = H(i) + rounds of block i (FIPS 180-4, 6.2.2). A block takes 1334 instructions.
 *
 * void cv_sha256_zknh_zbb_aligned(uint32_t state[8], const uint8_t *data, size_t blocks)
 * blocks > 0, data aligned to 8. Clobbers a0 ... a7, t0 ... t6, ra. */
sha2_function cv_sha256_zknh_zbb_aligned, words, cv_sha256_k, cv_sha256_k+256, 6

.section .note.GNU-stack, "", @progbits

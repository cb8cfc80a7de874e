/* SHA-512's compression function. Needs: Zknh, Zbb (rev8; Zbkb has it too). */
#include "sha512_scalar.h"

.macro sum0 d, x
    sha512sum0  \d, \x
.endm

.macro sum1 d, x
    sha512sum1  \d, \x
.endm

.macro sigma0 d, x, t
    sha512sig0  \d, \x
.endm

.macro sigma1 d, x, t
    sha512sig1  \d, \x
.endm

/* state = H(i), H(i+1) = H(i) + rounds of block i (FIPS 180-4, 6.4.2). A block takes 1682 instructions.
 *
 * void cv_sha512_zknh_zbb_aligned(uint64_t state[8], const uint8_t *data, size_t blocks)
 * blocks > 0, data aligned to 8. Clobbers a0 ... a7, t0 ... t6, ra. */
sha2_function cv_sha512_zknh_zbb_aligned, words, cv_sha512_k, cv_sha512_k+640, 7

.section .note.GNU-stack, "", @progbits

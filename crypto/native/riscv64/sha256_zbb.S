/* SHA-256's compression function. Needs: Zbb (rori and rev8; Zbkb has them too). */
#include "sha256_scalar.h"

/* Rotations by 2, 13, 22, nested. */
.macro sum0 d, x
    roriw       \d, \x, 9
    xor         \d, \d, \x
    roriw       \d, \d, 11
    xor         \d, \d, \x
    roriw       \d, \d, 2
.endm

/* By 6, 11, 25. */
.macro sum1 d, x
    roriw       \d, \x, 14
    xor         \d, \d, \x
    roriw       \d, \d, 5
    xor         \d, \d, \x
    roriw       \d, \d, 6
.endm

.macro sigma0 d, x, t
    roriw       \d, \x, 11
    srliw       \t, \x, 3
    xor         \d, \d, \x
    roriw       \d, \d, 7
    xor         \d, \d, \t
.endm

.macro sigma1 d, x, t
    roriw       \d, \x, 2
    srliw       \t, \x, 10
    xor         \d, \d, \x
    roriw       \d, \d, 17
    xor         \d, \d, \t
.endm

/* state = H(i), H(i+1) = H(i) + rounds of block i (FIPS 180-4, 6.2.2). A block takes 2230 instructions.
 *
 * void cv_sha256_zbb_aligned(uint32_t state[8], const uint8_t *data, size_t blocks)
 * blocks > 0, data aligned to 8. Clobbers a0 ... a7, t0 ... t6, ra. */
sha2_function cv_sha256_zbb_aligned, words, cv_sha256_k, cv_sha256_k+256, 6

.section .note.GNU-stack, "", @progbits

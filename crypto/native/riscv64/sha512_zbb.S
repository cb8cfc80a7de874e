/* SHA-512's compression function. Needs: Zbb (rori and rev8; Zbkb has them too). */
#include "sha512_scalar.h"

/* Rotations by 28, 34, 39, nested. */
.macro sum0 d, x
    rori        \d, \x, 5
    xor         \d, \d, \x
    rori        \d, \d, 6
    xor         \d, \d, \x
    rori        \d, \d, 28
.endm

/* By 14, 18, 41. */
.macro sum1 d, x
    rori        \d, \x, 23
    xor         \d, \d, \x
    rori        \d, \d, 4
    xor         \d, \d, \x
    rori        \d, \d, 14
.endm

.macro sigma0 d, x, t
    rori        \d, \x, 7
    srli        \t, \x, 7
    xor         \d, \d, \x
    rori        \d, \d, 1
    xor         \d, \d, \t
.endm

.macro sigma1 d, x, t
    rori        \d, \x, 42
    srli        \t, \x, 6
    xor         \d, \d, \x
    rori        \d, \d, 19
    xor         \d, \d, \t
.endm

/* state = H(i), H(i+1) = H(i) + rounds of block i (FIPS 180-4, 6.4.2). A block takes 2834 instructions.
 *
 * void cv_sha512_zbb_aligned(uint64_t state[8], const uint8_t *data, size_t blocks)
 * blocks > 0, data aligned to 8. Clobbers a0 ... a7, t0 ... t6, ra. */
sha2_function cv_sha512_zbb_aligned, words, cv_sha512_k, cv_sha512_k+640, 7

.section .note.GNU-stack, "", @progbits

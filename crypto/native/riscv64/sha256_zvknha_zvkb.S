/* SHA-256's compression function. Needs: V, Zvknha, Zvkb. VLEN at least 128. */
#include "sha2.h"

.hidden cv_sha256_k

/* Clobbers t0, t1. */
.macro sha256 parts
    lla         t1, cv_sha256_k
    sha2_constants \parts, 32, 4, t1
    sha2_mask
    sha2_blocks \parts, 32, 4, 64
    cv_return
.endm

/* state = H(i), H(i+1) = H(i) + rounds of block i (FIPS 180-4, 6.2.2). A block of 64 bytes takes 74 instructions; 84 where VLEN
 * is 256, and 85 above.
 *
 * void cv_sha256_zvknha_zvkb(uint32_t state[8], const uint8_t *data, size_t blocks)
 * blocks > 0. Clobbers a1, a2, t0, t1, all vector registers. */
cv_function cv_sha256_zvknha_zvkb
    slli        END, END, 6
    add         END, END, DATA
    csrr        t0, 0xc22
    li          t1, 32
    beq         t0, t1, .Ltwo
    bgtu        t0, t1, .Lfour
    sha256      1
.Ltwo:
    sha256      2
.Lfour:
    sha256      4
cv_end cv_sha256_zvknha_zvkb

.section .note.GNU-stack, "", @progbits

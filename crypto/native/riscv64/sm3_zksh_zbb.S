/* SM3's compression function. Needs: Zksh, Zbb (rori and rev8; Zbkb has them too). */
#include "sm3_scalar.h"

.macro p0 x, t
    sm3p0       \x, \x
.endm

.macro p1 x, t
    sm3p1       \x, \x
.endm

/* state = V(i), V(i+1) = CF(V(i), B(i)) (GB/T 32905-2016, 5.3). A block takes 1852 instructions.
 *
 * void cv_sm3_zksh_zbb_aligned(uint32_t state[8], const uint8_t *data, size_t blocks)
 * blocks > 0, data aligned to 8. Clobbers a0 ... a7, t0 ... t6, ra. */
sm3_function cv_sm3_zksh_zbb_aligned

.section .note.GNU-stack, "", @progbits

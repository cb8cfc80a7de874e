/* SM3's compression function. Needs: Zbb (rori and rev8; Zbkb has them too). */
#include "sm3_scalar.h"

/* x ^ (x <<< 9) ^ (x <<< 17), with nested rotations; and likewise with 15 and 23. */
.macro p0 x, t
    roriw       \t, \x, 32-8
    xor         \t, \t, \x
    roriw       \t, \t, 32-9
    xor         \x, \x, \t
.endm

.macro p1 x, t
    roriw       \t, \x, 32-8
    xor         \t, \t, \x
    roriw       \t, \t, 32-15
    xor         \x, \x, \t
.endm

/* state = V(i), V(i+1) = CF(V(i), B(i)) (GB/T 32905-2016, 5.3). A block takes 2200 instructions.
 *
 * void cv_sm3_zbb_aligned(uint32_t state[8], const uint8_t *data, size_t blocks)
 * blocks > 0, data aligned to 8. Clobbers a0 ... a7, t0 ... t6, ra. */
sm3_function cv_sm3_zbb_aligned

.section .note.GNU-stack, "", @progbits

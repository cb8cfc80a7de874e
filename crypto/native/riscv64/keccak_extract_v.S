/* Output of Keccak-f[1600] from several states. Needs: V. VLEN at least 128. */
#include "vector.h"

#define STATES a0
#define STRIDE a1
#define OUT    a2
#define LANES  a3
#define COUNT  a4
#define FROM   t1
#define TO     t2
#define LEFT   t3

/* For each state, its lanes are loaded with the stride. They are stored as bytes, so that no element is misaligned.
 *
 * void cv_keccak_extract_v(const uint64_t *states, size_t stride, uint8_t *const *out, size_t lanes, size_t count) */
cv_function cv_keccak_extract_v
1:  ld          TO, (OUT)
    mv          FROM, STATES
    mv          LEFT, LANES
2:  vsetvli     t0, LEFT, e64, m8, ta, ma
    vlse64.v    v0, (FROM), STRIDE
    sub         LEFT, LEFT, t0
    mul         t4, t0, STRIDE
    add         FROM, FROM, t4
    slli        t0, t0, 3
    vsetvli     zero, t0, e8, m8, ta, ma
    vse8.v      v0, (TO)
    add         TO, TO, t0
    bnez        LEFT, 2b
    addi        STATES, STATES, 8
    addi        OUT, OUT, 8
    addi        COUNT, COUNT, -1
    bnez        COUNT, 1b
    cv_return
cv_end cv_keccak_extract_v

.section .note.GNU-stack, "", @progbits

/* GHASH. Needs: V, Zvkg. VLEN at least 128; all lanes of eight registers at once. */
#include "ghash.h"

#define KEY     a0      /* cv_ghash_key begins with H */
#define Y       a1
#define IN      a2
#define BLOCKS  a3
#define LANES   t2
#define FIRST   t3
#define STEP    t4
#define END     t5
#define ACC     v0
#define DATA    v8
#define TOP     v16     /* H^n */
#define POWER   v24     /* H */

/* void cv_ghash_zvkg(const cv_ghash_key *key, uint8_t y[16], const uint8_t *in, size_t blocks)
 * y = ((y + in[0]) H + in[1]) H ... + in[blocks - 1]) H in GF(2^128) of NIST SP 800-38D. blocks > 0, y aligned to 4.
 * A step takes 4 instructions. Clobbers a0 ... a3, t0 ... t5, all vector registers. */
cv_function cv_ghash_zvkg
    ghash_lanes LANES, FIRST, BLOCKS, m8
    ghash_broadcast POWER, DATA, ACC, KEY, LANES, m8
    vmv.v.v     TOP, POWER
    slli        t0, FIRST, 2
    vsetvli     zero, t0, e32, m8, ta, ma
    vle32.v     ACC, (IN)
    slli        END, BLOCKS, 4
    add         END, END, IN
    slli        t0, FIRST, 4
    add         IN, IN, t0
    ghash_begin DATA, ACC, DATA, Y, FIRST, LANES, m8
    beq         IN, END, 2f
    ghash_raise TOP, LANES
    vmv.v.i     ACC, 0
    slli        STEP, LANES, 4
1:  vghsh.vv    ACC, TOP, DATA
    vle32.v     DATA, (IN)
    add         IN, IN, STEP
    bne         IN, END, 1b
    vxor.vv     DATA, DATA, ACC
2:  ghash_end   DATA, POWER, ACC, Y, KEY, LANES
    cv_return
cv_end cv_ghash_zvkg

.section .note.GNU-stack, "", @progbits

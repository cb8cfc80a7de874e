/* GHASH by vghsh. VLEN at least 128; all lanes of eight registers at once. */
#ifndef CV_GHASH_GROUPS_H
#define CV_GHASH_GROUPS_H

#include "ghash.h"

#define KEY     a0      /* cv_ghash_key begins with H */
#define Y       a1
#define IN      a2
#define BLOCKS  a3
#define LANES   t2
#define FIRST   t3
#define STEP    t4
#define END     t5
#define ALL     t6      /* elements of all lanes */
#define HALF    t1      /* elements of some lanes */
#define ACC     v0
#define DATA    v8
#define TOP     v16     /* H^n in every lane; a temporary where one lane serves all */
#define POWERS  v24     /* H^n ... H^2, H */

/* The factor of all lanes in a step, and the final factor of each lane. k powers become 2 k: the k powers times H^k,
 * which is the first of them, are put before the k themselves. Sets vl to all lanes. Clobbers DATA, t0. */
.macro powers
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     POWERS, (KEY)
    vmv.v.v     TOP, POWERS
    li          HALF, 4
    vsetvli     zero, ALL, e32, m8, ta, ma
    bgeu        HALF, ALL, .Ldone\@
    vid.v       DATA
    vand.vi     DATA, DATA, 3
.Ldouble\@:
    vsetvli     zero, HALF, e32, m8, ta, ma
    vrgather.vv TOP, POWERS, DATA
    vgmul.vv    TOP, POWERS
    slli        t0, HALF, 1
    vsetvli     zero, t0, e32, m8, ta, ma
    vslideup.vx TOP, POWERS, HALF
    vmv.v.v     POWERS, TOP
    mv          HALF, t0
    bltu        HALF, ALL, .Ldouble\@
    vrgather.vv TOP, POWERS, DATA
.Ldone\@:
.endm

/* The same with Zvkgs, which needs no copies of H^k: the first lane of POWERS is the factor of all. */
.macro powers_scalar
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     POWERS, (KEY)
    li          HALF, 4
    bgeu        HALF, ALL, .Ldone\@
.Ldouble\@:
    vsetvli     zero, HALF, e32, m8, ta, ma
    vmv.v.v     TOP, POWERS
    vgmul.vs    TOP, POWERS
    slli        t0, HALF, 1
    vsetvli     zero, t0, e32, m8, ta, ma
    vslideup.vx TOP, POWERS, HALF
    vmv.v.v     POWERS, TOP
    mv          HALF, t0
    bltu        HALF, ALL, .Ldouble\@
.Ldone\@:
    vsetvli     zero, ALL, e32, m8, ta, ma
.endm

/* void NAME(const cv_ghash_key *key, uint8_t y[16], const uint8_t *in, size_t blocks)
 * y = ((y + in[0]) H + in[1]) H ... + in[blocks - 1]) H in GF(2^128) of NIST SP 800-38D. blocks > 0, y aligned to 4.
 * A single block, such as the end of a message or of a partial piece, takes 12 instructions. A step takes 4. Setting up
 * and combining a lane costs about as much as four steps, so there are at most a sixteenth as many lanes as blocks.
 * `scalar`: with Zvkgs. Clobbers a0 ... a3, t0 ... t6, all vector registers. */
.macro ghash_groups name, scalar
cv_function \name
    li          t0, 1
    bne         BLOCKS, t0, .Lmany_\name
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     v1, (KEY)
    vle32.v     v2, (Y)
    vle32.v     v3, (IN)
    vghsh.vv    v2, v1, v3
    vse32.v     v2, (Y)
    vmv.v.i     v1, 0
    vmv.v.i     v2, 0
    vmv.v.i     v3, 0
    ret
.Lmany_\name:
    ghash_few_lanes LANES, FIRST, BLOCKS, m8, 4
    slli        ALL, LANES, 2
    .if \scalar
    powers_scalar
    .else
    powers
    .endif
    slli        t0, FIRST, 2
    vsetvli     zero, t0, e32, m8, ta, ma
    vle32.v     ACC, (IN)
    slli        END, BLOCKS, 4
    add         END, END, IN
    slli        t0, FIRST, 4
    add         IN, IN, t0
    ghash_begin DATA, ACC, DATA, Y, FIRST, LANES, m8
    beq         IN, END, 2f
    vmv.v.i     ACC, 0
    slli        STEP, LANES, 4
1:
    .if \scalar
    vghsh.vs    ACC, POWERS, DATA
    .else
    vghsh.vv    ACC, TOP, DATA
    .endif
    vle32.v     DATA, (IN)
    add         IN, IN, STEP
    bne         IN, END, 1b
    vxor.vv     DATA, DATA, ACC
2:  vgmul.vv    DATA, POWERS
    li          t0, 4
    mv          HALF, ALL
    j           4f
3:  srli        HALF, HALF, 1
    vsetvli     zero, HALF, e32, m8, ta, ma
    vslidedown.vx TOP, DATA, HALF
    vxor.vv     DATA, DATA, TOP
4:  bgtu        HALF, t0, 3b
    vsetivli    zero, 4, e32, m1, ta, ma
    vse32.v     DATA, (Y)
    /* There are no secrets beyond these lanes. */
    vsetvli     zero, ALL, e32, m8, ta, ma
    vmv.v.i     ACC, 0
    vmv.v.i     DATA, 0
    vmv.v.i     TOP, 0
    vmv.v.i     POWERS, 0
    ret
cv_end \name
.endm

#endif

/* Galois/counter mode of any block cipher, for all lanes of four registers at once. Needs V, Zvkb, Zvkg and VLEN of at least 128; where `scalar`
 * is 1, Zvkgs too, which has the vector-scalar forms.
 *
 * Registers are assigned here; round keys have v1 ... v11, or, for a cipher whose keys also need BASE, v1 ... v15. */
#ifndef CV_GCM_H
#define CV_GCM_H

#include "ghash.h"

#define KEY     a0
#define OUT     a1
#define IN      a2
#define BLOCKS  a3
#define IV      a4
#define COUNTER a5
#define HASH    a6      /* cv_ghash_key begins with H */
#define Y       a7
#define LANES   t2
#define FIRST   t3
#define STEP    t4
#define END     t5
#define BASE    v12     /* counter blocks of the next step */
#define STREAM  v16
#define DATA    v20
#define ACC     v24
#define TOP     v28     /* H^n: in every lane, or, with Zvkgs, in the first */
/* v0: a bit for the last word of each block, which is the counter. Once round keys are no longer needed: */
#define POWER   v12     /* H */
#define TEMP    v4

.macro gcm_mask
    vsetvli     t0, zero, e8, m1, ta, ma
    li          t0, 0x88
    vmv.v.x     v0, t0
.endm

/* C[i] = P[i] + E(K, iv[0..2] || be32(counter + i)), and y = ((y + C[0]) H + C[1]) H ...
 *
 * `begin rounds`: prepares what `step` needs for counter blocks from COUNTER on.
 * `step rounds`: encrypts or decrypts the blocks at IN to OUT, and advances its counter by LANES, or leaves COUNTER
 * unchanged. `cipher` is the register that then holds the ciphertext, until the next step hashes it; `other` is another
 * one. A step takes 5 instructions in addition to `step`. */
.macro gcm begin, step, rounds, cipher, other, scalar=0
    ghash_lanes LANES, FIRST, BLOCKS, m4
    .if \scalar
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     TOP, (HASH)
    .else
    ghash_broadcast TOP, DATA, STREAM, HASH, LANES, m4
    .endif
    /* Tail undisturbed: a cipher may have stored something for all lanes. */
    slli        t0, FIRST, 2
    vsetvli     zero, t0, e32, m4, tu, mu
    \begin      \rounds
    mv          END, COUNTER
    \step       \rounds
    addw        COUNTER, END, FIRST
    slli        END, BLOCKS, 4
    add         END, END, IN
    slli        STEP, FIRST, 4
    add         IN, IN, STEP
    add         OUT, OUT, STEP
    ghash_begin ACC, \cipher, \other, Y, FIRST, LANES, m4
    beq         IN, END, 2f
    .if \scalar
    vsetivli    zero, 4, e32, m1, ta, ma
    ghash_raise TOP, LANES
    slli        t0, LANES, 2
    vsetvli     zero, t0, e32, m4, ta, ma
    .else
    ghash_raise TOP, LANES
    .endif
    vmv.v.v     \cipher, ACC
    vmv.v.i     ACC, 0
    slli        STEP, LANES, 4
    slli        t0, LANES, 2
    vsetvli     zero, t0, e32, m4, ta, mu
    \begin      \rounds
1:
    .if \scalar
    vghsh.vs    ACC, TOP, \cipher
    .else
    vghsh.vv    ACC, TOP, \cipher
    .endif
    \step       \rounds
    add         IN, IN, STEP
    add         OUT, OUT, STEP
    bne         IN, END, 1b
    vxor.vv     ACC, ACC, \cipher
2:
    .if \scalar
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     POWER, (HASH)
    slli        t0, LANES, 2
    vsetvli     zero, t0, e32, m4, ta, ma
    .else
    ghash_broadcast POWER, DATA, STREAM, HASH, LANES, m4
    .endif
    ghash_end   ACC, POWER, TEMP, Y, HASH, LANES, \scalar
    cv_return
.endm

#endif

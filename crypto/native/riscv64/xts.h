/* XTS of any block cipher. Needs: V, Zvkb, Zvkg. VLEN at least 128; all lanes of four registers at once. */
#ifndef CV_XTS_H
#define CV_XTS_H

#include "vector.h"

#define KEY     a0
#define OUT     a1
#define IN      a2
#define BLOCKS  a3
#define TWEAK   a4
#define STEP    t2
#define END     t3
#define REST    t4
#define LEN     t5
#define LANES   t6      /* elements of the lanes that have tweaks */
#define DATA    v16
#define MASK    v20     /* tweaks as bytes */
#define TWEAKS  v24     /* tweaks as GHASH has them */
#define POWER   v28     /* x^n in every lane */

/* Between bytes and what GHASH has. */
.macro turn out, in, ieee
    .if \ieee
    vbrev8.v    \out, \in
    .else
    vmv.v.v     \out, \in
    .endif
.endm

/* TWEAKS[j] = tweak x^j for each of n lanes, and POWER = x^n, as GHASH has them; n is that of all lanes, or enough for `blocks`
 * and the tweak behind them. GB/T 17964 has the field of GHASH; IEEE 1619 has it with the bits in each byte the other way
 * round, so vbrev8 turns tweaks there. x is 0x40 in byte 0. Lanes are doubled: lanes k ... 2 k - 1 are lanes 0 ... k - 1
 * times x^k. LANES becomes 4 n, and vl. Clobbers t0, t1, MASK. */
.macro tweaks step, blocks, ieee
    srli        t1, \step, 2
    slli        t0, \blocks, 2
    li          LANES, 4
.Lmore\@:
    slli        LANES, LANES, 1
    bgeu        LANES, t1, .Lenough\@
    bgeu        t0, LANES, .Lmore\@
    mv          t1, LANES
.Lenough\@:
    mv          LANES, t1
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     TWEAKS, (TWEAK)
    turn        TWEAKS, TWEAKS, \ieee
    vsetvli     zero, LANES, e32, m4, ta, ma
    vid.v       POWER
    vand.vi     POWER, POWER, 3
    vmsne.vi    v0, POWER, 0
    li          t0, 0x40
    vmv.v.x     POWER, t0
    vmerge.vim  POWER, POWER, 0, v0
    li          t0, 4
.Ldouble\@:
    vmv.v.v     MASK, TWEAKS
    vgmul.vv    MASK, POWER
    vslideup.vx TWEAKS, MASK, t0
    vgmul.vv    POWER, POWER
    slli        t0, t0, 1
    bltu        t0, LANES, .Ldouble\@
.endm

/* C[i] = E(K, P[i] + T x^i) + T x^i, or with D; then T = T x^blocks. `crypt rounds` turns DATA into `result`; `load rounds` has
 * the round keys in v1 ... v15. A step takes 9 instructions beside `crypt`. */
.macro xts load, crypt, result, rounds, ieee=1
    slli        LEN, BLOCKS, 4
    cv_steps    STEP, END, REST, IN, LEN, m4, ma
    tweaks      STEP, BLOCKS, \ieee
    \load       \rounds
    vsetvli     t0, zero, e32, m4, tu, ma
    beq         IN, END, 2f
1:  turn        MASK, TWEAKS, \ieee
    vle32.v     DATA, (IN)
    add         IN, IN, STEP
    vxor.vv     DATA, DATA, MASK
    \crypt      \rounds
    vgmul.vv    TWEAKS, POWER
    vxor.vv     \result, \result, MASK
    vse32.v     \result, (OUT)
    add         OUT, OUT, STEP
    bne         IN, END, 1b
2:  beqz        REST, 3f
    /* Fewer lanes; the tail stays, so the lane behind them keeps its tweak, which is the next one. */
    srli        t1, REST, 2
    vsetvli     zero, t1, e32, m4, tu, ma
    mv          STEP, REST
    add         END, IN, REST
    li          REST, 0
    j           1b
3:  vsetvli     t2, zero, e32, m4, ta, ma
    addi        t2, t2, -1
    slli        t1, BLOCKS, 2
    and         t1, t1, t2
    vsetivli    zero, 4, e32, m4, ta, ma
    vslidedown.vx MASK, TWEAKS, t1
    turn        MASK, MASK, \ieee
    vse32.v     MASK, (TWEAK)
    cv_return_after LANES, m4, v16, v20, v24, v28
.endm

#endif

/* Tweaks of XTS by shifts. Needs: V; Zvkb where they are turned.
 *
 * Lanes are words of 64 bits in pairs, the lower one first, as IEEE 1619 has them: x is a shift to the left, and x^128 is
 * x^7 + x^2 + x + 1. GB/T 17964 has the bits in each byte the other way round. */
#ifndef CV_XTS_V_H
#define CV_XTS_V_H

#define TURNED  0
#include "xts.h"

#define WIDE    a7      /* n, the number of all lanes, if that is above 32, else 0 */
/* Where it is 0: n and -n. */
#define UP      a5
#define DOWN    a6
/* Else: the words of n / 64 lanes and of 7 n / 64, and those of all lanes without these. */
#define ONE     a5
#define SEVEN   a6
#define BUT_ONE a3
#define BUT_SEVEN t1
#define LINK    a0
#define AHEAD   v28     /* TWEAKS x^n */
#define COPY    v16     /* which is DATA at other times */
#define SWAPPED v20
#define OVER    v28

/* TWEAKS, shifted, and OVER, what is above its words: that of lower words goes to upper ones; that of upper ones, below x^57,
 * to lower ones 0x87 times. vl, vtype: words of 64 bits, mask undisturbed; v0: lower words. 9 instructions. */
.macro fold
    vslideup.vi SWAPPED, OVER, 1
    vslidedown.vi SWAPPED, OVER, 1, v0.t
    vxor.vv     TWEAKS, TWEAKS, SWAPPED
    .irp bit, 1,2,7
    vsll.vi     OVER, SWAPPED, \bit
    vxor.vv     TWEAKS, TWEAKS, OVER, v0.t
    .endr
.endm

/* TWEAKS = TWEAKS x^up for up at most 57, `down` being -up. 11 instructions. */
.macro shift up, down
    vsrl.vx     OVER, TWEAKS, \down
    vsll.vx     TWEAKS, TWEAKS, \up
    fold
.endm

/* For `xts`. Lane i is T shifted by i bits; where there may be more than 32, `wide_tweaks` makes them. Clobbers t0, t1. */
.macro begin_v step, blocks, ieee
    srli        UP, \step, 4
    sltiu       WIDE, UP, 33
    addi        WIDE, WIDE, -1
    and         WIDE, WIDE, UP
    neg         DOWN, UP
    srli        LANES, \step, 2
    slli        t1, \blocks, 2
    addi        t1, t1, 4
    bgeu        t1, LANES, .Lall\@
    mv          LANES, t1
.Lall\@:
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     COPY, (TWEAK)
    turn        COPY, COPY, \ieee
    vsetvli     t0, zero, e8, m1, ta, ma
    li          t0, 0x55
    vmv.v.x     v0, t0
    srli        t1, LANES, 1
    vsetvli     zero, t1, e64, m4, ta, mu
    vid.v       SWAPPED
    vand.vi     TWEAKS, SWAPPED, 1
    vrgather.vv OVER, COPY, TWEAKS
    vsrl.vi     SWAPPED, SWAPPED, 1
    vsll.vv     TWEAKS, OVER, SWAPPED
    vsrl.vi     OVER, OVER, 1
    vxor.vi     SWAPPED, SWAPPED, -1
    vsrl.vv     OVER, OVER, SWAPPED
    fold
    beqz        WIDE, .Lnarrow\@
    jal         LINK, .Lbegin_wide
.Lnarrow\@:
.endm

.macro next_v
    beqz        WIDE, .Lnarrow\@
    jal         LINK, .Lnext_wide
    j           .Ldone\@
.Lnarrow\@:
    vsetvli     t0, zero, e64, m4, ta, mu
    shift       UP, DOWN
    vsetvli     t0, zero, e32, m4, ta, ma
.Ldone\@:
.endm

/* COPY + SWAPPED = the tweaks that are as many behind those of AHEAD as ONE has lanes, times 128, behind those of TWEAKS: see
 * `wide_tweaks`. vl: words of the lanes. 10 instructions. */
.macro further
    vslidedown.vx SWAPPED, TWEAKS, ONE
    vslideup.vx SWAPPED, AHEAD, BUT_ONE
    vxor.vv     COPY, TWEAKS, SWAPPED
    slli        t0, ONE, 1
    vslidedown.vx SWAPPED, TWEAKS, t0
    sub         t0, BUT_ONE, ONE
    vslideup.vx SWAPPED, AHEAD, t0
    vxor.vv     COPY, COPY, SWAPPED
    vslidedown.vx SWAPPED, TWEAKS, SEVEN
    vslideup.vx SWAPPED, AHEAD, BUT_SEVEN
.endm

/* ONE = the words of WIDE lanes by 2^bits, and what goes with it. Clobbers t0. */
.macro distances bits
    srli        ONE, WIDE, \bits - 2
    slli        SEVEN, ONE, 3
    sub         SEVEN, SEVEN, ONE
    slli        t0, WIDE, 2
    sub         BUT_ONE, t0, ONE
    sub         BUT_SEVEN, t0, SEVEN
.endm

/* Where there are more than 32 lanes: what all functions of a file share. Tweaks are a sequence, t(i) = T x^i, that has
 *   t(i + 128 s) = t(i) + t(i + s) + t(i + 2 s) + t(i + 7 s)
 * for s = 1, and by squaring of x for every power of two. With s = n / 64, that makes the lanes after the next from these and the
 * next ones, AHEAD. */
.macro wide_tweaks
.Lnext_wide:
    further
    vmv.v.v     TWEAKS, AHEAD
    vxor.vv     AHEAD, COPY, SWAPPED
    jr          LINK

    /* As many lanes as there are, and AHEAD, if `begin_v` has made too few. WIDE is how many there are already. */
.Lbegin_wide:
    li          t0, 4*32
    bleu        LANES, t0, 6f
    srli        LANES, STEP, 2
    li          WIDE, 32
    /* AHEAD = TWEAKS x^WIDE: shifted, or, with s = WIDE / 128, what the sequence has behind these lanes; but for the last 7 s,
     * which want the first of the same, and so are right the second time. */
1:  li          t0, 128
    bgeu        WIDE, t0, 3f
    vsetvli     t0, zero, e64, m4, ta, mu
    vmv.v.v     COPY, TWEAKS
    li          t0, 32
    srli        t1, WIDE, 5
2:  shift       t0, t0
    addi        t1, t1, -1
    bnez        t1, 2b
    vmv.v.v     AHEAD, TWEAKS
    vmv.v.v     TWEAKS, COPY
    j           4f
3:  distances   7
    vsetvli     zero, t0, e32, m4, ta, ma
    further
    vxor.vv     AHEAD, COPY, SWAPPED
    further
    vxor.vv     AHEAD, COPY, SWAPPED
4:  slli        t0, WIDE, 2
    beq         t0, LANES, 5f
    vsetvli     t1, zero, e32, m4, ta, ma
    vslideup.vx TWEAKS, AHEAD, t0
    slli        WIDE, WIDE, 1
    j           1b
5:  distances   6
6:  jr          LINK
.endm

#endif

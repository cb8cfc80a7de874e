/* Tweaks of XTS by shifts. Needs: V; Zvkb where they are reversed.
 *
 * Lanes are pairs of 64-bit words, the lower one first, as in IEEE 1619: multiplication by x is a shift to the left,
 * and x^128 is x^7 + x^2 + x + 1. GB/T 17964 has the bits in each byte reversed. */
#ifndef CV_XTS_V_H
#define CV_XTS_V_H

#define TURNED  0
#include "xts.h"

#define WIDE    a7      /* n, the number of lanes, if that is above 32, else 0 */
/* If it is 0: n and -n. */
#define UP      a5
#define DOWN    a6
/* Otherwise: the number of words in n / 64 lanes and in 7 n / 64, and in all lanes without these. */
#define ONE     a5
#define SEVEN   a6
#define BUT_ONE a3
#define BUT_SEVEN t1
#define LINK    a0
#define AHEAD   v28     /* TWEAKS x^n */
#define COPY    v16     /* shares its register with DATA */
#define SWAPPED v20
#define OVER    v28

/* Computes TWEAKS, shifted, and OVER, the bits shifted out of its words: those of lower words go to upper words; those
 * of upper words, below x^57, go to lower words multiplied by 0x87. vl, vtype: words of 64 bits, mask undisturbed; v0:
 * lower words. 9 instructions. */
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

/* For `xts`. Lane i is T shifted by i bits; if there may be more than 32 lanes, `wide_tweaks` computes them. Clobbers
 * t0, t1. */
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

/* COPY + SWAPPED = the tweaks 128 s positions after those of TWEAKS, where s is the number of lanes in ONE: see
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

/* ONE = the words of WIDE lanes divided by 2^bits, and the related distances. Clobbers t0. */
.macro distances bits
    srli        ONE, WIDE, \bits - 2
    slli        SEVEN, ONE, 3
    sub         SEVEN, SEVEN, ONE
    slli        t0, WIDE, 2
    sub         BUT_ONE, t0, ONE
    sub         BUT_SEVEN, t0, SEVEN
.endm

/* For more than 32 lanes: code that all functions of a file share. Tweaks are a sequence, t(i) = T x^i, that satisfies
 *   t(i + 128 s) = t(i) + t(i + s) + t(i + 2 s) + t(i + 7 s)
 * for s = 1, and by squaring x for every power of two. With s = n / 64, this computes the lanes after the next from
 * these and the next ones, AHEAD. */
.macro wide_tweaks
.Lnext_wide:
    further
    vmv.v.v     TWEAKS, AHEAD
    vxor.vv     AHEAD, COPY, SWAPPED
    jr          LINK

    /* Fills all lanes, and AHEAD, if `begin_v` has filled too few. WIDE is the number filled so far. */
.Lbegin_wide:
    li          t0, 4*32
    bleu        LANES, t0, 6f
    srli        LANES, STEP, 2
    li          WIDE, 32
    /* AHEAD = TWEAKS x^WIDE: by shifts, or, with s = WIDE / 128, by the sequence's continuation after these lanes. The
     * last 7 s depend on the first ones of AHEAD, and so are right only after the second pass. */
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

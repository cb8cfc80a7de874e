/* Keccak-f[1600] of as many states as registers have words, or a multiple. Needs: V, Zvkb. VLEN at least 128.
 *
 * Lanes A[x, 0] ... A[x, 3] are in a group of four registers, so that chi (FIPS 202, 3.2.4) processes four rows at once; it leaves
 * the columns in other groups than before. Lanes of the last row are in H0 ... H3, and A[4, 4] is in the first register of
 * one of the two groups that are free otherwise. */
#define A0 v0
#define A1 v1
#define A2 v2
#define A3 v3
#define B0 v4
#define B1 v5
#define B2 v6
#define B3 v7
#define H0 v28
#define H1 v29
#define H2 v30
#define H3 v31
/* Before the first round, columns 2, 3 and 4 are in v8, v12 and v16, and A[4, 4] is in v20. */
#define FIRST_LANES A0,B0,v8,v12,v16,A1,B1,v9,v13
#define LANES_9     v17,A2,B2,v10
#define LANES_13    v14,v18,A3,B3
#define LANE_17     v11
#define LANES_18    v15,v19,H0
#define LAST_LANES  H1,H2,H3,v20
#define T           v21
#define FROM        v22
/* Where A[4, 4] waits: its place in memory. */
#define WAITS       t4

#include "keccak_many.h"

.macro parity to, l0, l1, l2, l3, l4
    vxor.vv     \to, \l0, \l1
    vxor.vv     \to, \to, \l2
    vxor.vv     \to, \to, \l3
    vxor.vv     \to, \to, \l4
.endm

/* The column's lanes ^= before ^ (after <<< 1), with the scratch register d. */
.macro column d, before, after, l0, l1, l2, l3, l4
    vror.vi     \d, \after, 63
    vxor.vv     \d, \d, \before
    vxor.vv     \l0, \l0, \d
    vxor.vv     \l1, \l1, \d
    vxor.vv     \l2, \l2, \d
    vxor.vv     \l3, \l3, \d
    vxor.vv     \l4, \l4, \d
.endm

/* A round: columns 2, 3 and 4 are in the groups c, d and e, A[4, 4] is in t0, and the rest of t and u is scratch. The next round
 * finds columns 2, 3 and 4 in e, t and u, and A[4, 4] in c0. */
.macro round n, c0, c1, c2, c3, d0, d1, d2, d3, e0, e1, e2, e3, t0, t1, t2, t3, u0, u1, u2, u3
    /* Theta (3.2.1). */
    parity      \t1, A0, A1, A2, A3, H0
    parity      \t2, B0, B1, B2, B3, H1
    parity      \t3, \c0, \c1, \c2, \c3, H2
    parity      \u0, \d0, \d1, \d2, \d3, H3
    parity      \u1, \e0, \e1, \e2, \e3, \t0
    column      \u2, \u1, \t2, A0, A1, A2, A3, H0
    column      \u2, \t1, \t3, B0, B1, B2, B3, H1
    column      \u2, \t2, \u0, \c0, \c1, \c2, \c3, H2
    column      \u2, \t3, \u1, \d0, \d1, \d2, \d3, H3
    column      \u2, \u0, \t1, \e0, \e1, \e2, \e3, \t0
    /* Rho and pi (3.2.2, 3.2.3): one cycle through all lanes but A[0, 0]. */
    vror.vi     \u3, H1, 64 - 2
    vror.vi     H1, \d1, 64 - 55
    vror.vi     \d1, B3, 64 - 45
    vror.vi     B3, A1, 64 - 36
    vror.vi     A1, \d0, 64 - 28
    vror.vi     \d0, \d3, 64 - 21
    vror.vi     \d3, \c3, 64 - 15
    vror.vi     \c3, B2, 64 - 10
    vror.vi     B2, \c1, 64 - 6
    vror.vi     \c1, A2, 64 - 3
    vror.vi     A2, B0, 64 - 1
    vror.vi     B0, B1, 64 - 44
    vror.vi     B1, \e1, 64 - 20
    vror.vi     \e1, H2, 64 - 61
    vror.vi     H2, \e2, 64 - 39
    vror.vi     \e2, H0, 64 - 18
    vror.vi     H0, \c0, 64 - 62
    vror.vi     \c0, \c2, 64 - 43
    vror.vi     \c2, \d2, 64 - 25
    vror.vi     \d2, \e3, 64 - 8
    vror.vi     \e3, H3, 64 - 56
    vror.vi     H3, A3, 64 - 41
    vror.vi     A3, \e0, 64 - 27
    vror.vi     \e0, \t0, 64 - 14
    vse64.v     \u3, (WAITS)
    /* Chi and iota (3.2.4, 3.2.5). */
    vsetvli     WORD, zero, e64, m4, ta, ma
    vandn.vv    \u0, B0, A0
    vandn.vv    \t0, A0, \e0
    vxor.vv     \u0, \u0, \e0
    vandn.vv    \e0, \e0, \d0
    vxor.vv     \t0, \t0, \d0
    vandn.vv    \d0, \d0, \c0
    vxor.vv     \e0, \e0, \c0
    vandn.vv    \c0, \c0, B0
    vxor.vv     A0, A0, \c0
    vxor.vv     B0, B0, \d0
    vsetvli     zero, COUNT, e64, m1, ta, ma
    ld          WORD, 8 * \n(CONST)
    vle64.v     \c0, (WAITS)
    vandn.vv    \c1, H0, \c0
    vandn.vv    \c2, H1, H0
    vandn.vv    \c3, H2, H1
    vxor.vv     H0, H0, \c3
    vandn.vv    \c3, H3, H2
    vxor.vv     H1, H1, \c3
    vandn.vv    \c3, \c0, H3
    vxor.vv     H2, H2, \c3
    vxor.vv     H3, H3, \c1
    vxor.vv     \c0, \c0, \c2
    vxor.vx     A0, A0, WORD
.endm

/* After five rounds, everything is where it was before. There are 24, so four groups must be moved in the end. */
.macro keccak_rounds
    addi        END, CONST, 20 * 8
.Lrounds:
    round       0, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23, v24, v25, v26, v27
    round       1, v16, v17, v18, v19, v20, v21, v22, v23, v24, v25, v26, v27, v8, v9, v10, v11, v12, v13, v14, v15
    round       2, v24, v25, v26, v27, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23
    round       3, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23, v24, v25, v26, v27, v8, v9, v10, v11
    beq         CONST, END, .Lmove
    round       4, v20, v21, v22, v23, v24, v25, v26, v27, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19
    addi        CONST, CONST, 5 * 8
    j           .Lrounds
.Lmove:
    vmv4r.v     v16, v8
    vmv4r.v     v8, v20
    vmv1r.v     v20, v12
    vmv4r.v     v12, v24
.endm

.macro keccak_begin
.endm

.macro keccak_in
    sub         WAITS, AT, STRIDE
.endm

.macro keccak_out
.endm

.macro keccak_end
    cv_return
.endm

/* A permutation takes 2542 instructions, a block of 17 lanes 63 more. */
keccak_many cv_keccak_full_zvkb

.section .note.GNU-stack, "", @progbits

/* Poly1305. Needs: V. VLEN at least 128; a block in each lane of two registers. */
#include "vector.h"

#define H      a0
#define POWER  a1
#define DATA   a2
#define GROUPS a3
#define LANES  a4
#define BYTES  a5
/* Limbs of a power of r, and those limbs multiplied by five. */
#define R0     t1
#define R1     t2
#define R2     t3
#define R3     t4
#define R4     t5
#define F1     a6
#define F2     a7
#define F3     s0
#define F4     s1
#define MASK   s2
#define FIVE   s3
#define TWO6   s4
#define TWO12  s5
#define TWO18  s6
#define TWO24  s7
/* Numbers are five limbs of 26 bits. H0 ... H4: of 32 bits; D0 ... D4: of 64 bits, twice the registers. */
#define H0     v0
#define H1     v2
#define H2     v4
#define H3     v6
#define H4     v8
#define T      v10
#define D0     v12
#define D1     v16
#define D2     v20
#define D3     v24
#define D4     v28

/* The power's limbs. */
.macro load_power
    lw          R0, 0(POWER)
    lw          R1, 4(POWER)
    lw          R2, 8(POWER)
    lw          R3, 12(POWER)
    lw          R4, 16(POWER)
    lw          F1, 20(POWER)
    lw          F2, 24(POWER)
    lw          F3, 28(POWER)
    lw          F4, 32(POWER)
.endm

.macro row d, r0, r1, r2, r3, r4
    vwmulu.vx   \d, H0, \r0
    vwmaccu.vx  \d, \r1, H1
    vwmaccu.vx  \d, \r2, H2
    vwmaccu.vx  \d, \r3, H3
    vwmaccu.vx  \d, \r4, H4
.endm

/* D = H R; 2^130 = 5. Limbs of H below 2^26 + 2^9 and of R below 2^26 make limbs of D below 2^57. */
.macro multiply
    row         D0, R0, F4, F3, F2, F1
    row         D1, R1, R0, F4, F3, F2
    row         D2, R2, R1, R0, F4, F3
    row         D3, R3, R2, R1, R0, F4
    row         D4, R4, R3, R2, R1, R0
.endm

/* h = the low bits of d. */
.macro low h, d
    vnsrl.wi    \h, \d, 0
    vand.vx     \h, \h, MASK
.endm

/* H = D and, if `block`, 2^128 for a block of the message. The bits of a limb above 26 are carried to the next as 32
 * bits, so limbs of D may have 58; those of the last limb, multiplied by five, to the first. */
.macro carry block
    vnsrl.wi    T, D4, 26
    low         H4, D4
    vwmaccu.vx  D0, FIVE, T
    vnsrl.wi    T, D0, 26
    low         H0, D0
    vwaddu.wv   D1, D1, T
    vnsrl.wi    T, D1, 26
    low         H1, D1
    vwaddu.wv   D2, D2, T
    vnsrl.wi    T, D2, 26
    low         H2, D2
    vwaddu.wv   D3, D3, T
    vnsrl.wi    T, D3, 26
    low         H3, D3
    .if \block
    vadd.vx     H4, H4, TWO24
    .endif
    vadd.vv     H4, H4, T
    vsrl.vi     T, H4, 26
    vand.vx     H4, H4, MASK
    vmacc.vx    H0, FIVE, T
.endm

/* D += a block in each lane, whose words begin at bits 0, 32, 64, 96: 6, 12 and 18 bits above limbs 1, 2, 3. */
.macro add_blocks
    vlseg4e32.v v0, (DATA)
    add         DATA, DATA, BYTES
    vwaddu.wv   D0, D0, v0
    vwmaccu.vx  D1, TWO6, v2
    vwmaccu.vx  D2, TWO12, v4
    vwmaccu.vx  D3, TWO18, v6
.endm

/* D += H shifted down by `LANES` lanes. */
.macro add_lanes d, h
    vslidedown.vx T, \h, LANES
    vwaddu.wv   \d, \d, T
.endm

/* d: limb `offset` of h in the first lane, 0 in the others. The tail policy must be undisturbed. */
.macro load_limb d, offset
    lw          t0, \offset(H)
    vmv.v.i     T, 0
    vmv.s.x     T, t0
    vwaddu.vx   \d, T, zero
.endm

.macro store_limb offset, h
    vmv.x.s     t0, \h
    sw          t0, \offset(H)
.endm

/* With L lanes and blocks m(i), each lane j evaluates the blocks m(j), m(j+L), ... at r^L:
 *   H(j) = (... (h(j) + m(j)) r^L + m(j+L)) r^L + ...,   h(0) = h, else 0
 * Then half of the lanes absorb the other half: H(j) = H(j) r^(L/2) + H(j+L/2), down to one lane, which lacks a factor
 * r:
 *   h' = h r^n' + sum m(i) r^(n'-i), n' = n - 1
 * A step takes 57 instructions.
 *
 * void cv_poly1305_v_lanes(uint32_t h[5], const uint32_t (*power)[9], const uint8_t *data, size_t groups, size_t lanes)
 * h: limbs, before and after. power: points to r^L, preceded by r^(L/2), ..., r; limbs 0 ... 4, and limbs 1 ... 4
 * multiplied by five.
 * groups > 0: each has a block for each lane. lanes: a power of two above 1, at most what two registers hold. Clobbers
 * a1 ... a7, t0 ... t5, all vector registers. */
cv_function cv_poly1305_v_lanes
    addi        sp, sp, -64
    .irp r, 0,1,2,3,4,5,6,7
    sd          s\r, 8*\r(sp)
    .endr
    li          MASK, 0x3ffffff
    li          FIVE, 5
    li          TWO6, 1 << 6
    li          TWO12, 1 << 12
    li          TWO18, 1 << 18
    li          TWO24, 1 << 24
    slli        BYTES, LANES, 4
    vsetvli     t0, LANES, e32, m2, tu, ma
    load_limb   D0, 0
    load_limb   D1, 4
    load_limb   D2, 8
    load_limb   D3, 12
    load_limb   D4, 16
    vsetvli     t0, LANES, e32, m2, ta, ma
    load_power
    j           2f
1:  multiply
2:  add_blocks
    addi        GROUPS, GROUPS, -1
    carry       1
    bnez        GROUPS, 1b
3:  srli        LANES, LANES, 1
    addi        POWER, POWER, -36
    load_power
    multiply
    add_lanes   D0, H0
    add_lanes   D1, H1
    add_lanes   D2, H2
    add_lanes   D3, H3
    add_lanes   D4, H4
    carry       0
    addi        t0, LANES, -1
    bnez        t0, 3b
    store_limb  0, H0
    store_limb  4, H1
    store_limb  8, H2
    store_limb  12, H3
    store_limb  16, H4
    .irp r, 0,1,2,3,4,5,6,7
    ld          s\r, 8*\r(sp)
    .endr
    addi        sp, sp, 64
    cv_return
cv_end cv_poly1305_v_lanes

.section .note.GNU-stack, "", @progbits

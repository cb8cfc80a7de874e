/* ML-DSA: encoding of polynomials (FIPS 204, 7.1). Needs: V. VLEN at least 128. Time depends on widths only. */
#include "mldsa_zetas.h"
#include "modular.h"

#define D      a2
#define TOP    a3
#define LEFT   a4
#define COUNT  a5
#define BYTES  a6 /* bytes of that many encoded coefficients */
#define Q      a7
#define LOW    t1 /* 2^32 - 1 */
#define WORD   t2 /* 32 */
#define ALL    t3 /* size of the unpacked coefficients in bytes */
#define TEMP   t4

#define OUT    a0
#define F      a1
#define X      v8
#define T      v12
/* 0 or `64 - w` for each 64-bit element. */
#define SHIFTS v20
/* For each encoded byte, its position. */
#define INDEX  v24

/* top - x modulo q. */
.macro below x, t
    vrsub.vx    \x, \x, TOP
    cv_add_if_negative \x, Q, \t, 32
.endm

/* Pairs of numbers of w bits, 32 bits apart, become numbers of 2 w bits, 64 bits apart. The rest of the
 * register is ignored. */
.macro join w, lmul
    vsetvli     TEMP, zero, e64, \lmul, ta, ma
    .if \w > 16
    vsrl.vx     T, X, WORD
    vand.vx     X, X, LOW
    vsll.vi     T, T, \w
    .else
    vsrl.vi     T, X, 32 - \w
    .endif
    vor.vv      X, X, T
.endm

/* The same, but 32 bits apart, for w up to 16. */
.macro join_short w, lmul, half
    join        \w, \lmul
    vsetvli     TEMP, zero, e32, \half, ta, ma
    vnsrl.wi    X, X, 0
.endm

/* Pairs of numbers of w bits, 64 bits apart, become contiguous. Every other element keeps only its low
 * w bits; what was shifted up is discarded. */
.macro join_long w, lmul
    vslide1down.vx T, X, zero
    vsrl.vv     X, X, SHIFTS
    li          TEMP, \w
    vsll.vx     T, T, TEMP
    vor.vv      X, X, T
.endm

.macro prepare_long w
    vsetvli     TEMP, zero, e64, m4, ta, ma
    vid.v       SHIFTS
    vand.vi     SHIFTS, SHIFTS, 1
    li          TEMP, 64 - \w
    vmul.vx     SHIFTS, SHIFTS, TEMP
.endm

/* Stores the bytes of the encoding, which INDEX selects. */
.macro pick lmul
    vsetvli     zero, BYTES, e8, \lmul, ta, ma
    vrgatherei16.vv T, X, INDEX
    vse8.v      T, (OUT)
    add         OUT, OUT, BYTES
    bnez        LEFT, 1b
    cv_return
.endm

/* Loads the next coefficients. Their encoding will be the first `used` of each `unit` bytes, so byte i of it will be at
 * i + (i / used) (unit - used), and 2^16 / used, rounded up, is close enough to compute the quotient. */
.macro take unit, used, to_below=0
    vsetvli     TEMP, zero, e16, m8, ta, ma
    vid.v       INDEX
    li          TEMP, (65535 + \used) / \used
    vmulhu.vx   v0, INDEX, TEMP
    li          TEMP, \unit - \used
    vmacc.vx    INDEX, TEMP, v0
1:  vsetvli     COUNT, LEFT, e32, m4, ta, ma
    vle32.v     X, (F)
    slli        TEMP, COUNT, 2
    add         F, F, TEMP
    sub         LEFT, LEFT, COUNT
    srli        BYTES, COUNT, 3
    mul         BYTES, BYTES, D
    .if \to_below
    below       X, T
    .endif
.endm

.macro begin
    li          LEFT, 256
    li          Q, MODULUS
    li          WORD, 32
    li          LOW, 0xffffffff
.endm

.macro if_width d
    li          TEMP, \d
    bne         D, TEMP, .Lnot\d
.endm

/* void cv_mldsa_pack_v(uint8_t *out, const uint32_t f[256], unsigned d) */
cv_function cv_mldsa_pack_v
    begin
    if_width    4
    take        8, 2
    join_short  4, m4, m2
    join        8, m2
    pick        m2
.Lnot4:
    if_width    6
    take        8, 3
    join_short  6, m4, m2
    join        12, m2
    pick        m2
.Lnot6:
    take        8, 5
    join_short  10, m4, m2
    join        20, m2
    pick        m2
cv_end cv_mldsa_pack_v

/* void cv_mldsa_pack_below_v(uint8_t *out, const uint32_t f[256], unsigned d, uint32_t top) */
cv_function cv_mldsa_pack_below_v
    begin
    if_width    20
    take        8, 5, 1
    join        20, m4
    pick        m4
.Lnot20:
    if_width    18
    prepare_long 36
    take        16, 9, 1
    join        18, m4
    join_long   36, m4
    pick        m4
.Lnot18:
    if_width    13
    prepare_long 52
    take        16, 13, 1
    join_short  13, m4, m2
    join        26, m2
    join_long   52, m2
    pick        m2
.Lnot13:
    if_width    3
    take        8, 3, 1
    join_short  3, m4, m2
    join_short  6, m2, m1
    join        12, m1
    pick        m1
.Lnot3:
    take        8, 2, 1
    join_short  4, m4, m2
    join        8, m2
    pick        m2
cv_end cv_mldsa_pack_below_v

#undef OUT
#undef F
#undef X
#undef T
#undef INDEX
#define F      a0
#define IN     a1
#define X      v4
#define T      v24
/* For each coefficient: indices of the four bytes that its bits are in, and their bit offset. */
#define INDEX  v8
#define UP     v20

/* Coefficient i begins at bit d i. Coefficients are taken in multiples of 8, which are whole bytes. */
.macro unpack to_below
    li          LEFT, 256
    li          Q, MODULUS
    li          LOW, -1
    sll         LOW, LOW, D
    not         LOW, LOW
    vsetvli     COUNT, LEFT, e32, m4, ta, ma
    vid.v       UP
    vmul.vx     UP, UP, D
    vsrl.vi     v16, UP, 3
    vand.vi     UP, UP, 7
    vsetvli     zero, zero, e64, m8, ta, ma
    vzext.vf2   INDEX, v16
    li          TEMP, 0x0001000100010001
    vmul.vx     INDEX, INDEX, TEMP
    li          TEMP, 0x0003000200010000
    vadd.vx     INDEX, INDEX, TEMP
    slli        ALL, COUNT, 2
    srli        BYTES, COUNT, 3
    mul         BYTES, BYTES, D
1:  vsetvli     zero, BYTES, e8, m4, ta, ma
    vle8.v      v0, (IN)
    vsetvli     zero, ALL, e8, m4, ta, ma
    vrgatherei16.vv X, v0, INDEX
    vsetvli     zero, COUNT, e32, m4, ta, ma
    vsrl.vv     X, X, UP
    vand.vx     X, X, LOW
    .if \to_below
    below       X, T
    .endif
    vse32.v     X, (F)
    sub         LEFT, LEFT, COUNT
    add         IN, IN, BYTES
    add         F, F, ALL
    bnez        LEFT, 1b
    cv_return
.endm

/* void cv_mldsa_unpack_v(uint32_t f[256], const uint8_t *in, unsigned d) */
cv_function cv_mldsa_unpack_v
    unpack      0
cv_end cv_mldsa_unpack_v

/* void cv_mldsa_unpack_below_v(uint32_t f[256], const uint8_t *in, unsigned d, uint32_t top) */
cv_function cv_mldsa_unpack_below_v
    unpack      1
cv_end cv_mldsa_unpack_below_v

.section .note.GNU-stack, "", @progbits

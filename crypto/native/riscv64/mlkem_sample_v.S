/* ML-KEM: sampling (FIPS 203, 4.2.2). Needs: V. VLEN at least 128. */
#include "mlkem_quads.h"

#define Q 3329

/* Public, so vector registers need not be cleared.
 *
 * size_t cv_mlkem_reject_v(uint16_t *out, size_t room, const uint8_t *bytes, size_t len) */
#define ROOM  t5
#define BYTES a1
cv_function cv_mlkem_reject_v
    mv          ROOM, a1
    mv          BYTES, a2
    li          D, 12
    quad_load_begin a3
    li          t0, 0x10000 / 6 + 1
    mul         LEFT, a3, t0
    srli        LEFT, LEFT, 16
    li          t6, Q
    mv          a3, a0
1:  quad_load   BYTES
    vmsltu.vx   v0, v8, t6
    vcpop.m     t0, v0
    vcompress.vm v16, v8, v0
    bltu        t0, ROOM, 2f
    mv          t0, ROOM
2:  vsetvli     zero, t0, e16, m8, ta, ma
    vse16.v     v16, (a0)
    sub         ROOM, ROOM, t0
    slli        t0, t0, 1
    add         a0, a0, t0
    sub         LEFT, LEFT, COUNT
    beqz        ROOM, 3f
    bnez        LEFT, 1b
3:  sub         a0, a0, a3
    srli        a0, a0, 1
    ret
cv_end cv_mlkem_reject_v

/* As in src/mlkem_poly.c: each half of a byte becomes 4 + x - y. The product of such a byte and 2^12 + 1 is a word with
 * the lower half at bit 0 and the upper half at bit 16.
 *
 * void cv_mlkem_cbd2_v(uint16_t f[256], const uint8_t bytes[128]) */
cv_function cv_mlkem_cbd2_v
    li          LEFT, 128
    li          a2, 0x55
    li          a3, 0x33
    li          a4, 0x44
    li          a5, 0x1001
    li          a6, 0x000f000f
    li          a7, (Q - 4) * 0x10001
1:  vsetvli     COUNT, LEFT, e8, m2, ta, ma
    vle8.v      v0, (a1)
    vsrl.vi     v2, v0, 1
    vand.vx     v0, v0, a2
    vand.vx     v2, v2, a2
    vadd.vv     v0, v0, v2
    vsrl.vi     v2, v0, 2
    vand.vx     v0, v0, a3
    vand.vx     v2, v2, a3
    vadd.vx     v0, v0, a4
    vsub.vv     v0, v0, v2
    vsetvli     zero, zero, e32, m8, ta, ma
    vzext.vf4   v8, v0
    vmul.vx     v8, v8, a5
    vand.vx     v8, v8, a6
    vadd.vx     v8, v8, a7
    vse32.v     v8, (a0)
    slli        t0, COUNT, 2
    add         a0, a0, t0
    add         a1, a1, COUNT
    sub         LEFT, LEFT, COUNT
    bnez        LEFT, 1b
    cv_return
cv_end cv_mlkem_cbd2_v

/* Fields of 6 bits, each in 16: sums of bits 0 to 2 and 3 to 5.
 *
 * void cv_mlkem_cbd3_v(uint16_t f[256], const uint8_t bytes[192]) */
cv_function cv_mlkem_cbd3_v
    li          D, 6
    li          a3, 192
    quad_load_begin a3
    li          LEFT, 64
    li          t5, Q
1:  quad_load   a1
    vsrl.vi     v16, v8, 1
    vsrl.vi     v0, v8, 2
    vand.vi     v8, v8, 9
    vand.vi     v16, v16, 9
    vand.vi     v0, v0, 9
    vadd.vv     v8, v8, v16
    vadd.vv     v8, v8, v0
    vsrl.vi     v16, v8, 3
    vand.vi     v8, v8, 7
    vadd.vx     v8, v8, t5
    vsub.vv     v8, v8, v16
    vse16.v     v8, (a0)
    sub         LEFT, LEFT, COUNT
    slli        t0, COUNT, 3
    add         a0, a0, t0
    bnez        LEFT, 1b
    cv_return
cv_end cv_mlkem_cbd3_v

.section .note.GNU-stack, "", @progbits

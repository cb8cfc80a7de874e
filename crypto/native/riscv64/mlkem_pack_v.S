/* ML-KEM: encoding and compression (FIPS 203, 4.2.1), and the comparison of ciphertexts. Needs: V. VLEN at least 128. */
#include "mlkem_quads.h"

#define Q 3329

/* void cv_mlkem_pack_v(uint8_t *out, const uint16_t f[256]) */
cv_function cv_mlkem_pack_v
    li          D, 12
    quad_store_begin
    li          LEFT, 256
1:  vsetvli     COUNT, LEFT, e16, m4, ta, ma
    vle16.v     v8, (a1)
    quad_join   m4
    quad_store  a0
    sub         LEFT, LEFT, COUNT
    slli        t0, COUNT, 1
    add         a1, a1, t0
    bnez        LEFT, 1b
    cv_return
cv_end cv_mlkem_pack_v

/* The words of v0 ... v7 stay negative as long as every coefficient minus q is negative.
 *
 * int cv_mlkem_unpack_v(uint16_t f[256], const uint8_t *in) */
cv_function cv_mlkem_unpack_v
    li          D, 12
    li          a3, 384
    quad_load_begin a3
    li          LEFT, 64
    li          t5, Q
    vmv.v.i     v0, -1
1:  quad_load   a1
    vsub.vx     v16, v8, t5
    vand.vv     v0, v0, v16
    vse16.v     v8, (a0)
    sub         LEFT, LEFT, COUNT
    slli        t0, COUNT, 3
    add         a0, a0, t0
    bnez        LEFT, 1b
    vmsgt.vi    v8, v0, -1
    slli        COUNT, COUNT, 2
    cv_any_bit  a0, v8, COUNT
    xori        a0, a0, 1
    cv_return
cv_end cv_mlkem_unpack_v

/* ceil(2^43 / q) / 2^43 instead of 1 / q as in src/mlkem_pack.c, where it is ceil(2^40 / q) / 2^40. If d is odd, the first of two
 * quads gets the first half byte of the second, and v4 ... v7 are 0 and 4 in turn.
 *
 * void cv_mlkem_compress_v(uint8_t *out, const uint16_t f[256], unsigned d) */
#define SCALE a3
#define MASK  t3
#define HALF  t4
#define QUOT  t5
#define ODD   t6
cv_function cv_mlkem_compress_v
    quad_store_begin
    li          SCALE, 1
    sll         SCALE, SCALE, D
    addi        MASK, SCALE, -1
    andi        ODD, D, 1
    li          HALF, (Q - 1) / 2
    li          QUOT, 2642262849
    beqz        ODD, 1f
    vsetvli     t0, zero, e64, m4, ta, ma
    vid.v       v4
    vand.vi     v4, v4, 1
    vsll.vi     v4, v4, 2
1:  li          LEFT, 256
2:  vsetvli     COUNT, LEFT, e16, m4, ta, ma
    vle16.v     v8, (a1)
    vwmulu.vx   v16, v8, SCALE
    vsetvli     zero, zero, e32, m8, ta, ma
    vadd.vx     v16, v16, HALF
    vmulhu.vx   v16, v16, QUOT
    vsetvli     zero, zero, e16, m4, ta, ma
    vnsrl.wi    v8, v16, 11
    vand.vx     v8, v8, MASK
    quad_join   m4
    beqz        ODD, 3f
    vslide1down.vx v16, v8, zero
    vsll.vx     v16, v16, D4
    vsrl.vv     v8, v8, v4
    vor.vv      v8, v8, v16
3:  quad_store  a0
    sub         LEFT, LEFT, COUNT
    slli        t0, COUNT, 1
    add         a1, a1, t0
    bnez        LEFT, 2b
    cv_return
cv_end cv_mlkem_compress_v

/* round(q y / 2^d) = floor((floor(2 q y / 2^d) + 1) / 2).
 *
 * void cv_mlkem_decompress_v(uint16_t f[256], const uint8_t *in, unsigned d) */
cv_function cv_mlkem_decompress_v
    slli        a3, D, 5
    quad_load_begin a3
    li          t5, 16
    sub         t5, t5, D
    li          t6, 2 * Q
    li          LEFT, 64
1:  quad_load   a1
    vsll.vx     v8, v8, t5
    vmulhu.vx   v8, v8, t6
    vadd.vi     v8, v8, 1
    vsrl.vi     v8, v8, 1
    vse16.v     v8, (a0)
    sub         LEFT, LEFT, COUNT
    slli        t0, COUNT, 3
    add         a0, a0, t0
    bnez        LEFT, 1b
    cv_return
cv_end cv_mlkem_decompress_v

/* int cv_mlkem_same_v(const uint8_t *a, const uint8_t *b, size_t len) */
cv_function cv_mlkem_same_v
    vsetvli     t0, zero, e8, m8, ta, ma
    vmv.v.i     v0, 0
1:  vsetvli     t0, a2, e8, m8, tu, ma
    vle8.v      v8, (a0)
    vle8.v      v16, (a1)
    vxor.vv     v8, v8, v16
    vor.vv      v0, v0, v8
    sub         a2, a2, t0
    add         a0, a0, t0
    add         a1, a1, t0
    bnez        a2, 1b
    vsetvli     a1, zero, e64, m8, ta, ma
    vmsne.vi    v8, v0, 0
    cv_any_bit  a0, v8, a1
    xori        a0, a0, 1
    cv_return
cv_end cv_mlkem_same_v

.section .note.GNU-stack, "", @progbits

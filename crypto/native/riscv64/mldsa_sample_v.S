/* ML-DSA: rejection sampling. Needs: V. VLEN at least 128.
 *
 * Accepted numbers, or their indices, are compressed, and as many of them are stored as there is room for. */
#include "mldsa_zetas.h"
#include "modular.h"

#define OUT    a0
#define ROOM   a1
#define IN     a2
#define LEN    a3
#define ETA    a4
#define TOTAL  a5
#define COUNT  a6
#define Q      a7
#define TAKEN  t1
#define BOUND  t2
#define FIFTH  t3
#define BYTES  t4

/* TAKEN = the number of bits in mask v0, but at most ROOM. Which candidates are taken is public: those of the matrix follow
 * from the public key, and of a secret polynomial only the values of the candidates that are taken are secret. */
.macro count_taken
    vcpop.m     TAKEN, v0
    bltu        TAKEN, ROOM, .Lroom\@
    mv          TAKEN, ROOM
.Lroom\@:
    add         TOTAL, TOTAL, TAKEN
    sub         ROOM, ROOM, TAKEN
.endm

/* void cv_mldsa_reject_v(uint32_t *out, size_t room, const uint8_t *bytes, size_t len), returns how many */
cv_function cv_mldsa_reject_v
    li          TOTAL, 0
    li          Q, MODULUS
    li          BOUND, 0x7f
    li          BYTES, 3
    divu        LEN, LEN, BYTES
    beqz        LEN, 2f
1:  beqz        ROOM, 2f
    vsetvli     COUNT, LEN, e8, m2, ta, ma
    vlseg3e8.v  v2, (IN)
    vand.vx     v6, v6, BOUND
    vsetvli     zero, zero, e16, m4, ta, ma
    vzext.vf2   v12, v4
    vzext.vf2   v8, v2
    vsll.vi     v12, v12, 8
    vor.vv      v8, v8, v12
    vsetvli     zero, zero, e32, m8, ta, ma
    vzext.vf4   v24, v6
    vzext.vf2   v16, v8
    vsll.vi     v24, v24, 16
    vor.vv      v16, v16, v24
    vmsltu.vx   v0, v16, Q
    vcompress.vm v24, v16, v0
    count_taken
    vsetvli     zero, TAKEN, e32, m8, ta, ma
    vse32.v     v24, (OUT)
    slli        BYTES, TAKEN, 2
    add         OUT, OUT, BYTES
    sub         LEN, LEN, COUNT
    add         IN, IN, COUNT
    add         IN, IN, COUNT
    add         IN, IN, COUNT
    bnez        LEN, 1b
2:  mv          a0, TOTAL
    cv_return
cv_end cv_mldsa_reject_v

/* CoeffFromHalfByte (algorithm 15). Only indices are compressed, since values are secret.
 * 52 / 256 is close enough to 1 / 5 for numbers below 15.
 *
 * void cv_mldsa_reject_small_v(uint32_t *out, size_t room, const uint8_t *bytes, size_t len, unsigned eta), returns how
 * many */
cv_function cv_mldsa_reject_small_v
    li          TOTAL, 0
    li          Q, MODULUS
    /* Only eta 2 needs the quotient by 5. */
    li          BOUND, 15
    li          FIFTH, 52
    addi        BYTES, ETA, -2
    beqz        BYTES, 1f
    li          BOUND, 9
    li          FIFTH, 0
1:  beqz        ROOM, 2f
    beqz        LEN, 2f
    /* Half bytes in order: x + 16^2 (x / 16) has the upper one in its upper byte. */
    vsetvli     COUNT, LEN, e8, m1, ta, ma
    vle8.v      v2, (IN)
    vsetvli     zero, zero, e16, m2, ta, ma
    vzext.vf2   v4, v2
    vsll.vi     v6, v4, 4
    vor.vv      v4, v4, v6
    slli        BYTES, COUNT, 1
    vsetvli     zero, BYTES, e8, m2, ta, ma
    vand.vi     v4, v4, 15
    vmsltu.vx   v0, v4, BOUND
    vsetvli     zero, zero, e16, m4, ta, ma
    vid.v       v12
    vcompress.vm v16, v12, v0
    count_taken
    vsetvli     zero, TAKEN, e8, m2, ta, ma
    vrgatherei16.vv v6, v4, v16
    vmulhu.vx   v8, v6, FIFTH
    li          BYTES, 5
    vnmsac.vx   v6, BYTES, v8
    vrsub.vx    v6, v6, ETA
    vsetvli     zero, zero, e32, m8, ta, ma
    vsext.vf4   v16, v6
    cv_add_if_negative v16, Q, v24, 32
    vse32.v     v16, (OUT)
    slli        BYTES, TAKEN, 2
    add         OUT, OUT, BYTES
    add         IN, IN, COUNT
    sub         LEN, LEN, COUNT
    j           1b
2:  mv          a0, TOTAL
    cv_return
cv_end cv_mldsa_reject_small_v

.section .note.GNU-stack, "", @progbits

/* ML-DSA: arithmetic by coefficients and rounding. Needs: V. */
#include "mldsa_zetas.h"
#include "modular.h"

#define LEFT  a5
#define COUNT a6
#define Q     a7
#define BYTES t0
#define X     v8
#define Y     v16
#define T     v24

/* Repeats `body` for as many coefficients at a time as fit. `pointers` are those that advance. */
.macro each body, pointers:vararg
    li          LEFT, 256
    li          Q, MODULUS
.Leach\@:
    vsetvli     COUNT, LEFT, e32, m8, ta, ma
    sub         LEFT, LEFT, COUNT
    slli        BYTES, COUNT, 2
    \body
    .irp pointer, \pointers
    add         \pointer, \pointer, BYTES
    .endr
    bnez        LEFT, .Leach\@
.endm

/* x from -q to q - 1 becomes x modulo q. */
.macro positive x
    cv_add_if_negative \x, Q, T, 32
.endm

.macro add_body
    vle32.v     X, (a1)
    vle32.v     Y, (a2)
    vadd.vv     X, X, Y
    cv_subtract_once X, Q, T, 32
    vse32.v     X, (a0)
.endm

.macro subtract_body
    vle32.v     X, (a1)
    vle32.v     Y, (a2)
    vsub.vv     X, X, Y
    positive    X
    vse32.v     X, (a0)
.endm

/* void cv_mldsa_add_v(uint32_t h[256], const uint32_t f[256], const uint32_t g[256]) */
cv_function cv_mldsa_add_v
    each        add_body, a0, a1, a2
    cv_return
cv_end cv_mldsa_add_v

/* void cv_mldsa_subtract_v(uint32_t h[256], const uint32_t f[256], const uint32_t g[256]) */
cv_function cv_mldsa_subtract_v
    each        subtract_body, a0, a1, a2
    cv_return
cv_end cv_mldsa_subtract_v

.macro shift_body
    vle32.v     X, (a0)
    vsll.vi     X, X, 13
    vse32.v     X, (a0)
.endm

/* void cv_mldsa_shift_v(uint32_t f[256]) */
cv_function cv_mldsa_shift_v
    each        shift_body, a0
    cv_return
cv_end cv_mldsa_shift_v

/* Power2Round (algorithm 35). */
.macro round_body
    vle32.v     X, (a2)
    vadd.vx     Y, X, a3
    vsrl.vi     Y, Y, 13
    vse32.v     Y, (a0)
    vsll.vi     Y, Y, 13
    vsub.vv     X, X, Y
    positive    X
    vse32.v     X, (a1)
.endm

/* void cv_mldsa_round_v(uint32_t high[256], uint32_t low[256], const uint32_t f[256]) */
cv_function cv_mldsa_round_v
    li          a3, (1 << 12) - 1
    each        round_body, a0, a1, a2
    cv_return
cv_end cv_mldsa_round_v

/* HighBits (algorithm 37) of x, as in mldsa_poly.c: (x + gamma2 - 1) / (2 gamma2), computed with `RECIPROCAL`, which
 * is 2^42 / (2 gamma2) rounded up; `TOPS` becomes 0. */
#define ROUND      t1 /* gamma2 - 1 */
#define RECIPROCAL t2
#define TOPS       t3
#define DOUBLE     t4 /* 2 gamma2 */

.macro set_gamma2 gamma2
    addi        ROUND, \gamma2, -1
    slli        DOUBLE, \gamma2, 1
    li          RECIPROCAL, 8396809
    li          TOPS, 16
    srli        t5, \gamma2, 17
    bnez        t5, .Lset\@
    li          RECIPROCAL, 23091223
    li          TOPS, 44
.Lset\@:
.endm

.macro high_bits to, x
    vadd.vx     \to, \x, ROUND
    vmulhu.vx   \to, \to, RECIPROCAL
    vsrl.vi     \to, \to, 10
    vsub.vx     T, \to, TOPS
    vsrl.vi     T, T, 31
    vmul.vv     \to, \to, T
.endm

/* Decompose (algorithm 36). */
.macro decompose_body
    vle32.v     X, (a2)
    high_bits   Y, X
    vnmsac.vx   X, DOUBLE, Y
    positive    X
    vse32.v     Y, (a0)
    vse32.v     X, (a1)
.endm

/* void cv_mldsa_decompose_v(uint32_t high[256], uint32_t low[256], const uint32_t f[256], uint32_t gamma2) */
cv_function cv_mldsa_decompose_v
    set_gamma2  a3
    each        decompose_body, a0, a1, a2
    cv_return
cv_end cv_mldsa_decompose_v

.macro make_hint_body
    vle32.v     X, (a1)
    vle32.v     Y, (a2)
    high_bits   X, X
    high_bits   Y, Y
    vxor.vv     X, X, Y
    vrsub.vi    X, X, 0
    vsrl.vi     X, X, 31
    vse32.v     X, (a0)
    vadd.vv     v0, v0, X
.endm

/* size_t cv_mldsa_make_hint_v(uint32_t h[256], const uint32_t f[256], const uint32_t g[256], uint32_t gamma2) */
cv_function cv_mldsa_make_hint_v
    set_gamma2  a3
    vsetvli     t0, zero, e32, m8, ta, ma
    vmv.v.i     v0, 0
    each        make_hint_body, a0, a1, a2
    /* COUNT is a power of two. */
1:  srli        COUNT, COUNT, 1
    vsetvli     zero, COUNT, e32, m8, ta, ma
    vslidedown.vx T, v0, COUNT
    vadd.vv     v0, v0, T
    addi        t0, COUNT, -1
    bnez        t0, 1b
    vmv.x.s     a0, v0
    cv_return
cv_end cv_mldsa_make_hint_v

/* UseHint (algorithm 40), for signatures, which are public: where the hint is 1, adds 1 if the low bits are positive, and
 * otherwise subtracts 1, modulo `TOPS`. The low bits, reduced or not, are positive if they minus 1, as an unsigned number, are
 * below gamma2. */
.macro use_hint_body
    vle32.v     X, (a1)
    high_bits   Y, X
    vnmsac.vx   X, DOUBLE, Y
    vadd.vi     X, X, -1
    vmsltu.vx   v0, X, a3
    vle32.v     X, (a2)
    vrsub.vi    T, X, 0
    vmerge.vvm  X, T, X, v0
    vadd.vv     Y, Y, X
    vadd.vx     T, Y, TOPS
    vminu.vv    Y, Y, T
    vsub.vx     T, Y, TOPS
    vminu.vv    Y, Y, T
    vse32.v     Y, (a0)
.endm

/* void cv_mldsa_use_hint_v(uint32_t high[256], const uint32_t f[256], const uint32_t h[256], uint32_t gamma2) */
cv_function cv_mldsa_use_hint_v
    set_gamma2  a3
    each        use_hint_body, a0, a1, a2
    cv_return
cv_end cv_mldsa_use_hint_v

/* A coefficient is between -bound and bound if it minus `bound`, as an unsigned number, is above q - 2 bound: negative
 * differences are huge. v0 collects the others. */
.macro exceeds_body
    vle32.v     X, (a0)
    vsub.vx     X, X, a1
    vmsleu.vx   T, X, a2
    vmor.mm     v0, v0, T
.endm

/* int cv_mldsa_exceeds_v(const uint32_t f[256], uint32_t bound) */
cv_function cv_mldsa_exceeds_v
    slli        t1, a1, 1
    li          a2, MODULUS
    sub         a2, a2, t1
    vsetvli     t1, zero, e32, m8, ta, ma
    vmv.v.i     v0, 0
    each        exceeds_body, a0
    cv_any_bit  a0, v0, COUNT
    cv_return
cv_end cv_mldsa_exceeds_v

.section .note.GNU-stack, "", @progbits

/* ML-KEM: arithmetic by coefficients. Needs: V. VLEN at least 128. */
#include "modular.h"

#define MODULUS 3329

#define H     a0
#define F     a1
#define G     a2
#define Q     a3
#define COUNT t1
#define LEFT  t2

/* `insns` for F in v0 and G in v8 leave H in v0. */
.macro by_coefficient name, insns:vararg
cv_function \name
    li          Q, MODULUS
    li          LEFT, 256
1:  vsetvli     COUNT, LEFT, e16, m8, ta, ma
    vle16.v     v0, (F)
    vle16.v     v8, (G)
    slli        t0, COUNT, 1
    \insns
    vse16.v     v0, (H)
    add         F, F, t0
    add         G, G, t0
    add         H, H, t0
    sub         LEFT, LEFT, COUNT
    bnez        LEFT, 1b
    cv_return
cv_end \name
.endm

.macro sum
    vadd.vv     v0, v0, v8
.endm

.macro difference
    vadd.vx     v0, v0, Q
    vsub.vv     v0, v0, v8
.endm

.macro reduced_sum
    vadd.vv     v0, v0, v8
    cv_subtract_once v0, Q, v8, 16
.endm

/* void name(uint16_t h[256], const uint16_t f[256], const uint16_t g[256]) */
by_coefficient cv_mlkem_add_v, sum
by_coefficient cv_mlkem_add_reduced_v, reduced_sum
by_coefficient cv_mlkem_subtract_v, difference

.section .note.GNU-stack, "", @progbits

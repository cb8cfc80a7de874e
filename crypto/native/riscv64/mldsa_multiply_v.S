/* ML-DSA: products in the NTT domain. Needs: V. VLEN at least 128. */
#include "mldsa_zetas.h"
#include "modular.h"

#define H       a0
#define F       a1
#define G       a2
#define TERMS   a3
#define LEFT    a4
#define COUNT   a5
#define BARRETT a6
#define Q       a7
#define F_AT    t0
#define G_AT    t1
#define AT      t2
#define FACTOR1 v0
#define FACTOR2 v4
/* The sum, of 64 bits. */
#define SUM     v8
#define T       v16

/* Sums x of at most 8 products of reduced factors are below 2^49. Quotients are floor(2^52 / q) times x / 2^20, rounded
 * down, over 2^32: at most 2^20 / q + 2^29 / 2^32 + 1 too small, so remainders are below 1.25 q.
 *
 * void cv_mldsa_multiply_v(uint32_t h[256], const uint32_t *f, const uint32_t *g, size_t n) */
cv_function cv_mldsa_multiply_v
    li          LEFT, 256
    li          Q, MODULUS
    li          BARRETT, (1 << 52) / MODULUS
1:  vsetvli     COUNT, LEFT, e32, m4, ta, ma
    vle32.v     FACTOR1, (F)
    vle32.v     FACTOR2, (G)
    slli        AT, TERMS, 10
    addi        F_AT, F, 1024
    addi        G_AT, G, 1024
    add         AT, AT, F
    vwmulu.vv   SUM, FACTOR1, FACTOR2
    beq         F_AT, AT, 3f
2:  vle32.v     FACTOR1, (F_AT)
    vle32.v     FACTOR2, (G_AT)
    addi        F_AT, F_AT, 1024
    addi        G_AT, G_AT, 1024
    vwmaccu.vv  SUM, FACTOR1, FACTOR2
    bne         F_AT, AT, 2b
3:  vnsrl.wi    T, SUM, 20
    vnsrl.wi    FACTOR1, SUM, 0
    vmulhu.vx   T, T, BARRETT
    vnmsac.vx   FACTOR1, Q, T
    cv_subtract_once FACTOR1, Q, T, 32
    vse32.v     FACTOR1, (H)
    slli        AT, COUNT, 2
    add         H, H, AT
    add         F, F, AT
    add         G, G, AT
    sub         LEFT, LEFT, COUNT
    bnez        LEFT, 1b
    cv_return
cv_end cv_mldsa_multiply_v

.section .note.GNU-stack, "", @progbits

/* What the transforms of ML-KEM and ML-DSA by vmulq share. The including file has the macros `zeta` and SEW, and the names of
 * registers. vmulq and vmacq take any unsigned numbers, and their results are reduced. */
#ifndef CV_VMULQ_H
#define CV_VMULQ_H

#include "insn_vmulq.h"

/* .Lcv_z = `times` zeta_k modulo q. */
.macro reduced_zeta k, times=1
    zeta        \k, \times
    .set .Lcv_z, (.Lcv_z + MODULUS) % MODULUS
.endm

/* a + b z and a - b z, without reduction: at most q more and less. */
.macro butterfly_v a, b, z
    vmulq.vv    T, \b, \z
    vsub.vv     \b, \a, T
    vadd.vv     \a, \a, T
.endm

/* s = a + b, without reduction, and (b - a) z = 2 z b - z s. */
.macro inverse_v a, b, double, minus
    vadd.vv     \a, \a, \b
    vmulq.vv    \b, \b, \double
    vmacq.vv    \b, \minus, \a
.endm

/* The next zetas of the table are in v16 ... v19; then LMUL is `lmul`. */
.macro next_four lmul
    vsetvli     zero, COUNT, e32, m1, ta, ma
    vlsseg4e32.v v16, (AT), BYTES
    addi        AT, AT, 16
    vsetvli     Z, zero, SEW, \lmul, ta, ma
.endm

/* Words with these multiples of zetas; `copies` is 1, or 0x10001 for each number twice. */
.macro words copies, times, ks:vararg
    .irp k, \ks
    reduced_zeta \k, \times
    .4byte .Lcv_z * \copies
    .endr
.endm

/* Words of 2 z, then of -z. */
.macro both_words copies, ks:vararg
    words       \copies, 2, \ks
    words       \copies, (MODULUS-1), \ks
.endm

#endif

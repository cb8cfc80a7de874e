/* SM4 in Galois/counter mode. Needs: V, Zvksed, Zvkb, Zvkg, and Zvkgs where `scalar` is 1. VLEN at least 128; all lanes of
 * four registers at once. */
#ifndef CV_SM4_GCM_H
#define CV_SM4_GCM_H

#include "sm4.h"
#include "gcm.h"

#define ORDER   v10

/* Round keys, and counter blocks as numbers: the first three words of the IV in every lane. */
.macro load
    sm4_load_keys KEY
    gcm_mask
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     DATA, (IV)
    vrev8.v     DATA, DATA
    vsetvli     t1, zero, e32, m4, ta, mu
    sm4_lanes   BASE, DATA, ORDER, t1, m2, m4
    sm4_order   ORDER, m2
.endm

.macro begin rounds
    viota.m     BASE, v0, v0.t
    vadd.vx     BASE, BASE, COUNTER, v0.t
.endm

/* 15 instructions. The data replaces the counter blocks. */
.macro step rounds
    vmv.v.v     STREAM, BASE
    vadd.vx     BASE, BASE, LANES, v0.t
    sm4_crypt   DATA, STREAM, ORDER
    vle32.v     STREAM, (IN)
    vxor.vv     DATA, DATA, STREAM
    vse32.v     DATA, (OUT)
.endm

/* void NAME_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *     const uint8_t *iv, uint32_t counter, const cv_ghash_key *hash, uint8_t y[16])
 * blocks > 0; iv and y aligned to 4. NAME_decrypt hashes the input, and is otherwise the same. Clobbers a0 ... a2, a5,
 * t0 ... t5, all vector registers. */
.macro sm4_gcm name, scalar
cv_function \name\()_encrypt
    load
    gcm         begin, step, 0, DATA, STREAM, \scalar
cv_end \name\()_encrypt

cv_function \name\()_decrypt
    load
    gcm         begin, step, 0, STREAM, DATA, \scalar
cv_end \name\()_decrypt
.endm

#endif

/* AES in Galois/counter mode. Needs: V, Zvkned, Zvkb, Zvkg, and Zvkgs where `scalar` is 1. VLEN at least 128; all lanes of
 * four registers at once. */
#ifndef CV_AES_GCM_H
#define CV_AES_GCM_H

#include "aes.h"
#include "gcm.h"

/* The first three words of counter blocks are merged with the first round key, as in aes_zvkned_zvkb.S. The rest is
 * computed anew in each step; with ten rounds there are registers left to keep it. */
.macro load rounds
    aes_load_keys \rounds, KEY
    vle32.v     STREAM, (IV)
    gcm_mask
    vsetivli    zero, 4, e32, m1, ta, ma
    vmerge.vim  STREAM, STREAM, 0, v0
    vxor.vv     v1, v1, STREAM
.endm

.macro numbers out
    vmv.v.i     \out, 0
    viota.m     \out, v0, v0.t
    vadd.vx     \out, \out, COUNTER, v0.t
.endm

.macro begin rounds
    .ifeq \rounds - 10
    numbers     BASE
    .endif
.endm

/* 5 instructions and one for each round key; with twelve and fourteen rounds 3 more. */
.macro step rounds
    .ifeq \rounds - 10
    vrev8.v     STREAM, BASE
    vadd.vx     BASE, BASE, LANES, v0.t
    .else
    numbers     STREAM
    addw        COUNTER, COUNTER, LANES
    vrev8.v     STREAM, STREAM
    .endif
    vle32.v     DATA, (IN)
    aes_encrypt STREAM, \rounds
    vxor.vv     STREAM, STREAM, DATA
    vse32.v     STREAM, (OUT)
.endm

/* void NAME_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *     const uint8_t *iv, uint32_t counter, const cv_ghash_key *hash, uint8_t y[16])
 * blocks > 0; iv and y aligned to 4. NAME_decrypt hashes the input, and is otherwise the same. Clobbers a0 ... a2, a5,
 * t0 ... t5, all vector registers. */
.macro aes_gcm name, scalar
cv_function \name\()_encrypt
    aes_by_rounds KEY, .Lencrypt12_\name, .Lencrypt14_\name
    load        10
    gcm         begin, step, 10, STREAM, DATA, \scalar
.Lencrypt12_\name:
    load        12
    gcm         begin, step, 12, STREAM, DATA, \scalar
.Lencrypt14_\name:
    load        14
    gcm         begin, step, 14, STREAM, DATA, \scalar
cv_end \name\()_encrypt

cv_function \name\()_decrypt
    aes_by_rounds KEY, .Ldecrypt12_\name, .Ldecrypt14_\name
    load        10
    gcm         begin, step, 10, DATA, STREAM, \scalar
.Ldecrypt12_\name:
    load        12
    gcm         begin, step, 12, DATA, STREAM, \scalar
.Ldecrypt14_\name:
    load        14
    gcm         begin, step, 14, DATA, STREAM, \scalar
cv_end \name\()_decrypt
.endm

#endif

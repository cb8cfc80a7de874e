/* AES in Galois/counter mode. Needs: V, Zvkned, Zvkb, Zvkg. VLEN at least 128; all lanes of four registers at once. */
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

/* void cv_aes_zvkned_zvkb_zvkg_gcm_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
 *     const uint8_t *iv, uint32_t counter, const cv_ghash_key *hash, uint8_t y[16])
 * blocks > 0; iv and y aligned to 4. Clobbers a0 ... a2, a5, t0 ... t5, all vector registers. */
cv_function cv_aes_zvkned_zvkb_zvkg_gcm_encrypt
    aes_by_rounds KEY, .Lencrypt12, .Lencrypt14
    load        10
    gcm         begin, step, 10, STREAM, DATA
.Lencrypt12:
    load        12
    gcm         begin, step, 12, STREAM, DATA
.Lencrypt14:
    load        14
    gcm         begin, step, 14, STREAM, DATA
cv_end cv_aes_zvkned_zvkb_zvkg_gcm_encrypt

/* void cv_aes_zvkned_zvkb_zvkg_gcm_decrypt(…), as above; the input is hashed. */
cv_function cv_aes_zvkned_zvkb_zvkg_gcm_decrypt
    aes_by_rounds KEY, .Ldecrypt12, .Ldecrypt14
    load        10
    gcm         begin, step, 10, DATA, STREAM
.Ldecrypt12:
    load        12
    gcm         begin, step, 12, DATA, STREAM
.Ldecrypt14:
    load        14
    gcm         begin, step, 14, DATA, STREAM
cv_end cv_aes_zvkned_zvkb_zvkg_gcm_decrypt

.section .note.GNU-stack, "", @progbits

/* AES in ECB mode and its key expansion. Needs: RV64, Zkne, Zknd. Four blocks at once share the loads of round keys. */
#include "function.h"
#include "insn_zk.h"

/* Offset of `rounds` in cv_block_key. */
#define KEY_ROUNDS 256

#define KEY     a0
#define OUT     a1
#define IN      a2
#define BLOCKS  a3
#define K0      t5
#define K1      t6

/* The low halves of four blocks are in four of a4 ... a7, t0, the high halves in t1 ... t4. A round writes each low
 * half to the free register, and thereby frees the one that held it: the five take turns. */

/* Adds round key `r` to all halves. `inverse`: for the equivalent inverse cipher (FIPS 197, 5.3.5). */
.macro add_key4 r, a, b, c, d, inverse=0
    ld          K0, 16 * (\r)(KEY)
    ld          K1, 16 * (\r) + 8(KEY)
    .if \inverse
    aes64im     K0, K0
    aes64im     K1, K1
    .endif
    xor         \a, \a, K0
    xor         t1, t1, K1
    xor         \b, \b, K0
    xor         t2, t2, K1
    xor         \c, \c, K0
    xor         t3, t3, K1
    xor         \d, \d, K0
    xor         t4, t4, K1
.endm

.macro sub4 insn, a, b, c, d, free
    \insn       \free, \a, t1
    \insn       t1, t1, \a
    \insn       \a, \b, t2
    \insn       t2, t2, \b
    \insn       \b, \c, t3
    \insn       t3, t3, \c
    \insn       \c, \d, t4
    \insn       t4, t4, \d
.endm

.macro store4 a, b, c, d
    sd          \a, 0(OUT)
    sd          t1, 8(OUT)
    sd          \b, 16(OUT)
    sd          t2, 24(OUT)
    sd          \c, 32(OUT)
    sd          t3, 40(OUT)
    sd          \d, 48(OUT)
    sd          t4, 56(OUT)
.endm

/* Rounds from `r` on: each expands the next with the register assignment that it leaves. */
.macro encrypt4 r, rounds, a, b, c, d, free
    .if \r < \rounds
    sub4        aes64esm, \a, \b, \c, \d, \free
    add_key4    \r, \free, \a, \b, \c
    encrypt4    (\r + 1), \rounds, \free, \a, \b, \c, \d
    .else
    sub4        aes64es, \a, \b, \c, \d, \free
    add_key4    \r, \free, \a, \b, \c
    store4      \free, \a, \b, \c
    .endif
.endm

.macro decrypt4 r, rounds, a, b, c, d, free
    .if \r > 0
    sub4        aes64dsm, \a, \b, \c, \d, \free
    add_key4    \r, \free, \a, \b, \c, 1
    decrypt4    (\r - 1), \rounds, \free, \a, \b, \c, \d
    .else
    sub4        aes64ds, \a, \b, \c, \d, \free
    add_key4    \r, \free, \a, \b, \c
    store4      \free, \a, \b, \c
    .endif
.endm

.macro load4
    ld          a4, 0(IN)
    ld          t1, 8(IN)
    ld          a5, 16(IN)
    ld          t2, 24(IN)
    ld          a6, 32(IN)
    ld          t3, 40(IN)
    ld          a7, 48(IN)
    ld          t4, 56(IN)
.endm

.macro crypt cipher, rounds
.Lblocks\@:
    load4
    .ifc \cipher,encrypt4
    add_key4    0, a4, a5, a6, a7
    encrypt4    1, \rounds, a4, a5, a6, a7, t0
    .else
    add_key4    \rounds, a4, a5, a6, a7
    decrypt4    (\rounds - 1), \rounds, a4, a5, a6, a7, t0
    .endif
    addi        BLOCKS, BLOCKS, -4
    addi        IN, IN, 64
    addi        OUT, OUT, 64
    bnez        BLOCKS, .Lblocks\@
    li          K0, 0
    li          K1, 0
    ret
.endm

/* Jumps to `r12` or `r14`, depending on the number of rounds, or falls through with ten. */
.macro by_rounds r12, r14
    lw          t0, KEY_ROUNDS(KEY)
    li          t1, 12
    beq         t0, t1, \r12
    bgt         t0, t1, \r14
.endm

/* void cv_aes_zkn_encrypt4(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
 * C[i] = E(K, P[i]). blocks a multiple of 4, not 0; in and out aligned to 8. Four blocks take 211 instructions with ten
 * rounds. Clobbers a1 ... a7, t0 ... t6, in which halves of the output remain. */
cv_function cv_aes_zkn_encrypt4
    by_rounds   .Lencrypt12, .Lencrypt14
    crypt       encrypt4, 10
.Lencrypt12:
    crypt       encrypt4, 12
.Lencrypt14:
    crypt       encrypt4, 14
cv_end cv_aes_zkn_encrypt4

/* void cv_aes_zkn_decrypt4(…), as above, with D. */
cv_function cv_aes_zkn_decrypt4
    by_rounds   .Ldecrypt12, .Ldecrypt14
    crypt       decrypt4, 10
.Ldecrypt12:
    crypt       decrypt4, 12
.Ldecrypt14:
    crypt       decrypt4, 14
cv_end cv_aes_zkn_decrypt4

/* One block: its halves are in two of a4, a5 and in t1. */
.macro add_key1 r, a, inverse=0
    ld          K0, 16 * (\r)(KEY)
    ld          K1, 16 * (\r) + 8(KEY)
    .if \inverse
    aes64im     K0, K0
    aes64im     K1, K1
    .endif
    xor         \a, \a, K0
    xor         t1, t1, K1
.endm

.macro sub1 insn, a, free
    \insn       \free, \a, t1
    \insn       t1, t1, \a
.endm

.macro begin1 r
    ld          a4, 0(IN)
    ld          t1, 8(IN)
    add_key1    \r, a4
.endm

.macro end1
    sd          a4, 0(OUT)
    sd          t1, 8(OUT)
    li          K0, 0
    li          K1, 0
    ret
.endm

.macro encrypt_pair r
    sub1        aes64esm, a4, a5
    add_key1    \r, a5
    sub1        aes64esm, a5, a4
    add_key1    \r + 1, a4
.endm

.macro decrypt_pair r
    sub1        aes64dsm, a4, a5
    add_key1    \r, a5, 1
    sub1        aes64dsm, a5, a4
    add_key1    \r - 1, a4, 1
.endm

/* void cv_aes_zkn_encrypt1(const cv_block_key *key, uint8_t *out, const uint8_t *in)
 * C = E(K, P); in and out aligned to 8. 72 instructions with ten rounds. Clobbers a0, a4, a5, t0, t1, t5, t6. */
cv_function cv_aes_zkn_encrypt1
    lw          t0, KEY_ROUNDS(KEY)
    begin1      0
    .irp r, 1,3,5,7
    encrypt_pair \r
    .endr
    addi        t0, t0, -10
    beqz        t0, 2f
1:  encrypt_pair 9
    addi        KEY, KEY, 32
    addi        t0, t0, -2
    bnez        t0, 1b
2:  sub1        aes64esm, a4, a5
    add_key1    9, a5
    sub1        aes64es, a5, a4
    add_key1    10, a4
    end1
cv_end cv_aes_zkn_encrypt1

/* void cv_aes_zkn_decrypt1(…), as above, P = D(K, C). */
cv_function cv_aes_zkn_decrypt1
    lw          t0, KEY_ROUNDS(KEY)
    /* The last ten rounds' keys in descending order; any before them come first. */
    slli        a5, t0, 4
    add         a5, a5, KEY
    ld          K0, 0(a5)
    ld          K1, 8(a5)
    ld          a4, 0(IN)
    ld          t1, 8(IN)
    xor         a4, a4, K0
    xor         t1, t1, K1
    addi        t0, t0, -10
    slli        a5, t0, 4
    add         KEY, KEY, a5
    beqz        t0, 2f
1:  decrypt_pair 9
    addi        KEY, KEY, -32
    addi        t0, t0, -2
    bnez        t0, 1b
2:  .irp r, 9,7,5,3
    decrypt_pair \r
    .endr
    sub1        aes64dsm, a4, a5
    add_key1    1, a5, 1
    sub1        aes64ds, a5, a4
    add_key1    0, a4
    end1
cv_end cv_aes_zkn_decrypt1

#define BYTES   a1
#define BITS    a2
#define W0      a4
#define W1      a5
#define W2      a6
#define W3      a7
#define SUB     t0

.macro store_words first, second
    sd          \first, 0(KEY)
    sd          \second, 8(KEY)
    addi        KEY, KEY, 16
.endm

/* void cv_aes_zkn_expand(cv_block_key *key, const uint8_t *bytes, unsigned bits)
 * Round keys of FIPS 197, 5.2, two words in a register. bytes aligned to 8; bits is 128, 192 or 256.
 * Clobbers a0 ... a2, a4 ... a7, t0. */
cv_function cv_aes_zkn_expand
    ld          W0, 0(BYTES)
    ld          W1, 8(BYTES)
    li          t0, 192
    beq         BITS, t0, .Lkey192
    bgt         BITS, t0, .Lkey256
    store_words W0, W1
    .irp round, 0,1,2,3,4,5,6,7,8,9
    aes64ks1i   SUB, W1, \round
    aes64ks2    W0, SUB, W0
    aes64ks2    W1, W0, W1
    store_words W0, W1
    .endr
    j           .Lwipe
    /* Three registers for each round; two are a round key. */
.Lkey192:
    ld          W2, 16(BYTES)
    .irp round, 0,1,2,3,4,5,6,7
    sd          W0, 0(KEY)
    sd          W1, 8(KEY)
    sd          W2, 16(KEY)
    addi        KEY, KEY, 24
    aes64ks1i   SUB, W2, \round
    aes64ks2    W0, SUB, W0
    aes64ks2    W1, W0, W1
    aes64ks2    W2, W1, W2
    .endr
    store_words W0, W1
    j           .Lwipe
.Lkey256:
    ld          W2, 16(BYTES)
    ld          W3, 24(BYTES)
    store_words W0, W1
    store_words W2, W3
    .irp round, 0,1,2,3,4,5,6
    aes64ks1i   SUB, W3, \round
    aes64ks2    W0, SUB, W0
    aes64ks2    W1, W0, W1
    store_words W0, W1
    .if \round < 6
    aes64ks1i   SUB, W1, 10
    aes64ks2    W2, SUB, W2
    aes64ks2    W3, W2, W3
    store_words W2, W3
    .endif
    .endr
.Lwipe:
    .irp word, W0,W1,W2,W3,SUB
    li          \word, 0
    .endr
    ret
cv_end cv_aes_zkn_expand

.section .note.GNU-stack, "", @progbits

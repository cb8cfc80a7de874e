/* SM4 and its key expansion. Needs: RV64, Zksed, Zbkb. */
#include "function.h"
#include "insn_zb.h"
#include "insn_zk.h"

/* Offset of the keys for decryption in cv_block_key. */
#define KEY_DECRYPT 128

#define KEY     a0
#define OUT     a1
#define IN      a2
#define BLOCKS  a3
#define X0      a4
#define X1      a5
#define X2      a6
#define X3      a7
#define T       t0
#define K0      t1
#define K1      t2
#define AT      t3      /* the next two round keys */
#define END     t4

/* x0 ^= L(tau(x1 ^ x2 ^ x3 ^ k)): an instruction processes one byte. Words have the standard's first byte lowest, as in
 * memory. */
.macro round insn, x0, x1, x2, x3, k
    xor         T, \x1, \k
    xor         T, T, \x2
    xor         T, T, \x3
    \insn       \x0, \x0, T, 0
    \insn       \x0, \x0, T, 1
    \insn       \x0, \x0, T, 2
    \insn       \x0, \x0, T, 3
.endm

/* Loads two round keys, which are numbers in memory, as words; the upper halves of registers are arbitrary. */
.macro load_keys at
    ld          K1, \at(AT)
    rev8        K1, K1
    srli        K0, K1, 32
.endm

/* void cv_sm4_zksed_zbkb_encrypt_aligned(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
 * C[i] = E(K, P[i]). blocks > 0; out and in aligned to 4. A block takes 294 instructions. Clobbers a0 ... a7, t0 ...
 * t4, in which words of the output remain. */
cv_function cv_sm4_zksed_zbkb_encrypt_aligned
.Lcrypt:
    addi        END, KEY, KEY_DECRYPT
1:  lw          X0, 0(IN)
    lw          X1, 4(IN)
    lw          X2, 8(IN)
    lw          X3, 12(IN)
    mv          AT, KEY
2:  .irp at, 0, 16
    load_keys   \at
    round       sm4ed, X0, X1, X2, X3, K0
    round       sm4ed, X1, X2, X3, X0, K1
    load_keys   (\at + 8)
    round       sm4ed, X2, X3, X0, X1, K0
    round       sm4ed, X3, X0, X1, X2, K1
    .endr
    addi        AT, AT, 32
    bne         AT, END, 2b
    sw          X3, 0(OUT)
    sw          X2, 4(OUT)
    sw          X1, 8(OUT)
    sw          X0, 12(OUT)
    addi        BLOCKS, BLOCKS, -1
    addi        IN, IN, 16
    addi        OUT, OUT, 16
    bnez        BLOCKS, 1b
    li          K0, 0
    li          K1, 0
    li          T, 0
    ret
cv_end cv_sm4_zksed_zbkb_encrypt_aligned

/* void cv_sm4_zksed_zbkb_decrypt_aligned(…), as above, P[i] = D(K, C[i]). */
cv_function cv_sm4_zksed_zbkb_decrypt_aligned
    addi        KEY, KEY, KEY_DECRYPT
    j           .Lcrypt
cv_end cv_sm4_zksed_zbkb_decrypt_aligned

#define BYTES   a1
#define BACK    t3      /* address of the same keys in reverse order */
#define CK      t1      /* the constant of the round */
#define STEP    t2
#define LOW     t5
#define TOP     t6

/* The next constant: adds 0x1c to each byte, modulo 256. */
.macro next_constant
    and         T, CK, LOW
    and         CK, CK, TOP
    add         T, T, STEP
    xor         CK, CK, T
.endm

/* Computes a round key, X0 ^ L'(tau(...)), and stores it in both places, as a number. */
.macro expand_round x0, x1, x2, x3
    round       sm4ks, \x0, \x1, \x2, \x3, CK
    rev8        T, \x0
    srli        T, T, 32
    sw          T, 0(KEY)
    sw          T, 0(BACK)
    addi        KEY, KEY, 4
    addi        BACK, BACK, -4
    next_constant
.endm

/* void cv_sm4_zksed_zbkb_expand_aligned(cv_block_key *key, const uint8_t *bytes)
 * Round keys of GB/T 32907-2016, 7.3, followed by the same keys in reverse order. bytes aligned to 4. Clobbers a0, a4
 * ... a7, t0 ... t6. */
cv_function cv_sm4_zksed_zbkb_expand_aligned
    lw          X0, 0(BYTES)
    lw          X1, 4(BYTES)
    lw          X2, 8(BYTES)
    lw          X3, 12(BYTES)
    /* FK of the standard, with its bytes in reverse order. */
    li          T, 0xc6bab1a3
    xor         X0, X0, T
    li          T, 0x5033aa56
    xor         X1, X1, T
    li          T, 0x97917d67
    xor         X2, X2, T
    li          T, 0xdc2270b2
    xor         X3, X3, T
    li          CK, 0x150e0700
    li          STEP, 0x1c1c1c1c
    li          LOW, 0x7f7f7f7f
    li          TOP, 0x80808080
    addi        BACK, KEY, 252
    addi        END, KEY, 128
1:  expand_round X0, X1, X2, X3
    expand_round X1, X2, X3, X0
    expand_round X2, X3, X0, X1
    expand_round X3, X0, X1, X2
    bne         KEY, END, 1b
    .irp word, X0,X1,X2,X3,T
    li          \word, 0
    .endr
    ret
cv_end cv_sm4_zksed_zbkb_expand_aligned

.section .note.GNU-stack, "", @progbits

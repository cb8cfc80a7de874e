/* AES key expansion. Needs: V, Zvkned. VLEN at least 128. */
#include "vector.h"

#define KEY     a0
#define BYTES   a1
#define BITS    a2

/* The next four bytes of a key, which may have any alignment. */
.macro load_word word
    lbu         \word, 0(BYTES)
    lbu         t0, 1(BYTES)
    slli        t0, t0, 8
    or          \word, \word, t0
    lbu         t0, 2(BYTES)
    slli        t0, t0, 16
    or          \word, \word, t0
    lbu         t0, 3(BYTES)
    slli        t0, t0, 24
    or          \word, \word, t0
    addi        BYTES, BYTES, 4
.endm

/* void cv_aes_zvkned_expand(cv_block_key *key, const uint8_t *bytes, unsigned bits)
 * Round keys of FIPS 197, 5.2. bits is 128, 192 or 256. Clobbers a0, a1, t0 ... t6, a3 ... a5, vector registers. */
cv_function cv_aes_zvkned_expand
    vsetivli    zero, 4, e32, m1, ta, ma
    li          t0, 192
    beq         BITS, t0, .Lkey192
    bgt         BITS, t0, .Lkey256
    vle32.v     v1, (BYTES)
    vse32.v     v1, (KEY)
    .irp round, 1,2,3,4,5,6,7,8,9,10
    vaeskf1.vi  v1, v1, \round
    addi        KEY, KEY, 16
    vse32.v     v1, (KEY)
    .endr
    vmv.v.i     v1, 0
    ret

    /* vaeskf2 computes a round key from the two before it; the older one is in its destination. */
.Lkey256:
    vle32.v     v1, (BYTES)
    addi        BYTES, BYTES, 16
    vle32.v     v2, (BYTES)
    vse32.v     v1, (KEY)
    addi        KEY, KEY, 16
    vse32.v     v2, (KEY)
    .irp round, 2,4,6,8,10,12
    vaeskf2.vi  v1, v2, \round
    addi        KEY, KEY, 16
    vse32.v     v1, (KEY)
    vaeskf2.vi  v2, v1, \round + 1
    addi        KEY, KEY, 16
    vse32.v     v2, (KEY)
    .endr
    vaeskf2.vi  v1, v2, 14
    addi        KEY, KEY, 16
    vse32.v     v1, (KEY)
    vmv.v.i     v1, 0
    vmv.v.i     v2, 0
    ret

#define W0      t1
#define W1      t2
#define W2      t3
#define W3      t4
#define W4      t5
#define W5      t6
#define TEMP    a3
#define RCON    a4
#define LEFT    a5

    /* Six words at a time, for which there is no instruction. SubWord is vaesef with a zero key on a block all of whose
     * columns are the word, since ShiftRows changes nothing there. */
.Lkey192:
    vmv.v.i     v2, 0
    load_word   W0
    load_word   W1
    load_word   W2
    load_word   W3
    load_word   W4
    load_word   W5
    li          RCON, 1
    li          LEFT, 8
1:  sw          W0, 0(KEY)
    sw          W1, 4(KEY)
    sw          W2, 8(KEY)
    sw          W3, 12(KEY)
    addi        LEFT, LEFT, -1
    bltz        LEFT, 2f
    sw          W4, 16(KEY)
    sw          W5, 20(KEY)
    addi        KEY, KEY, 24
    srliw       TEMP, W5, 8
    slliw       t0, W5, 24
    or          TEMP, TEMP, t0
    vmv.v.x     v1, TEMP
    vaesef.vv   v1, v2
    vmv.x.s     TEMP, v1
    xor         TEMP, TEMP, RCON
    slli        RCON, RCON, 1
    xor         W0, W0, TEMP
    xor         W1, W1, W0
    xor         W2, W2, W1
    xor         W3, W3, W2
    xor         W4, W4, W3
    xor         W5, W5, W4
    j           1b
2:  vmv.v.i     v1, 0
    .irp w, W0,W1,W2,W3,W4,W5
    li          \w, 0
    .endr
    li          TEMP, 0
    ret
cv_end cv_aes_zvkned_expand

.section .note.GNU-stack, "", @progbits

/* SM4 key expansion. Needs: V, Zvksed, Zvkb. VLEN at least 128. */
#include "vector.h"

#define KEY     a0
#define BYTES   a1
#define BACK    t1      /* address of the same keys in reverse order */
#define WORDS   v1
#define ORDER   v2
#define TURNED  v3

/* void cv_sm4_zvksed_zvkb_expand(cv_block_key *key, const uint8_t *bytes, unsigned bits)
 * Round keys of GB/T 32907-2016, 7.3, followed by the same keys in reverse order. Clobbers a0, t0, t1, vector
 * registers. */
cv_function cv_sm4_zvksed_zvkb_expand
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     WORDS, (BYTES)
    lla         t0, family_key
    vle32.v     TURNED, (t0)
    vid.v       ORDER
    vxor.vi     ORDER, ORDER, 3
    vrev8.v     WORDS, WORDS
    vxor.vv     WORDS, WORDS, TURNED
    addi        BACK, KEY, 240
    .irp round, 0,1,2,3,4,5,6,7
    vsm4k.vi    WORDS, WORDS, \round
    vrgather.vv TURNED, WORDS, ORDER
    vse32.v     WORDS, (KEY)
    vse32.v     TURNED, (BACK)
    .if \round < 7
    addi        KEY, KEY, 16
    addi        BACK, BACK, -16
    .endif
    .endr
    vmv.v.i     WORDS, 0
    vmv.v.i     TURNED, 0
    ret
cv_end cv_sm4_zvksed_zvkb_expand

/* FK, clause 7.3. */
.section .rodata
.balign 4
family_key:
    .4byte 0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc

.section .note.GNU-stack, "", @progbits

/* Loops over the instructions alone: rounds.h. */
#include "insn_v.h"
#include "insn_zvk.h"


.macro load_keys
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    vle32.v     v\k, (a0)
    addi        a0, a0, 16
    .endr
.endm

    .text
    .globl aes128_expand
aes128_expand:
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     v1, (a0)
    .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    addi        a0, a0, 16
    vaeskf1.vi  v1, v1, \n
    vse32.v     v1, (a0)
    .endr
    ret

    .globl aes128_block
aes128_block:
    vsetivli    zero, 4, e32, m1, ta, ma
    vle32.v     v16, (a2)
    load_keys
    vaesz.vs    v16, v1
    .irp k, 2, 3, 4, 5, 6, 7, 8, 9, 10
    vaesem.vv   v16, v\k
    .endr
    vaesef.vv   v16, v11
    vse32.v     v16, (a1)
    ret

.macro encrypt data
    vaesz.vs    \data, v1
    .irp k, 2, 3, 4, 5, 6, 7, 8, 9, 10
    vaesem.vs   \data, v\k
    .endr
    vaesef.vs   \data, v11
.endm

    .globl aes128_resident
aes128_resident:
    vsetivli    zero, 4, e32, m1, ta, ma
    load_keys
    vsetivli    zero, 16, e32, m2, ta, ma
    vle32.v     v16, (a1)
    vle32.v     v18, (a1)
    li          t0, 32
1:  addi        t0, t0, -1
    encrypt     v16
    encrypt     v18
    bnez        t0, 1b
    vse32.v     v16, (a1)
    ret

    .globl ghash_resident
ghash_resident:
    vsetivli    zero, 16, e32, m2, ta, ma
    vle32.v     v2, (a0)
    vle32.v     v4, (a0)
    vle32.v     v16, (a0)
    vle32.v     v18, (a0)
    li          t0, 32
1:  addi        t0, t0, -1
    vghsh.vv    v16, v2, v4
    vghsh.vv    v18, v2, v4
    bnez        t0, 1b
    vse32.v     v16, (a0)
    ret

/* Calls a function and reports which registers it does not preserve as the psABI requires. */

#define FRAME 128

/* The data is found without gp. */
    .option norelax

/* unsigned long cv_abi_call(void *function, const unsigned long arguments[8])
 * Bit i of the result: s<i> changed; bit 12: sp; 13: gp; 14: tp; 15: vstart is not 0; 16: vcsr changed. Needs V. */
    .globl cv_abi_call
cv_abi_call:
    addi    sp, sp, -FRAME
    sd      ra, 0(sp)
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11
    sd      s\i, 8 + 8 * \i (sp)
    .endr
    /* The saved registers are found here, whatever happens to sp. */
    lla     t0, kept
    sd      sp, 0(t0)
    sd      gp, 8(t0)
    sd      tp, 16(t0)
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11
    li      s\i, 0x5a5a0000 + \i
    .endr
    csrwi   0x00f, 5            /* vcsr, by number for assemblers that do not know it */
    mv      t5, a0
    mv      t6, a1
    .irp i, 0,1,2,3,4,5,6,7
    ld      a\i, 8 * \i (t6)
    .endr
    jalr    t5
    li      a0, 0
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11
    li      t0, 0x5a5a0000 + \i
    xor     t0, t0, s\i
    snez    t0, t0
    slli    t0, t0, \i
    or      a0, a0, t0
    .endr
    lla     t1, kept
    ld      t2, 0(t1)
    xor     t0, t2, sp
    snez    t0, t0
    slli    t0, t0, 12
    or      a0, a0, t0
    mv      sp, t2
    ld      t0, 8(t1)
    xor     t0, t0, gp
    snez    t0, t0
    slli    t0, t0, 13
    or      a0, a0, t0
    ld      gp, 8(t1)
    ld      t0, 16(t1)
    xor     t0, t0, tp
    snez    t0, t0
    slli    t0, t0, 14
    or      a0, a0, t0
    ld      tp, 16(t1)
    csrr    t0, 0x008           /* vstart */
    snez    t0, t0
    slli    t0, t0, 15
    or      a0, a0, t0
    csrwi   0x008, 0
    csrr    t0, 0x00f
    xori    t0, t0, 5
    snez    t0, t0
    slli    t0, t0, 16
    or      a0, a0, t0
    ld      ra, 0(sp)
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11
    ld      s\i, 8 + 8 * \i (sp)
    .endr
    addi    sp, sp, FRAME
    ret

/* Functions that break one rule each, bit `a0` of the result: for checking the test. */
    .globl cv_abi_break
cv_abi_break:
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11
    li      t0, \i
    bne     a0, t0, 1f
    addi    s\i, s\i, 1
1:
    .endr
    li      t0, 12
    bne     a0, t0, 1f
    addi    sp, sp, -16
1:  li      t0, 13
    bne     a0, t0, 1f
    addi    gp, gp, 8
1:  li      t0, 14
    bne     a0, t0, 1f
    addi    tp, tp, 8
1:  li      t0, 15
    bne     a0, t0, 1f
    csrwi   0x008, 1
1:  li      t0, 16
    bne     a0, t0, 1f
    csrwi   0x00f, 2
1:  ret

    .bss
    .balign 8
kept:
    .zero 24

.section .note.GNU-stack, "", @progbits

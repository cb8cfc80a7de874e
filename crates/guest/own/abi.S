/* uint64_t capvec_call(void (*run)(size_t), size_t size, uint64_t after[28], int has_vectors, size_t avl, uint64_t vtype): calls a function with
 * known values in all registers that it has to keep (RISC-V ELF psABI, "Register Convention"), and stores their values after the call: s0 to s11,
 * fs0 to fs11, gp, tp, frm and vstart. If the hart has vectors, vl and vtype are what vsetvl makes of the last two. Returns how far the stack
 * pointer moved.
 *
 * The call finds UNUSED bytes between its stack and what is kept there for afterwards, so that one that stores to its caller's stack does no harm
 * before stack_use.rs reports it.
 *
 * The call lies between two hints that stack_use.rs recognises: srli x0, x0, 1 and srai x0, x0, 1, which are designated for custom use. */
    .equ UNUSED, 1024
    .option arch, +v, +zicsr
    .text
    .globl capvec_call
    .type capvec_call, @function
capvec_call:
    addi sp, sp, -240
    sd ra, 0(sp)
    sd a2, 8(sp)
    sd a3, 16(sp)
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    sd s\n, (24 + 8 * \n)(sp)
    fsd fs\n, (120 + 8 * \n)(sp)
    .endr
    sd gp, 216(sp)
    sd tp, 224(sp)
    addi sp, sp, -UNUSED
    lla t0, 9f
    sd sp, (t0)
    mv t1, a0
    mv a0, a1
    beqz a3, 1f
    vsetvl zero, a4, a5
1:  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    li s\n, 0x5a5a0000 + \n
    fmv.d.x fs\n, s\n
    .endr
    srli zero, zero, 1
    jalr t1
    srai zero, zero, 1
    lla t0, 9f
    ld t1, (t0)
    sub t2, sp, t1
    addi sp, t1, UNUSED
    ld a2, 8(sp)
    ld a3, 16(sp)
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    sd s\n, (8 * \n)(a2)
    fsd fs\n, (96 + 8 * \n)(a2)
    .endr
    ld t0, 216(sp)
    sub t0, gp, t0
    sd t0, 192(a2)
    ld t1, 224(sp)
    sub t1, tp, t1
    sd t1, 200(a2)
    ld gp, 216(sp)
    ld tp, 224(sp)
    frrm t0
    sd t0, 208(a2)
    fsrmi zero, 0
    sd zero, 216(a2)
    beqz a3, 2f
    csrr t0, vstart
    sd t0, 216(a2)
    csrwi vstart, 0
2:  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    ld s\n, (24 + 8 * \n)(sp)
    fld fs\n, (120 + 8 * \n)(sp)
    .endr
    ld ra, 0(sp)
    addi sp, sp, 240
    mv a0, t2
    ret
    .size capvec_call, . - capvec_call
/* void capvec_set_vectors(size_t avl, uint64_t vtype) */
    .globl capvec_set_vectors
    .type capvec_set_vectors, @function
capvec_set_vectors:
    vsetvl zero, a0, a1
    ret
    .size capvec_set_vectors, . - capvec_set_vectors
    /* The user's code follows. It begins on a cache line, so that changes of this program seldom change its cycles. */
    .balign 64
    .bss
    .align 3
9:  .zero 8
    .section .note.GNU-stack, "", @progbits

/* Start of a program without an operating system: one hart, machine mode. */

#if __riscv_xlen == 64
#define STORE sd
#else
#define STORE sw
#endif

    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, stack_top
    la      t0, trapped
    csrw    mtvec, t0
    /* Enables the floating-point and the vector unit, which are off at reset (mstatus.FS and VS; a hart without them
     * ignores it). */
    li      t0, 1 << 13 | 1 << 9
    csrs    mstatus, t0
    call    main
    /* The program ends with the code that main returns: tohost is code << 1 | 1. */
end:
    slli    a0, a0, 1
    ori     a0, a0, 1
    la      t0, tohost
1:  STORE   a0, 0(t0)
    j       1b

    .balign 4
trapped:
    li      a0, 99
    j       end

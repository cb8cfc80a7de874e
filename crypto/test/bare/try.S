/* int guard_survives(void (*call)(void)): calls, and returns 1; or 0 after a trap. */

#if __riscv_xlen == 64
#define STORE sd
#define LOAD ld
#define SIZE 8
#else
#define STORE sw
#define LOAD lw
#define SIZE 4
#endif

/* ra, sp, s0 to s11: the callee-saved registers, and the previous trap handler. */
.macro each what
    \what  ra, 0 * SIZE(t0)
    \what  sp, 1 * SIZE(t0)
    \what  s0, 2 * SIZE(t0)
    \what  s1, 3 * SIZE(t0)
    \what  s2, 4 * SIZE(t0)
    \what  s3, 5 * SIZE(t0)
    \what  s4, 6 * SIZE(t0)
    \what  s5, 7 * SIZE(t0)
    \what  s6, 8 * SIZE(t0)
    \what  s7, 9 * SIZE(t0)
    \what  s8, 10 * SIZE(t0)
    \what  s9, 11 * SIZE(t0)
    \what  s10, 12 * SIZE(t0)
    \what  s11, 13 * SIZE(t0)
.endm

    .bss
    .balign 8
kept:
    .zero   15 * SIZE

    .text
    .globl guard_survives
guard_survives:
    la      t0, kept
    each    STORE
    la      t1, fault
    csrrw   t1, mtvec, t1
    STORE   t1, 14 * SIZE(t0)
    jalr    a0
    li      a0, 1
    j       done

    .balign 4
fault:
    li      a0, 0
done:
    la      t0, kept
    LOAD    t1, 14 * SIZE(t0)
    csrw    mtvec, t1
    each    LOAD
    ret

/* Macros for the functions of kernels. */
#ifndef CV_FUNCTION_H
#define CV_FUNCTION_H

/* A function that is visible to other files of the library only. */
.macro cv_function name
    .balign 4
    .globl \name
    .hidden \name
    .type \name, @function
\name:
.endm

.macro cv_end name
    .size \name, . - \name
.endm

/* `insn` for s0 ... s11, which are stored in the stack frame from `at` on. */
.macro cv_each_saved insn, at
    .irp r, 0,1,2,3,4,5,6,7,8,9,10,11
    \insn       s\r, \at+8*\r(sp)
    .endr
.endm

/* Allocates a stack frame of `bytes` and saves ra and s0 ... s11 in it, from `saved` on. */
.macro cv_frame bytes, saved
    addi        sp, sp, -(\bytes)
    sd          ra, \saved+96(sp)
    cv_each_saved sd, \saved
.endm

/* Restores what `cv_frame` saved, frees the frame and returns. */
.macro cv_frame_return bytes, saved
    ld          ra, \saved+96(sp)
    cv_each_saved ld, \saved
    addi        sp, sp, \bytes
    ret
.endm

#endif

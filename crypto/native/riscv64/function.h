/* Functions of kernels. */
#ifndef CV_FUNCTION_H
#define CV_FUNCTION_H

/* A function that other files of the library see, and nobody else. */
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

/* `insn` of s0 ... s11, which lie from `at` of the stack frame on. */
.macro cv_each_saved insn, at
    .irp r, 0,1,2,3,4,5,6,7,8,9,10,11
    \insn       s\r, \at+8*\r(sp)
    .endr
.endm

/* Takes a stack frame of `bytes` and keeps ra and s0 ... s11 in it, from `saved` on. */
.macro cv_frame bytes, saved
    addi        sp, sp, -(\bytes)
    sd          ra, \saved+96(sp)
    cv_each_saved sd, \saved
.endm

/* Gives back what `cv_frame` took and kept, and returns. */
.macro cv_frame_return bytes, saved
    ld          ra, \saved+96(sp)
    cv_each_saved ld, \saved
    addi        sp, sp, \bytes
    ret
.endm

#endif

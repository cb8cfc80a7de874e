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

#endif

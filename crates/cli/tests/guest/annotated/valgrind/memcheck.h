/* The part of memcheck's interface that annotated programs use, with the sequence of instructions that Valgrind recognises on
 * RISC-V: as short as it can be, since Debian's Valgrind has no header for RISC-V. */
#ifndef MEMCHECK_H
#define MEMCHECK_H

static inline unsigned long memcheck_request(unsigned long what, const void *at, unsigned long bytes)
{
    volatile unsigned long words[6] = { what, (unsigned long)at, bytes };
    register unsigned long result __asm__("a3") = 0;
    register volatile unsigned long *pointer __asm__("a4") = words;
    __asm__ volatile(".option push\n.option norvc\n"
                     "srli zero, zero, 3\nsrli zero, zero, 13\nsrli zero, zero, 51\nsrli zero, zero, 61\n"
                     "or a0, a0, a0\n.option pop"
                     : "+r"(result)
                     : "r"(pointer)
                     : "memory");
    return result;
}

#define VALGRIND_MAKE_MEM_UNDEFINED(at, bytes) memcheck_request(0x4d430001, at, bytes)
#define VALGRIND_MAKE_MEM_DEFINED(at, bytes) memcheck_request(0x4d430002, at, bytes)

#endif

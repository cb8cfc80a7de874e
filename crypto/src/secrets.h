/* Marks what is secret and what is public, for `capvec ct`, which follows secrets through a program (docs/constant-time.md).
 * The marks exist only in builds with CV_FOLLOW_SECRETS.
 *
 * CV_PUBLIC declares that data which was computed from secrets is public; every use says why. */
#ifndef CV_SECRETS_H
#define CV_SECRETS_H

#ifdef CV_FOLLOW_SECRETS

# include <stddef.h>

/* A client request of Valgrind's memcheck: the sequence and the numbers are those of valgrind.h and memcheck.h (3.25). Valgrind
 * does not run RV32, so there the shift amounts are those of its ports to other 32-bit processors, as `capvec ct` expects. */
# if __riscv_xlen == 32
#  define CV_LAST_SHIFTS "srli zero, zero, 29\nsrli zero, zero, 19\n"
# else
#  define CV_LAST_SHIFTS "srli zero, zero, 51\nsrli zero, zero, 61\n"
# endif

static inline void cv_request(unsigned long what, const void *data, size_t len)
{
    volatile unsigned long words[6] = { what, (unsigned long)data, len };
    register long result __asm__("a3") = 0;
    register volatile unsigned long *pointer __asm__("a4") = words;
    __asm__ volatile(".option push\n.option norvc\n"
                     "srli zero, zero, 3\nsrli zero, zero, 13\n" CV_LAST_SHIFTS "or a0, a0, a0\n.option pop"
                     : "+r"(result)
                     : "r"(pointer)
                     : "memory");
}

# define CV_SECRET(data, len) cv_request(0x4d430001, data, len)
# define CV_PUBLIC(data, len) cv_request(0x4d430002, data, len)

#else

# define CV_SECRET(data, len) ((void)0)
# define CV_PUBLIC(data, len) ((void)0)

#endif

#endif

/* CV_SECRET and CV_PUBLIC on RV32, included before crypto/src/secrets.h, in place of which it stands: the sequence there has shifts
 * that RV32 lacks, and Valgrind does not run RV32. `capvec ct` expects words of 32 bits, and the distances of Valgrind's ports to
 * other processors of 32 bits. */
#ifndef CV_SECRETS_H
#define CV_SECRETS_H

/* It is included before assembly files, too. */
#ifndef __ASSEMBLER__

# include <stddef.h>

static inline void cv_request(unsigned long what, const void *data, size_t len)
{
    volatile unsigned long words[6] = { what, (unsigned long)data, len };
    register long result __asm__("a3") = 0;
    register volatile unsigned long *pointer __asm__("a4") = words;
    __asm__ volatile(".option push\n.option norvc\n"
                     "srli zero, zero, 3\nsrli zero, zero, 13\nsrli zero, zero, 29\nsrli zero, zero, 19\n"
                     "or a0, a0, a0\n.option pop"
                     : "+r"(result)
                     : "r"(pointer)
                     : "memory");
}

# define CV_SECRET(data, len) cv_request(0x4d430001, data, len)
# define CV_PUBLIC(data, len) cv_request(0x4d430002, data, len)

#endif

#endif

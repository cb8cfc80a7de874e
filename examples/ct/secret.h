/* What the programs of this folder share: marks for `capvec ct`, and inputs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* VALGRIND_MAKE_MEM_UNDEFINED of memcheck.h, as the sequence that VEX recognises on riscv64: the header that Debian ships
 * knows no RISC-V. */
static inline void make_secret(const void *at, uint64_t bytes)
{
    volatile uint64_t words[6] = { 0x4d430001, (uintptr_t)at, bytes };
    register uint64_t result __asm__("a3") = 0;
    register volatile uint64_t *pointer __asm__("a4") = words;
    __asm__ volatile(".option push\n\t.option norvc\n\t"
                     "srli zero, zero, 3\n\tsrli zero, zero, 13\n\tsrli zero, zero, 51\n\tsrli zero, zero, 61\n\t"
                     "or a0, a0, a0\n\t.option pop"
                     : "+r"(result)
                     : "r"(pointer)
                     : "memory");
}

#define MESSAGE 333
static unsigned char key[64], nonce[16], message[MESSAGE], out[2 * MESSAGE], tag[64];

/* An operation of the library with its secrets marked; 0 if it succeeded. */
struct operation {
    const char *name;
    int (*run)(void);
};

static inline int run_operation(const struct operation *all, size_t count, int argc, char **argv)
{
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (unsigned char)(7 * i + 1);
    for (size_t i = 0; i < count; i++)
        if (argc == 2 && strcmp(argv[1], all[i].name) == 0)
            return all[i].run() ? 1 : 0;
    fprintf(stderr, "usage: %s OPERATION; these are", argv[0]);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, " %s", all[i].name);
    fputc('\n', stderr);
    return 2;
}

#define MAIN(all) \
    int main(int argc, char **argv) \
    { \
        return run_operation(all, sizeof(all) / sizeof(all)[0], argc, argv); \
    }

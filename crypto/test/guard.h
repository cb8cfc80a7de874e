/* Kernels called with arguments between pages that cannot be read: what guard.c does, and guard_main.c asks for. */
#ifndef CV_GUARD_H
#define CV_GUARD_H

#include "internal.h"

/* What an argument is: `size` bytes of each block that are read or written, or `size` bytes at all that are. */
enum role { IN, OUT, READ, CHANGED, BLOCKS, VALUE };

struct argument {
    enum role role;
    size_t size;
    /* What is there before; random bytes if NULL. */
    const void *init;
    /* What portable C has instead of that. */
    const void *model;
    unsigned long value;
    /* Whether two results are the same, where that is not all bytes. */
    int (*same)(const void *a, const void *b);
};

/* A kernel, and the portable function that does the same. An argument OUT is in front of its IN. */
struct kernel {
    const char *family, *name;
    void *function, *model;
    /* The most blocks. */
    size_t max;
    size_t count;
    struct argument arguments[8];
};

/* Bytes that an argument has between its pages, and the most arguments. */
#define GUARD_ROOM (24 * 4096)
#define GUARD_ARGUMENTS 8

#ifdef CV_FREESTANDING
int memcmp(const void *a, const void *b, size_t len);
# define GUARD_KERNELS_ALONE 1
#else
# define GUARD_KERNELS_ALONE 0
#endif

/* What guard_linux.c and guard_bare.c have: memory of GUARD_ROOM bytes for each argument with nothing around it, 0 if there is
 * none; whether a call comes back without touching what is not there; the hart's kernels instead of C; and a console. */
int guard_map(uint8_t *memory[GUARD_ARGUMENTS]);
int guard_survives(void (*call)(void));
int guard_use_kernels(void);
void guard_print(const char *text);
void guard_print_number(unsigned long number);

/* Makes the pages. Returns 0 if the system refuses. */
int guard_begin(void);
/* Whether what is to be found is found. */
int guard_finds_all(void);
void guard_check(const struct kernel *kernel);
unsigned long guard_checked(void);

#endif

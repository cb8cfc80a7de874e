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

/* Maps the pages. Returns 0 if the system refuses. */
int guard_begin(void);
/* Whether what is to be found is found. */
int guard_finds_all(void);
void guard_check(const struct kernel *kernel);
unsigned long guard_checked(void);

#endif

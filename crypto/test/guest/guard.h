/* Calls kernels with arguments between inaccessible pages: guard.c does it, guard_main.c lists the calls. */
#ifndef CV_GUARD_H
#define CV_GUARD_H

#include "internal.h"

/* The role of an argument: `size` bytes for each block that are read or written, or `size` bytes in total. */
enum role { IN, OUT, READ, CHANGED, BLOCKS, VALUE };

struct argument {
    enum role role;
    size_t size;
    /* Its initial contents; random bytes if NULL. */
    const void *init;
    /* The initial contents for portable C, if different. */
    const void *model;
    unsigned long value;
    /* Compares two results, if not all bytes must be equal. */
    int (*same)(const void *a, const void *b);
};

/* A kernel, and the equivalent portable function. An argument OUT precedes its IN. */
struct kernel {
    const char *family, *name;
    void *function, *model;
    /* Maximum number of blocks. */
    size_t max;
    size_t count;
    struct argument arguments[8];
};

/* Bytes of an argument between its pages, and maximum number of arguments. */
#define GUARD_ROOM (24 * 4096)
#define GUARD_ARGUMENTS 8

#ifdef CV_FREESTANDING
int memcmp(const void *a, const void *b, size_t len);
# define GUARD_KERNELS_ALONE 1
#else
# define GUARD_KERNELS_ALONE 0
#endif

/* Provided by guard_linux.c and guard_bare.c: memory of GUARD_ROOM bytes for each argument, with nothing accessible
 * around it, 0 if there is none; whether a call returns without touching inaccessible memory; the selection of the
 * hart's kernels instead of C; and a console. */
int guard_map(uint8_t *memory[GUARD_ARGUMENTS]);
int guard_survives(void (*call)(void));
int guard_use_kernels(void);
void guard_print(const char *text);
void guard_print_number(unsigned long number);

/* Creates the pages. Returns 0 if the system refuses. */
int guard_begin(void);
/* Whether deliberate violations are detected. */
int guard_finds_all(void);
void guard_check(const struct kernel *kernel);
unsigned long guard_checked(void);

/* guard_mlkem.c and guard_mldsa.c. */
void guard_mlkem(const struct cv_mlkem_ops *used, const struct cv_mlkem_ops *portable);
void guard_mldsa(const struct cv_mldsa_ops *used, const struct cv_mldsa_ops *portable);

#endif

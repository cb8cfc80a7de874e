/* Measures and checks code of your own with `capvec measure` and `capvec check`: docs/own-code.md.
 *
 * Each CAPVEC_MEASURE, CAPVEC_CHECK and CAPVEC_SETUP stands outside of functions. There is no main: capvec has one. */
#ifndef CAPVEC_MEASURE_H
#define CAPVEC_MEASURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The cost of `call`, an expression or statement, for messages of each size of `--bytes`. `size` is the name by which `call` refers to the
 * size, in bytes. */
#define CAPVEC_MEASURE(title, size, call) \
    static void CAPVEC_JOIN(capvec_run_, __LINE__)(size_t size) \
    { \
        (void)size; \
        call; \
    } \
    CAPVEC_ADD(title, CAPVEC_JOIN(capvec_run_, __LINE__), NULL, NULL)

/* A known answer: `condition` is true if it is right. Checks run before anything is measured, in the order of the file. */
#define CAPVEC_CHECK(title, condition) \
    static int CAPVEC_JOIN(capvec_check_, __LINE__)(void) \
    { \
        return (condition); \
    } \
    CAPVEC_ADD(title, NULL, CAPVEC_JOIN(capvec_check_, __LINE__), NULL)

/* Calls this function, `void prepare(size_t size)`, before calls with messages of that size. It is not measured. */
#define CAPVEC_SETUP(prepare) CAPVEC_ADD(#prepare, NULL, NULL, prepare)

/* For functions of CAPVEC_SETUP: a buffer of this many bytes, zeroed, for the next calls, whose address is a multiple of `alignment`. Under
 * `capvec check`, memory that cannot be accessed is right before or after it, and it is aligned no better than that. */
void *capvec_buffer(size_t size, size_t alignment);

/* The rest is not for use. */
#define CAPVEC_JOIN(a, b) CAPVEC_JOIN_(a, b)
#define CAPVEC_JOIN_(a, b) a##b
#define CAPVEC_ADD(title, run, check, setup) \
    __attribute__((constructor)) static void CAPVEC_JOIN(capvec_add_, __LINE__)(void) \
    { \
        static struct capvec_item item = { title, run, check, setup, NULL }; \
        capvec_add(&item); \
    }

struct capvec_item {
    const char *title;
    void (*run)(size_t size);
    int (*check)(void);
    void (*setup)(size_t size);
    struct capvec_item *next;
};

void capvec_add(struct capvec_item *item);

#ifdef __cplusplus
}
#endif

#endif

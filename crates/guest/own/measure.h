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

/* The cost of `call`, an expression or statement, for messages of each size of `--bytes`. `size` names a variable that holds the size in
 * bytes. */
#define CAPVEC_MEASURE(title, size, call) CAPVEC_MEASURE_(__COUNTER__, title, size, call)

/* A known answer: `condition` is true if it is right. A wrong answer blanks the measurement with the same title; if none has it, all. */
#define CAPVEC_CHECK(title, condition) CAPVEC_CHECK_(__COUNTER__, title, condition)

/* Calls this function, `void prepare(size_t size)`, before calls with messages of that size. It is not measured. */
#define CAPVEC_SETUP(prepare) CAPVEC_ADD(__COUNTER__, #prepare, NULL, NULL, prepare)

/* For functions of CAPVEC_SETUP, and for known answers: a buffer of this many bytes, zeroed, for the next calls, or the answer, whose address
 * is a multiple of `alignment`. Under `capvec check`, memory that cannot be accessed is right before or after it, and it is aligned no better
 * than that. */
void *capvec_buffer(size_t size, size_t alignment);

/* Marks for `--region @marks`: what is executed between them belongs to region `id`, a constant from 0 to 2047. They are hints that write x0,
 * designated for custom use, and do nothing on any hart. */
#define CAPVEC_BEGIN(id) __asm__ volatile("slti x0, x0, %0" : : "i"(id) : "memory")
#define CAPVEC_END(id) __asm__ volatile("sltiu x0, x0, %0" : : "i"(id) : "memory")

/* The rest is not for use. */
#define CAPVEC_JOIN(a, b) CAPVEC_JOIN_(a, b)
#define CAPVEC_JOIN_(a, b) a##b
#define CAPVEC_MEASURE_(n, title, size, call) \
    static void CAPVEC_JOIN(capvec_run_, n)(size_t size) \
    { \
        (void)size; \
        call; \
    } \
    CAPVEC_ADD(n, title, CAPVEC_JOIN(capvec_run_, n), NULL, NULL)
#define CAPVEC_CHECK_(n, title, condition) \
    static int CAPVEC_JOIN(capvec_check_, n)(void) \
    { \
        return (condition); \
    } \
    CAPVEC_ADD(n, title, NULL, CAPVEC_JOIN(capvec_check_, n), NULL)
#define CAPVEC_ADD(n, title, run, check, setup) CAPVEC_ADD_(n, title, run, check, setup)
#define CAPVEC_ADD_(n, title, run, check, setup) \
    __attribute__((constructor)) static void CAPVEC_JOIN(capvec_add_, n)(void) \
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

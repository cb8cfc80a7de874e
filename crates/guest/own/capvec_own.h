/* Shared by the parts of the main program of `capvec measure` and `capvec check`. */
#ifndef CAPVEC_OWN_H
#define CAPVEC_OWN_H

#include <capvec/measure.h>

/* Where buffers are: their distance from memory that cannot be accessed. */
enum place {
    /* Anywhere, aligned. */
    FREE,
    /* The byte after the last one cannot be accessed. */
    AT_END,
    /* The byte before the first one cannot be accessed. */
    AT_START,
    /* At the start, but 1, 2 or 4 bytes further. */
    SHIFTED_1,
    SHIFTED_2,
    SHIFTED_4,
    PLACES,
};

extern struct capvec_item *capvec_first;

/* Drops all buffers and lets every CAPVEC_SETUP make new ones for this size. */
void capvec_prepare(size_t size, enum place place);

/* Number of buffers. */
int capvec_buffers(void);

/* Whether a byte between a buffer and the memory after it was written. */
int capvec_written_beyond(void);

/* Does a part of the work in a process of its own, and says how that ended. */
void capvec_apart(void (*part)(const struct capvec_item *, size_t), const struct capvec_item *item, size_t size);

/* Calls a function, and returns what it did not keep; NULL if it kept everything. */
const char *capvec_call_keeps(void (*run)(size_t), size_t size);

/* Prints whether a known answer is right. */
void capvec_answer(const struct capvec_item *item, size_t size);

/* Checks a known answer in every state of the vector unit. */
void capvec_check_answers(const struct capvec_item *item);

/* Checks a call in every place, and in every state of the vector unit. */
void capvec_check_call(const struct capvec_item *item, size_t size);

#endif

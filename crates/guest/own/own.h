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

/* Checks every call for every size and place. Returns the number of faults. */
int capvec_check_calls(int count, char **sizes);

#endif

/* Shared by the parts of the main program of `capvec measure` and `capvec check`. */
#ifndef CAPVEC_OWN_H
#define CAPVEC_OWN_H

#include <capvec/measure.h>

/* Where buffers are. */
struct place {
    /* Anywhere, aligned; or so that the byte after the last one cannot be accessed; or the byte before the first one. */
    enum { FREE, AT_END, AT_START } at;
    /* How many bytes further than the start: a buffer with a stricter alignment is moved to the next address that it allows. */
    size_t shift;
};

extern struct capvec_item *capvec_first;

/* Prints a line for the command, which never mixes with what the user's code prints. */
__attribute__((format(printf, 1, 2))) void capvec_line(const char *format, ...);

/* Ends the program, which cannot do its work. */
__attribute__((noreturn)) void capvec_fail(const char *why);

/* Prints a fault. */
void capvec_fault(const struct capvec_item *item, size_t size, const char *place, const char *state, const char *what);

/* Drops all buffers and lets every CAPVEC_SETUP make new ones for this size. */
void capvec_prepare(size_t size, struct place place);

/* Number of buffers. */
int capvec_buffers(void);

/* The least alignment of a buffer that is not empty; 0 if there is none. */
size_t capvec_least_alignment(void);

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

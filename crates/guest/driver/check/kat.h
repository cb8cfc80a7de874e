/* What the parts of `kat` share: one vector, checked in many forms. See kat_main.c. */
#ifndef CAPVEC_KAT_H
#define CAPVEC_KAT_H

#include "driver.h"

/* Room for the tag of an AEAD; none has more than 16 bytes. */
#define MAX_TAG 64

/* The required result of a vector. */
enum result { VALID, INVALID, ACCEPTABLE };

/* A vector. `job` holds its inputs. */
struct vector {
    struct job job;
    struct bytes out;     /* the expected output */
    int by_digest;        /* only the FNV-1a of `out` is known: the first form finds it */
    uint64_t digest;
    enum result result;
    uint64_t seed;        /* for the choices that forms leave open */
};

/* The placement of buffers and the division of the message. */
struct form {
    const char *name;
    unsigned in_offset, out_offset; /* from an alignment of 64 bytes */
    int in_place;
    int at_end;    /* buffers end at an unmapped page */
    size_t chunk;  /* bytes of an update; 0 for one update, RANDOM_CHUNKS for random ones */
    int rekey;     /* the context had another key before */
};

#define RANDOM_CHUNKS ((size_t)-1)

/* Buffers of a form. */
struct buffers {
    unsigned char *in, *out, *aad, *tag;
    uint64_t random; /* state for random chunks */
};

/* Results of checking a vector: number of checks, FNV-1a of all output, and the first failure. */
struct tally {
    unsigned long checks;
    uint64_t seen;
    unsigned long refused; /* by the operation under test */
    unsigned long early;   /* before it, where keys, IVs and parameters are set */
    const char *absent;    /* what the library lacks; NULL if nothing */
    char failure[512];
};

/* Returned by `run` of a trial instead of a length: the operation refused, or was not reached. Only the former shows
 * that the operation refuses anything. */
enum { REFUSED = -1, NOT_SET_UP = -2 };

/* One operation of a vector in a form. `run` returns the number of bytes written to `out`, REFUSED or NOT_SET_UP. */
struct trial {
    const struct vector *vector;
    const char *operation;
    struct bytes in, aad, tag;
    size_t room; /* size of `out` */
    long (*run)(const struct trial *trial, const struct form *form, struct buffers *b);
};

/* Runs `trial` in `form`; `expected` is NULL if it must be refused. Returns 1 if the result is the expected one. */
int kat_try(struct tally *t, const struct trial *trial, const struct form *form, const struct bytes *expected);

/* The expected output of `trial` if only its digest is known: written to `room`, and set in `v->out`. 0 if it is wrong. */
int kat_find_out(struct tally *t, const struct trial *trial, struct vector *v, unsigned char *room);

/* Length of the next update when `left` bytes remain. */
size_t kat_chunk(const struct form *form, struct buffers *b, size_t left);

/* Records a failure, unless there is one already. */
void kat_fail(struct tally *t, const struct trial *trial, const struct form *form, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Forms for a message of `len` bytes and blocks of `block`; `streams` if it may be divided, `places` if input and
 * output may be the same buffer. Returns their number, at most KAT_FORMS. */
#define KAT_FORMS 16
size_t kat_forms(struct form forms[KAT_FORMS], const struct vector *v, size_t len, size_t block, int streams,
                 int places);

/* FNV-1a, 64 bits: independent of the library, and small enough for firmware. */
uint64_t kat_fnv(uint64_t hash, const unsigned char *data, size_t len);
#define KAT_FNV_START 0xcbf29ce484222325u

/* Records that the vector needs something that its algorithm does not support, such as another key length: the
 * library's reaction would then mean nothing. */
void kat_unfit(struct tally *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The checkers of the kinds. */
void kat_cipher(struct tally *t, struct vector *v);
void kat_aead(struct tally *t, struct vector *v);
void kat_digest(struct tally *t, struct vector *v);
void kat_mac(struct tally *t, struct vector *v);
void kat_pkey(struct tally *t, struct vector *v, const struct kind *kind);

/* Prepares memory and signal handlers, once; 0 if there is no memory. */
int kat_set_up(void);

#endif

/* What the parts of `kat` share: one vector, checked in many forms. See kat_main.c. */
#ifndef CAPVEC_KAT_H
#define CAPVEC_KAT_H

#include "driver.h"

/* Longest tag of an AEAD; none has more than 16 bytes. */
#define MAX_TAG 64

/* What must come of a vector. */
enum result { VALID, INVALID, ACCEPTABLE };

/* A vector. `job` has its inputs. */
struct vector {
    struct job job;
    struct bytes out;     /* what must come out */
    int by_digest;        /* `out` is not known yet, only its FNV-1a: the first form finds it */
    uint64_t digest;
    enum result result;
    uint64_t seed;        /* where forms leave a choice */
};

/* How buffers lie and how the message is cut. */
struct form {
    const char *name;
    unsigned in_offset, out_offset; /* from an alignment of 64 bytes */
    int in_place;
    int at_end;    /* buffers end where the address space has a hole */
    size_t chunk;  /* bytes of an update; 0 for one update, RANDOM_CHUNKS for random ones */
    int rekey;     /* the context had another key before */
};

#define RANDOM_CHUNKS ((size_t)-1)

/* Buffers of a form. */
struct buffers {
    unsigned char *in, *out, *aad, *tag;
    uint64_t random; /* state for random chunks */
};

/* What checking a vector gave: number of checks, FNV-1a of all that came out, and the first failure. */
struct tally {
    unsigned long checks;
    uint64_t seen;
    unsigned long refused; /* by the operation under test */
    unsigned long early;   /* before it, where keys, IVs and parameters are set */
    const char *absent;    /* what the library does not have; NULL if it has all */
    char failure[512];
};

/* What `run` of a trial returns instead of a length: the operation refuses, or it was not come as far. Only the former
 * shows that the operation refuses anything. */
enum { REFUSED = -1, NOT_SET_UP = -2 };

/* One operation of a vector in a form. `run` returns the length of what it wrote to `out`, REFUSED or NOT_SET_UP. */
struct trial {
    const struct vector *vector;
    const char *operation;
    struct bytes in, aad, tag;
    size_t room; /* bytes that `out` has */
    long (*run)(const struct trial *trial, const struct form *form, struct buffers *b);
};

/* Runs `trial` in `form`; NULL `expected` if it must be refused. Returns 1 if that is what came. */
int kat_try(struct tally *t, const struct trial *trial, const struct form *form, const struct bytes *expected);

/* What must come of `trial` when only its digest is known: into `room`, and into `v->out`. 0 if it is wrong. */
int kat_find_out(struct tally *t, const struct trial *trial, struct vector *v, unsigned char *room);

/* Length of the next update when `left` bytes are left. */
size_t kat_chunk(const struct form *form, struct buffers *b, size_t left);

/* Notes a failure, unless there is one. */
void kat_fail(struct tally *t, const struct trial *trial, const struct form *form, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Forms for a message of `len` bytes and blocks of `block`; `streams` if it may be cut, `places` if input and output
 * may be one buffer. Returns their number, at most KAT_FORMS. */
#define KAT_FORMS 16
size_t kat_forms(struct form forms[KAT_FORMS], const struct vector *v, size_t len, size_t block, int streams,
                 int places);

/* FNV-1a, 64 bits: independent of the library, and small enough for firmware. */
uint64_t kat_fnv(uint64_t hash, const unsigned char *data, size_t len);
#define KAT_FNV_START 0xcbf29ce484222325u

/* Notes that the vector asks for what its algorithm does not take, such as another length of keys: then nothing that the
 * library says would be an answer. */
void kat_unfit(struct tally *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Checkers of the kinds. */
void kat_cipher(struct tally *t, struct vector *v);
void kat_aead(struct tally *t, struct vector *v);
void kat_digest(struct tally *t, struct vector *v);
void kat_mac(struct tally *t, struct vector *v);
void kat_pkey(struct tally *t, struct vector *v, const struct kind *kind);

/* Prepares memory and signal handlers, once; 0 if there is no memory. */
int kat_set_up(void);

#endif

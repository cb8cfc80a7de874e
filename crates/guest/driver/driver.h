/* What the drivers and their parts share: one measures with the hart's own counters (main.c), another one checks
 * vectors (kat_main.c). They run in the guest, read jobs from standard input, one a line, and answer each with one
 * line on standard output. Two programs, so that what one contains does not move the other's code and data. */
#ifndef CAPVEC_DRIVER_H
#define CAPVEC_DRIVER_H

#include <stddef.h>
#include <stdint.h>
#ifdef CAPVEC_TIMED
# include "compat.h" /* the library may be an older one there */
#else
# define HAVE_SQUEEZE 1
#endif

/* Longest word of a job and longest result, in bytes. */
#define MAX_MESSAGE 65536
/* Longest message that is measured. The usual driver has a place for it beside its words (job.c). CAPVEC_LONG makes one that
 * maps a place of its own: two drivers, so that the usual one's code and data stay where they are. */
#ifdef CAPVEC_LONG
# define MAX_MEASURED (1 << 30)
/* Makes a place for the message that is measured; 0 if there is no memory. */
int place_message(size_t len);
#else
# define MAX_MEASURED MAX_MESSAGE
# define place_message(len) 1
#endif
/* No cache has more bytes in a way: addresses that differ by a multiple of this meet the same lines. */
#define PLACE (1 << 20)
/* Longest group of jobs, in bytes. */
#define MAX_GROUP (1 << 22)

/* A word of a job, decoded from hexadecimal, aligned to 64 bytes. */
struct bytes {
    unsigned char *data;
    size_t len;
};

/* One operation of one algorithm. */
struct job {
    const char *algorithm; /* name that EVP fetches it by */
    const char *parameter; /* what the kind says, or NULL */
    const char *operation; /* one of the kind's */
    struct bytes key, iv, aad, in;
    struct bytes tag; /* of an AEAD, to decrypt */
    int rekey; /* set another key before the right one */
};

/* A kind of algorithm. `prepare` returns a context to measure messages of `len` bytes with, or NULL; `step` does
 * one operation with `len` bytes of `buffer`, and returns 0 on failure; `answer` writes the result of the whole
 * job and returns its length, or -1 if the library refuses. `check` is NULL, or goes the way back from an answer
 * and tampers with it: `back` if all is well, `lost` if the way back fails, `forged` if what was tampered with is
 * accepted, `random` if all is well with an answer that no known one can equal. It may write to the job and to `out`. */
struct kind {
    const char *name;
    const char *operations[4];
    void *(*prepare)(const struct job *job, size_t len);
    int (*step)(void *context, unsigned char *buffer, size_t len);
    void (*release)(void *context);
    long (*answer)(const struct job *job, unsigned char *out);
    const char *(*check)(struct job *job, unsigned char *out, size_t len);
};

extern const struct kind cipher_kind, aead_kind, setup_kind, digest_kind, mac_kind;
extern const struct kind keygen_kind, signature_kind, kem_kind, exchange_kind;

/* Whether the operation of `job` is this one. */
int job_is(const struct job *job, const char *operation);
/* The pattern message: byte i is i mod 251. */
void fill(unsigned char *buffer, size_t len);

/* Begins a job with its line, and gives the first word; NULL if there is none. */
char *begin_job(char *line);
/* Words of the present job. `next_word` gives NULL behind the last; the others 0 if it is not what they take. */
char *next_word(void);
/* `word` as a number; 0 if it is missing, anything else than digits, or above `max`. */
int parse_number(const char *word, size_t max, size_t *number);
int decode_bytes(const char *word, struct bytes *b);
int take_bytes(struct bytes *b);
int take_number(uint64_t *number);
/* Memory for a message, behind the words of a job. */
unsigned char *measured_message(void);
/* The next four words; NULL if there is no such kind, or it has no such operation. */
const struct kind *take_what(struct job *job);

/* Answers of ciphers, without and with authentication. */
long answer_cipher(const struct job *job, unsigned char *out);
long answer_aead(const struct job *job, unsigned char *out);

/* The key of `job`: PrivateKeyInfo or SubjectPublicKeyInfo in DER; NULL if it is neither. */
struct evp_pkey_st *job_key(const struct job *job);

/* Sets the library up as every group finds it; 0 if that fails. */
int begin_library(void);
/* Sets the library up, reads groups of lines and has each line answered, each group in a process of its own. Gives the
 * exit status. */
int serve(void (*answer)(char *line));

/* Answers the job `probe`. */
void do_probe(void);

#ifdef __riscv
/* Retired instructions and cycles. Volatile and clobbering memory, so that the work stays between two reads. */
static inline uint64_t read_instret(void)
{
    uint64_t v;
    __asm__ volatile("rdinstret %0" : "=r"(v) : : "memory");
    return v;
}

static inline uint64_t read_cycle(void)
{
    uint64_t v;
    __asm__ volatile("rdcycle %0" : "=r"(v) : : "memory");
    return v;
}
#endif

#endif

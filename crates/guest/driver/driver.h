/* What the drivers and their parts share. Each driver is a program that runs in the guest, reads jobs from standard
 * input, one on each line, and answers each with one line on standard output. There is one for each purpose: main.c
 * measures with the hart's own counters, kat_main.c checks vectors, secret.c marks secrets for constant-time checks,
 * and trial.c tries instructions. They are separate programs so that a change of one does not move another's code and
 * data. */
#ifndef CAPVEC_DRIVER_H
#define CAPVEC_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "counter_simulated.h"

#ifdef CAPVEC_TIMED
# include "compat.h" /* the target's library may be older */
#else
# define HAVE_SQUEEZE 1
#endif

/* Longest word of a job, and longest result, in bytes. */
#define MAX_MESSAGE 65536
/* Longest message that is measured. The usual driver reserves memory for it next to its words (job.c). CAPVEC_LONG
 * builds a second driver, which maps separate memory, so that the usual one's code and data stay where they are. */
#ifdef CAPVEC_LONG
# define MAX_MEASURED (1 << 30)
/* Provides memory for the measured message; 0 if there is none. */
int place_message(size_t len);
#else
# define MAX_MEASURED MAX_MESSAGE
# define place_message(len) 1
#endif
/* Addresses that differ by a multiple of this map to the same set: no modelled cache has more bytes in a way. */
#define SAME_SET (1 << 20)
/* Longest group of jobs, in bytes. */
#define MAX_GROUP (1 << 22)

/* A word of a job, decoded from hexadecimal, aligned to 64 bytes. */
struct bytes {
    unsigned char *data;
    size_t len;
};

/* One operation of one algorithm. */
struct job {
    const char *algorithm; /* name by which EVP fetches it */
    const char *parameter; /* defined by the kind, or NULL */
    const char *operation; /* one of the kind's */
    struct bytes key, iv, aad, in;
    struct bytes tag; /* for AEADs, to decrypt */
    int rekey; /* set another key before the right one */
};

/* A kind of algorithm. `prepare` returns a context for measuring messages of `len` bytes, or NULL; `step` performs one
 * operation on `len` bytes of `buffer`, and returns 0 on failure; `answer` writes the result of the whole job and
 * returns its length, or -1 if the library refuses. `check` is NULL, or inverts the operation on an answer and tampers
 * with it. It returns `back` if everything is right, `lost` if the inversion fails, `forged` if the tampered answer is
 * accepted, `random` if everything is right but the answer is randomised. It may write to the job and to `out`. */
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

#ifdef CAPVEC_TLS
extern const struct kind handshake_kind, resumption_kind, record_kind;

/* What the measured end of connections took between `begin_end` and `end_counts`: instructions and cycles; and the
 * bytes that it sent. */
void begin_end(void);
void end_counts(uint64_t out[2]);
uint64_t end_sent(void);
#endif

/* Whether this is the operation of `job`. */
int job_is(const struct job *job, const char *operation);
/* The pattern message: byte i is i mod 251. */
void fill(unsigned char *buffer, size_t len);

/* Begins a job with its line, and returns the first word; NULL if there is none. */
char *begin_job(char *line);
/* Words of the current job. `next_word` returns NULL after the last; the others return 0 if the word is not acceptable. */
char *next_word(void);
/* Parses `word` as a number; 0 if it is missing, contains anything but digits, or exceeds `max`. */
int parse_number(const char *word, size_t max, size_t *number);
int decode_bytes(const char *word, struct bytes *b);
int take_bytes(struct bytes *b);
int take_number(uint64_t *number);
/* Memory for a message, after the words of a job. */
unsigned char *measured_message(void);
/* Parses the next four words; NULL if the kind, or its operation, does not exist. */
const struct kind *take_what(struct job *job);

/* Answers for ciphers, without and with authentication. */
long answer_cipher(const struct job *job, unsigned char *out);
long answer_aead(const struct job *job, unsigned char *out);

/* The key of `job`: PrivateKeyInfo or SubjectPublicKeyInfo in DER; NULL if it is neither. */
struct evp_pkey_st *job_key(const struct job *job);

/* Initialises the library to the state in which every group finds it; 0 on failure. */
int begin_library(void);
/* Initialises the library, reads groups of lines and has each line answered, each group in a process of its own.
 * Returns the exit status. */
int serve(void (*answer)(char *line));

/* Answers the job `probe`. */
void do_probe(void);

#endif

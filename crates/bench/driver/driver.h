/* What the parts of the driver share. The driver runs in the guest: it reads jobs from standard input, one a
 * line, and answers each with one line on standard output. It measures with the hart's own counters. */
#ifndef CAPVEC_DRIVER_H
#define CAPVEC_DRIVER_H

#include <stddef.h>
#include <stdint.h>

/* Longest message, in bytes, and longest key, IV or tag. */
#define MAX_MESSAGE 65536
#define MAX_SMALL 256

/* A word of a job, decoded from hexadecimal. */
struct bytes {
    unsigned char data[MAX_SMALL];
    size_t len;
};

struct message {
    unsigned char data[MAX_MESSAGE];
    size_t len;
};

/* One algorithm in one direction. */
struct job {
    const char *algorithm; /* name that EVP fetches it by */
    int encrypt;
    struct bytes key, iv, aad, tag;
    struct message in;
};

/* A kind of algorithm. `prepare` returns a context, or NULL; `step` does what one operation of
 * `openssl speed` does with `len` bytes of `buffer`, and returns 0 on failure; `answer` writes the result of the
 * whole job and returns its length, or -1 if the library refuses. */
struct kind {
    const char *name;
    void *(*prepare)(const struct job *job);
    int (*step)(void *context, unsigned char *buffer, size_t len);
    void (*release)(void *context);
    long (*answer)(const struct job *job, unsigned char *out);
};

extern const struct kind cipher_kind, aead_kind, digest_kind, mac_kind;

/* Answers the job `probe`. */
void do_probe(void);

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

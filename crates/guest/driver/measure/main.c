/* Reads jobs and answers them. An empty line ends a group: see group.c.
 *
 *   version                         -> version TEXT
 *   selfcheck N                     -> selfcheck INSTRET
 *   probe                           -> probe FIELDS, see probe.c
 *   answer WHAT KEY IV AAD INPUT    -> answer HEX [back|lost|forged|random] | answer refused
 *   measure WHAT KEY IV BYTES TIMES -> measure INSTRET CYCLES EMPTY_INSTRET EMPTY_CYCLES [BYTES_SENT]
 *   each WHAT KEY IV TIMES          -> each INSTRET:CYCLES ..., first of an empty operation, then of each; CAPVEC_EACH only
 *
 * On targets other than the simulator, timed.c answers selfcheck and measure in its own format.
 *
 * WHAT is KIND ALGORITHM PARAMETER OPERATION; see job.c for the words. If the operation has an inverse, the answer is
 * inverted and must give the input back; a tampered answer must be refused: see `struct kind`. Anything wrong is
 * answered with `error TEXT`. If a process dies, the answers before its death are kept, and `died PROCESS STATUS`
 * follows. */
#include "driver.h"
#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>

static void do_answer(struct job *job)
{
    static unsigned char out[2 * MAX_MESSAGE];
    const struct kind *kind = take_what(job);
    long len;
    if (kind == NULL || !take_bytes(&job->key) || !take_bytes(&job->iv) || !take_bytes(&job->aad)
        || !take_bytes(&job->in) || next_word()) {
        puts("error bad answer job");
        return;
    }
    len = kind->answer(job, out);
    if (len < 0) {
        puts("answer refused");
        return;
    }
    fputs("answer ", stdout);
    for (long i = 0; i < len; i++) {
        putchar("0123456789abcdef"[out[i] >> 4]);
        putchar("0123456789abcdef"[out[i] & 15]);
    }
    if (kind->check)
        printf(" %s", kind->check(job, out, (size_t)len));
    putchar('\n');
}

#ifdef CAPVEC_TIMED
/* In timed.c. */
void do_measure(struct job *job);
void do_selfcheck(void);
#else

static int step_empty(void *context, unsigned char *buffer, size_t len)
{
    (void)context, (void)buffer, (void)len;
    return 1;
}

# ifdef CAPVEC_TLS
/* Instructions and cycles of `times` steps at the measured end of a connection: the step itself counts them. */
static int count(int (*step)(void *, unsigned char *, size_t), void *context, size_t bytes, size_t times,
                 uint64_t out[2])
{
    unsigned char *buffer = measured_message();
    int ok = 1;
    fill(buffer, bytes);
    begin_end();
    for (size_t i = 0; i < times; i++)
        ok &= step(context, buffer, bytes);
    end_counts(out);
    return ok;
}
# else
/* Instructions and cycles of `times` steps. Not inlined: the empty step must be called exactly like a real one. */
static __attribute__((noinline)) int count(int (*step)(void *, unsigned char *, size_t), void *context, size_t bytes,
                                           size_t times, uint64_t out[2])
{
    unsigned char *buffer = measured_message();
    int ok = 1;
    fill(buffer, bytes);
    uint64_t instret = read_instret(), cycle = read_cycle();
    for (size_t i = 0; i < times; i++)
        ok &= step(context, buffer, bytes);
    out[1] = read_cycle() - cycle;
    out[0] = read_instret() - instret;
    return ok;
}
# endif

static void do_measure(struct job *job)
{
    const struct kind *kind = take_what(job);
    size_t bytes, times;
    uint64_t work[2], empty[2];
    void *context;
    if (kind == NULL || !take_bytes(&job->key) || !take_bytes(&job->iv)
        || !parse_number(next_word(), MAX_MEASURED, &bytes) || !parse_number(next_word(), 1000000, &times) || times == 0
        || next_word()) {
        puts("error bad measure job");
        return;
    }
    if (!place_message(bytes)) {
        puts("error no memory for the message: lift the program's memory limit (ulimit -v), or choose fewer --bytes");
        return;
    }
    context = kind->prepare(job, bytes);
    if (context == NULL) {
        puts("error cannot measure this job");
        return;
    }
    /* Once to resolve symbols, fetch implementations and warm caches. An operation that is measured once is so long
     * that this does not matter. */
    int ok = (times == 1 || count(kind->step, context, bytes, 1, work))
        && count(step_empty, context, bytes, times, empty) && (times == 1 || count(kind->step, context, bytes, 1, work))
        && count(kind->step, context, bytes, times, work);
    kind->release(context);
# ifdef CAPVEC_TLS
    if (ok)
        printf("measure %llu %llu 0 0 %llu\n", (unsigned long long)work[0], (unsigned long long)work[1],
               (unsigned long long)end_sent());
# else
    if (ok)
        printf("measure %llu %llu %llu %llu\n", (unsigned long long)work[0], (unsigned long long)work[1],
               (unsigned long long)empty[0], (unsigned long long)empty[1]);
# endif
    else
        puts("error the library failed while measuring");
}

# ifdef CAPVEC_EACH
/* As do_measure, but each operation by itself. */
static void do_each(struct job *job)
{
    const struct kind *kind = take_what(job);
    size_t times;
    uint64_t counts[2];
    if (kind == NULL || !take_bytes(&job->key) || !take_bytes(&job->iv) || !parse_number(next_word(), 1000, &times)
        || times == 0 || next_word()) {
        puts("error bad each job");
        return;
    }
    void *context = kind->prepare(job, 0);
    int ok = context != NULL && count(kind->step, context, 0, 1, counts) && count(kind->step, context, 0, 1, counts)
        && count(step_empty, context, 0, 1, counts);
    if (ok)
        printf("each %llu:%llu", (unsigned long long)counts[0], (unsigned long long)counts[1]);
    for (size_t i = 0; ok && i < times; i++) {
        ok = count(kind->step, context, 0, 1, counts);
        if (ok)
            printf(" %llu:%llu", (unsigned long long)counts[0], (unsigned long long)counts[1]);
    }
    if (context != NULL)
        kind->release(context);
    puts(ok ? "" : "error the library failed while measuring");
}
# endif

/* A loop of exactly 2·n instructions between two reads of the counter: with n iterations the difference is
 * 2·n + 1, as the first read itself retires between them. */
static void do_selfcheck(void)
{
    size_t n;
    uint64_t before, after;
    if (!parse_number(next_word(), 100000000, &n) || n == 0) {
        puts("error selfcheck needs a positive count");
        return;
    }
    __asm__ volatile(".option push\n\t.option norvc\n\t"
                     "rdinstret %0\n"
                     "1:\taddi %2, %2, -1\n\tbnez %2, 1b\n\t"
                     "rdinstret %1\n\t.option pop"
                     : "=&r"(before), "=&r"(after), "+&r"(n));
    printf("selfcheck %llu\n", (unsigned long long)(after - before));
}
#endif

static void do_line(char *line)
{
    struct job job = { 0 };
    const char *verb = begin_job(line);
    if (verb == NULL)
        puts("error empty line");
    else if (strcmp(verb, "version") == 0)
        printf("version %s\n", OpenSSL_version(OPENSSL_VERSION));
    else if (strcmp(verb, "selfcheck") == 0)
        do_selfcheck();
    else if (strcmp(verb, "probe") == 0)
        do_probe();
    else if (strcmp(verb, "answer") == 0)
        do_answer(&job);
    else if (strcmp(verb, "measure") == 0)
        do_measure(&job);
#ifdef CAPVEC_EACH
    else if (strcmp(verb, "each") == 0)
        do_each(&job);
#endif
    else
        printf("error unknown verb %s\n", verb);
}

int main(void)
{
    return serve(do_line);
}

/* Reads jobs and answers them. An empty line ends a group: see group.c.
 *
 *   version                         -> version TEXT
 *   selfcheck N                     -> selfcheck INSTRET
 *   probe                           -> probe FIELDS, see probe.c
 *   answer WHAT KEY IV AAD INPUT    -> answer HEX [back|lost|forged] | answer refused
 *   measure WHAT KEY IV BYTES TIMES -> measure INSTRET CYCLES EMPTY_INSTRET EMPTY_CYCLES
 *   kat ...                         -> see kat.c
 *
 * WHAT is KIND ALGORITHM PARAMETER OPERATION; each kind has a file and says there what it takes. An answer is taken
 * the way back where there is one, and tampered with: see `struct kind`. KEY … INPUT are hexadecimal; PARAMETER and
 * they may be `-` for none, and INPUT `@LEN` for a message whose byte i is i mod 251. Anything wrong is answered
 * with `error TEXT`. A group whose process dies is answered up to there, then with `died PROCESS STATUS`. */
#include "driver.h"
#include "kat.h"
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kind *const kinds[] = {
    &cipher_kind, &aead_kind, &setup_kind, &digest_kind, &mac_kind,
    &keygen_kind, &signature_kind, &kem_kind, &exchange_kind,
};

/* Decoded words of the present job, each aligned: key, IV, associated data and input; behind them the message of a
 * measurement, or output and tag of a vector. The address ends the same however large the driver is, since caches go
 * by that. */
static unsigned char arena[6 * (MAX_MESSAGE + 64)] __attribute__((aligned(PLACE)));
static size_t arena_used;

int job_is(const struct job *job, const char *operation)
{
    return strcmp(job->operation, operation) == 0;
}

void fill(unsigned char *buffer, size_t len)
{
    for (size_t i = 0; i < len; i++)
        buffer[i] = (unsigned char)(i % 251);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* `word` as a number; 0 if it is missing, anything else than digits, or above `max`. */
static int parse_number(const char *word, size_t max, size_t *number)
{
    *number = 0;
    if (word == NULL || *word == 0)
        return 0;
    for (; *word; word++) {
        if (*word < '0' || *word > '9')
            return 0;
        *number = *number * 10 + (size_t)(*word - '0');
        if (*number > max)
            return 0;
    }
    return 1;
}

char *next_word(void)
{
    return strtok(NULL, " ");
}

int take_number(uint64_t *number)
{
    return parse_number(next_word(), UINT64_MAX / 16, number);
}

int take_bytes(struct bytes *b)
{
    return decode_bytes(next_word(), b);
}

int decode_bytes(const char *word, struct bytes *b)
{
    b->data = arena + arena_used;
    b->len = 0;
    if (word == NULL)
        return 0;
    if (word[0] == '@') {
        if (!parse_number(word + 1, MAX_MESSAGE, &b->len))
            return 0;
        fill(b->data, b->len);
    } else if (strcmp(word, "-") != 0) {
        for (; word[0]; word += 2) {
            int high = hex_digit(word[0]), low = high < 0 ? -1 : hex_digit(word[1]);
            if (low < 0 || b->len == MAX_MESSAGE)
                return 0;
            b->data[b->len++] = (unsigned char)(high << 4 | low);
        }
    }
    arena_used += (b->len + 63) / 64 * 64;
    return 1;
}

const struct kind *take_what(struct job *job)
{
    const char *name = strtok(NULL, " ");
    job->algorithm = strtok(NULL, " ");
    job->parameter = strtok(NULL, " ");
    job->operation = strtok(NULL, " ");
    if (job->operation == NULL)
        return NULL;
    if (strcmp(job->parameter, "-") == 0)
        job->parameter = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (const char *const *op = kinds[i]->operations; *op && strcmp(kinds[i]->name, name) == 0; op++)
            if (job_is(job, *op))
                return kinds[i];
    return NULL;
}

static void do_answer(struct job *job)
{
    static unsigned char out[2 * MAX_MESSAGE];
    const struct kind *kind = take_what(job);
    long len;
    if (kind == NULL || !take_bytes(&job->key) || !take_bytes(&job->iv) || !take_bytes(&job->aad)
        || !take_bytes(&job->in) || strtok(NULL, " ")) {
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

static int step_empty(void *context, unsigned char *buffer, size_t len)
{
    (void)context, (void)buffer, (void)len;
    return 1;
}

/* Counts of `times` steps. Not inlined: the empty step must be called exactly as a real one. */
static __attribute__((noinline)) int count(int (*step)(void *, unsigned char *, size_t), void *context,
                                           size_t bytes, size_t times, uint64_t out[2])
{
    unsigned char *buffer = arena + 4 * (MAX_MESSAGE + 64);
    int ok = 1;
    fill(buffer, bytes);
    uint64_t instret = read_instret(), cycle = read_cycle();
    for (size_t i = 0; i < times; i++)
        ok &= step(context, buffer, bytes);
    out[1] = read_cycle() - cycle;
    out[0] = read_instret() - instret;
    return ok;
}

static void do_measure(struct job *job)
{
    const struct kind *kind = take_what(job);
    size_t bytes, times;
    uint64_t work[2], empty[2];
    void *context;
    if (kind == NULL || !take_bytes(&job->key) || !take_bytes(&job->iv)
        || !parse_number(strtok(NULL, " "), MAX_MESSAGE, &bytes)
        || !parse_number(strtok(NULL, " "), 1000000, &times) || times == 0 || strtok(NULL, " ")) {
        puts("error bad measure job");
        return;
    }
    context = kind->prepare(job, bytes);
    if (context == NULL) {
        puts("error cannot measure this job");
        return;
    }
    /* Once to resolve symbols, fetch implementations and warm caches; but what is measured once is so long that
     * this does not matter. */
    int ok = (times == 1 || count(kind->step, context, bytes, 1, work))
        && count(step_empty, context, bytes, times, empty)
        && (times == 1 || count(kind->step, context, bytes, 1, work))
        && count(kind->step, context, bytes, times, work);
    kind->release(context);
    if (ok)
        printf("measure %llu %llu %llu %llu\n", (unsigned long long)work[0], (unsigned long long)work[1],
               (unsigned long long)empty[0], (unsigned long long)empty[1]);
    else
        puts("error the library failed while measuring");
}

/* A loop of exactly 2·n instructions between two reads of the counter: with n iterations the difference is
 * 2·n + 1, as the first read itself retires between them. */
static void do_selfcheck(void)
{
    size_t n;
    uint64_t before, after;
    if (!parse_number(strtok(NULL, " "), 100000000, &n) || n == 0) {
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

static void do_line(char *line)
{
    struct job job = { 0 };
    const char *verb = strtok(line, " ");
    arena_used = 0;
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
    else if (strcmp(verb, "kat") == 0)
        do_kat();
    else
        printf("error unknown verb %s\n", verb);
}

int main(void)
{
    if (!begin_library()) {
        fputs("the library's random number generator cannot be set up\n", stderr);
        return 1;
    }
    return serve(do_line);
}

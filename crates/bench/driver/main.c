/* Reads jobs and answers them.
 *
 *   version                                             -> version TEXT
 *   selfcheck N                                         -> selfcheck INSTRET
 *   probe                                               -> probe FIELDS, see probe.c
 *   answer KIND ALGORITHM KEY IV AAD INPUT              -> answer HEX [back|lost|forged] | answer refused
 *   measure KIND ALGORITHM enc|dec KEY IV BYTES REPEATS -> measure INSTRET CYCLES EMPTY_INSTRET EMPTY_CYCLES
 *
 * An answer of a cipher is decrypted again: `back` if that gives the input, `lost` if not, `forged` if an AEAD also
 * accepts a changed tag. KEY … INPUT are hexadecimal, `-` for none; INPUT may be `@LEN`: byte i is i mod 251. Anything wrong is answered
 * with `error TEXT`. */
#include "driver.h"
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kind *const kinds[] = { &cipher_kind, &aead_kind, &digest_kind, &mac_kind };

static const struct kind *find_kind(const char *name)
{
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* `word` as bytes; 0 if it is missing, odd, too long or not hexadecimal. */
static int parse_hex(const char *word, unsigned char *out, size_t max, size_t *len)
{
    *len = 0;
    if (word == NULL)
        return 0;
    if (strcmp(word, "-") == 0)
        return 1;
    for (; word[0] && word[1]; word += 2) {
        int high = hex_digit(word[0]), low = hex_digit(word[1]);
        if (high < 0 || low < 0 || *len == max)
            return 0;
        out[(*len)++] = (unsigned char)(high << 4 | low);
    }
    return word[0] == 0;
}

static int take_bytes(struct bytes *b)
{
    return parse_hex(strtok(NULL, " "), b->data, sizeof b->data, &b->len);
}

static void fill(unsigned char *buffer, size_t len)
{
    for (size_t i = 0; i < len; i++)
        buffer[i] = (unsigned char)(i % 251);
}

/* The next word as a number; 0 if it is missing or above `max`. */
static size_t take_number(size_t max)
{
    const char *word = strtok(NULL, " ");
    unsigned long v = word ? strtoul(word, NULL, 10) : 0;
    return v <= max ? v : 0;
}

static int take_message(struct message *m)
{
    const char *word = strtok(NULL, " ");
    if (word == NULL || word[0] != '@')
        return parse_hex(word, m->data, sizeof m->data, &m->len);
    m->len = strtoul(word + 1, NULL, 10);
    if (m->len > MAX_MESSAGE)
        return 0;
    fill(m->data, m->len);
    return 1;
}

static const struct kind *take_kind(struct job *job)
{
    const struct kind *kind = find_kind(strtok(NULL, " "));
    job->algorithm = strtok(NULL, " ");
    job->encrypt = 1;
    return job->algorithm ? kind : NULL;
}

/* Decrypts `out`, the answer to `job`: the word for the result. */
static const char *way_back(const struct job *job, const struct kind *kind, const unsigned char *out, size_t len)
{
    static struct job back;
    static unsigned char plain[MAX_MESSAGE + MAX_SMALL];
    back = *job;
    back.encrypt = 0;
    back.tag.len = kind == &aead_kind ? 16 : 0;
    back.in.len = len - back.tag.len;
    memcpy(back.in.data, out, back.in.len);
    memcpy(back.tag.data, out + back.in.len, back.tag.len);
    if (kind->answer(&back, plain) != (long)job->in.len || memcmp(plain, job->in.data, job->in.len) != 0)
        return "lost";
    if (kind != &aead_kind)
        return "back";
    back.tag.data[0] ^= 1;
    return kind->answer(&back, plain) < 0 ? "back" : "forged";
}

static void do_answer(struct job *job)
{
    static unsigned char out[MAX_MESSAGE + MAX_SMALL];
    const struct kind *kind = take_kind(job);
    long len;
    if (kind == NULL || !take_bytes(&job->key) || !take_bytes(&job->iv) || !take_bytes(&job->aad)
        || !take_message(&job->in)) {
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
    if (kind == &cipher_kind || kind == &aead_kind)
        printf(" %s", way_back(job, kind, out, (size_t)len));
    putchar('\n');
}

static int step_empty(void *context, unsigned char *buffer, size_t len)
{
    (void)context, (void)buffer, (void)len;
    return 1;
}

/* Counts of `repeats` steps. Not inlined: the empty step must be called exactly as a real one. */
static __attribute__((noinline)) int count(int (*step)(void *, unsigned char *, size_t), void *context,
                                           size_t bytes, size_t repeats, uint64_t out[2])
{
    static unsigned char buffer[MAX_MESSAGE + MAX_SMALL] __attribute__((aligned(64)));
    int ok = 1;
    fill(buffer, bytes);
    uint64_t instret = read_instret(), cycle = read_cycle();
    for (size_t i = 0; i < repeats; i++)
        ok &= step(context, buffer, bytes);
    out[1] = read_cycle() - cycle;
    out[0] = read_instret() - instret;
    return ok;
}

static void do_measure(struct job *job)
{
    const struct kind *kind = take_kind(job);
    const char *direction = strtok(NULL, " ");
    int taken = kind && direction && take_bytes(&job->key) && take_bytes(&job->iv);
    size_t bytes = take_number(MAX_MESSAGE), repeats = take_number(1000000);
    uint64_t work[2], empty[2];
    void *context = NULL;
    if (taken && bytes && repeats) {
        job->encrypt = strcmp(direction, "enc") == 0;
        context = kind->prepare(job);
    }
    if (context == NULL) {
        puts("error cannot measure this job");
        return;
    }
    /* Once to resolve symbols, fetch implementations and warm caches. */
    int ok = count(kind->step, context, bytes, 1, work)
        && count(step_empty, context, bytes, repeats, empty)
        && count(kind->step, context, bytes, 1, work)
        && count(kind->step, context, bytes, repeats, work);
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
    uint64_t n = take_number(100000000), before, after;
    if (n == 0) {
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

int main(void)
{
    static char line[2 * (MAX_MESSAGE + 8 * MAX_SMALL)];
    static struct job job;
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        const char *verb = strtok(line, " ");
        memset(&job, 0, sizeof job);
        if (verb == NULL)
            continue;
        if (strcmp(verb, "version") == 0)
            printf("version %s\n", OpenSSL_version(OPENSSL_VERSION));
        else if (strcmp(verb, "selfcheck") == 0)
            do_selfcheck();
        else if (strcmp(verb, "probe") == 0)
            do_probe();
        else if (strcmp(verb, "answer") == 0)
            do_answer(&job);
        else if (strcmp(verb, "measure") == 0)
            do_measure(&job);
        else
            printf("error unknown verb %s\n", verb);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

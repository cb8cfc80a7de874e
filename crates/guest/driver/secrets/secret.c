/* The driver for constant-time checks. It either marks inputs secret by Valgrind's client requests before an operation, so
 * that `capvec ct` follows them, or counts the operation's cycles. An empty line ends a group: see group.c.
 *
 *   secret WHAT KEY IV AAD INPUT PARTS -> secret LENGTH | secret refused
 *   time WHAT KEY IV AAD INPUT         -> time CYCLES | time refused
 *   version                            -> version TEXT
 *
 * The words are as in main.c. PARTS says what is secret: `key`, `in` or both, separated by a comma; with :OFFSET:BYTES,
 * only these bytes. To decrypt, the input is first encrypted without secrets, and LENGTH is that of the plaintext.
 * Results are public once the operation has ended. Anything wrong is answered with `error TEXT`. */
#include "driver.h"
#include <openssl/crypto.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* memcheck.h of Valgrind: VALGRIND_MAKE_MEM_UNDEFINED and VALGRIND_MAKE_MEM_DEFINED. */
#define MAKE_SECRET 0x4d430001
#define MAKE_PUBLIC 0x4d430002

/* The sequence that VEX recognises on riscv64; a processor executes it without effect. */
static void request(uint64_t what, const void *at, uint64_t bytes)
{
    volatile uint64_t words[6] = { what, (uintptr_t)at, bytes };
    register uint64_t result __asm__("a3") = 0;
    register volatile uint64_t *pointer __asm__("a4") = words;
    __asm__ volatile(".option push\n\t.option norvc\n\t"
                     "srli zero, zero, 3\n\tsrli zero, zero, 13\n\tsrli zero, zero, 51\n\tsrli zero, zero, 61\n\t"
                     "or a0, a0, a0\n\t.option pop"
                     : "+r"(result)
                     : "r"(pointer)
                     : "memory");
}

/* Takes :OFFSET:BYTES off the text, or all of the part; 0 if these are not its bytes. */
static int take_range(char **text, const struct bytes *part, struct bytes *range)
{
    unsigned long offset, bytes;
    int used;
    *range = *part;
    if (**text != ':')
        return 1;
    if (sscanf(*text, ":%lu:%lu%n", &offset, &bytes, &used) != 2 || offset > part->len || bytes > part->len - offset)
        return 0;
    *text += used;
    *range = (struct bytes){ part->data + offset, bytes };
    return 1;
}

/* Marks the parts secret; 0 if they are not understood. */
static int mark(const struct job *job, char *parts)
{
    for (;; parts++) {
        struct bytes range;
        int is_key = strncmp(parts, "key", 3) == 0;
        if (!is_key && strncmp(parts, "in", 2) != 0)
            return 0;
        parts += is_key ? 3 : 2;
        if (!take_range(&parts, is_key ? &job->key : &job->in, &range))
            return 0;
        request(MAKE_SECRET, range.data, range.len);
        if (*parts != ',')
            return *parts == 0;
    }
}

/* Replaces the input by its encryption, and takes the tag that follows it. */
static int encrypt_input(const struct kind *kind, struct job *job)
{
    static unsigned char ciphertext[2 * MAX_MESSAGE];
    struct job forward = *job;
    forward.operation = "enc";
    long len = kind->answer(&forward, ciphertext);
    if (len < 0 || (size_t)len < job->in.len)
        return 0;
    job->tag = (struct bytes){ ciphertext + job->in.len, (size_t)len - job->in.len };
    job->in.data = ciphertext;
    return 1;
}

static unsigned char out[2 * MAX_MESSAGE];

/* Takes the words of a job up to its input; to decrypt, the input is replaced by its encryption. NULL on failure. */
static const struct kind *take_job(struct job *job)
{
    const struct kind *kind = take_what(job);
    if (kind == NULL || !take_bytes(&job->key) || !take_bytes(&job->iv) || !take_bytes(&job->aad)
        || !take_bytes(&job->in)) {
        puts("error bad job");
        return NULL;
    }
    if (job_is(job, "dec") && !encrypt_input(kind, job)) {
        puts("error the library cannot encrypt this");
        return NULL;
    }
    return kind;
}

static void do_secret(struct job *job)
{
    const struct kind *kind = take_job(job);
    char *parts = kind ? next_word() : NULL;
    if (kind == NULL)
        return;
    if (parts == NULL || next_word() || !mark(job, parts)) {
        puts("error bad secret parts");
        return;
    }
    volatile long len = kind->answer(job, out);
    request(MAKE_PUBLIC, (const void *)&len, sizeof len);
    request(MAKE_PUBLIC, out, sizeof out);
    request(MAKE_PUBLIC, job->key.data, job->key.len);
    request(MAKE_PUBLIC, job->in.data, job->in.len);
    if (len < 0)
        puts("secret refused");
    else
        printf("secret %ld\n", len);
}

/* Times the second answer: symbols are resolved then, and caches are warm. Its cycles lie between the last two reads of
 * the counter of instructions, from which the simulator takes them. */
static void time_answer(const struct kind *kind, struct job *job)
{
    uint64_t cycles;
    if (kind->answer(job, out) < 0) {
        puts("time refused");
        return;
    }
    read_instret();
    cycles = read_cycle();
    kind->answer(job, out);
    cycles = read_cycle() - cycles;
    read_instret();
    printf("time %llu\n", (unsigned long long)cycles);
}

/* How long it takes to read a job depends on its digits, and so do caches, predictors and the part of a cycle in which the
 * next instruction begins. A process of its own begins with all of these reset. This process yields first: with a fresh
 * quantum it begins to wait in time, so the scheduler does not come back here during the operation and empty caches. */
static void do_time(struct job *job)
{
    const struct kind *kind = take_job(job);
    int status = 0;
    if (kind == NULL)
        return;
    sched_yield();
    pid_t child = fork();
    if (child == 0) {
        time_answer(kind, job);
        _exit(fflush(stdout) == 0 ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        puts("error the operation died");
}

static void do_line(char *line)
{
    struct job job = { 0 };
    const char *verb = begin_job(line);
    if (verb && strcmp(verb, "secret") == 0)
        do_secret(&job);
    else if (verb && strcmp(verb, "time") == 0)
        do_time(&job);
    else if (verb && strcmp(verb, "version") == 0)
        printf("version %s\n", OpenSSL_version(OPENSSL_VERSION_STRING));
    else
        printf("error unknown verb %s\n", verb ? verb : "");
}

int main(void)
{
    return serve(do_line);
}

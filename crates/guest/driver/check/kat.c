/* One operation in one form: where the buffers are, how the message is divided, and whether the result is the expected
 * one. */
#include "kat.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE 4096
/* Bytes on each side of a buffer that must not change. */
#define GUARD 64
/* Longest buffer: a message, a tag or padding, and offsets. */
#define ROOM (MAX_MESSAGE + 2 * PAGE)

/* Memory between two unmapped pages. */
struct area {
    unsigned char *start;
    unsigned char *data; /* the buffer placed last, and its length */
    size_t len;
};

enum { IN, OUT, AAD, TAG, AREAS };
static struct area areas[AREAS];

/* Contents of the guards. */
static unsigned char guard[GUARD];

static sigjmp_buf escape;
static char signal_text[96];

/* The program counter when the signal arrived. */
static unsigned long program_counter(const ucontext_t *u)
{
#if defined(__riscv)
    return u->uc_mcontext.__gregs[REG_PC];
#elif defined(__aarch64__)
    return u->uc_mcontext.pc;
#elif defined(__x86_64__)
    return (unsigned long)u->uc_mcontext.gregs[16]; /* REG_RIP, which only GNU defines */
#else
    return (void)u, 0UL;
#endif
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    unsigned long pc = program_counter(context);
    /* After SIGSEGV, there may be no memory at `pc`. */
    if (number != SIGSEGV && pc != 0) {
        uint16_t low, high;
        int len;
        memcpy(&low, (void *)pc, sizeof low);
        memcpy(&high, (void *)(pc + 2), sizeof high);
        len = snprintf(signal_text, sizeof signal_text, "%s at pc %#lx, instruction %04x%04x",
                       number == SIGILL ? "SIGILL" : "SIGBUS", pc, high, low);
        if (number == SIGBUS)
            snprintf(signal_text + len, sizeof signal_text - (size_t)len, ", address %p", info->si_addr);
    } else {
        snprintf(signal_text, sizeof signal_text, "%s at pc %#lx, address %p", number == SIGSEGV ? "SIGSEGV" : "SIGBUS",
                 pc, info->si_addr);
    }
    siglongjmp(escape, 1);
}

int kat_set_up(void)
{
    static int done;
    struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_NODEFER };
    if (done)
        return 1;
    for (int i = 0; i < AREAS; i++) {
        unsigned char *map = mmap(NULL, ROOM + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (map == MAP_FAILED || mprotect(map + PAGE, ROOM, PROT_READ | PROT_WRITE) != 0)
            return 0;
        areas[i].start = map + PAGE;
    }
    for (size_t i = 0; i < GUARD; i++)
        guard[i] = (unsigned char)(0xa5 ^ i * 29);
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    return done = 1;
}

/* A buffer of `len` bytes between guards: `offset` bytes after a multiple of 64, or at the very end of the area. */
static unsigned char *place(int which, size_t len, unsigned offset, int at_end)
{
    struct area *a = &areas[which];
    a->data = at_end ? a->start + ROOM - len : a->start + GUARD + offset;
    a->len = len;
    memcpy(a->data - GUARD, guard, GUARD);
    if (!at_end)
        memcpy(a->data + len, guard, GUARD);
    return a->data;
}

static int guards_are_whole(int which)
{
    const struct area *a = &areas[which];
    int at_end = a->data + a->len == a->start + ROOM;
    return memcmp(a->data - GUARD, guard, GUARD) == 0 && (at_end || memcmp(a->data + a->len, guard, GUARD) == 0);
}

uint64_t kat_fnv(uint64_t hash, const unsigned char *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ data[i]) * 0x100000001b3u;
    return hash;
}

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

size_t kat_chunk(const struct form *form, struct buffers *b, size_t left)
{
    size_t n = form->chunk == 0 ? left : form->chunk;
    /* Short ones more often: they produce more partial blocks. */
    if (form->chunk == RANDOM_CHUNKS) {
        uint64_t r = next_random(&b->random);
        n = 1 + (r >> 8) % (r & 1 ? 40 : r & 2 ? 200 : 5000);
    }
    return n < left ? n : left;
}

void kat_fail(struct tally *t, const struct trial *trial, const struct form *form, const char *format, ...)
{
    size_t used;
    va_list args;
    if (t->failure[0])
        return;
    used = (size_t)snprintf(t->failure, sizeof t->failure, "%s, %s", trial->operation, form->name);
    if (form->in_offset || form->out_offset)
        used += (size_t)snprintf(t->failure + used, sizeof t->failure - used, " (input at +%u, output at +%u)",
                                 form->in_offset, form->out_offset);
    used += (size_t)snprintf(t->failure + used, sizeof t->failure - used, ": ");
    va_start(args, format);
    vsnprintf(t->failure + used, sizeof t->failure - used, format, args);
    va_end(args);
}

void kat_unfit(struct tally *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(t->failure, sizeof t->failure, format, args);
    va_end(args);
}

static const char *refusal(long len)
{
    return len == REFUSED ? "the library refuses it" : "the library refuses its key, IV or parameters";
}

/* Compares the result with the expectation, and adds it to the digest of all output: an expected result contributes only its length. */
static void judge(struct tally *t, const struct trial *trial, const struct form *form, long len,
                  const unsigned char *out, const struct bytes *expected)
{
    size_t at = 0;
    int same = len >= 0 && expected && (size_t)len == expected->len && memcmp(out, expected->data, expected->len) == 0;
    t->seen = kat_fnv(t->seen, (unsigned char *)&len, sizeof len);
    t->refused += len == REFUSED;
    t->early += len == NOT_SET_UP;
    if (same)
        return;
    if (len >= 0 && (size_t)len <= trial->room)
        t->seen = kat_fnv(t->seen, out, (size_t)len);
    if (len < 0 && trial->vector->result == ACCEPTABLE)
        return;
    if (len < 0 && expected)
        kat_fail(t, trial, form, "%s", refusal(len));
    /* A modification of an accepted vector must be refused by the operation itself. */
    else if (len == NOT_SET_UP && trial->vector->result == VALID)
        kat_fail(t, trial, form, "refused before the operation");
    else if (len >= 0 && !expected)
        kat_fail(t, trial, form, "accepted, must be refused");
    else if (expected && (size_t)len != expected->len)
        kat_fail(t, trial, form, "%ld bytes came, not %zu", len, expected->len);
    else if (len >= 0) {
        while (out[at] == expected->data[at])
            at++;
        kat_fail(t, trial, form, "byte %zu of %zu is %02x, not %02x", at, expected->len, out[at], expected->data[at]);
    }
}

int kat_try(struct tally *t, const struct trial *trial, const struct form *form, const struct bytes *expected)
{
    struct buffers b = { .random = trial->vector->seed };
    /* A signal returns here: variables compared afterwards must not be in registers. */
    volatile long len = -1;
    int shared = form->in_place, failed = t->failure[0] != 0;
    size_t room = shared && trial->in.len > trial->room ? trial->in.len : trial->room;
    b.out = place(OUT, room, form->out_offset, form->at_end);
    b.in = shared ? b.out : place(IN, trial->in.len, form->in_offset, form->at_end);
    b.aad = place(AAD, trial->aad.len, form->in_offset ^ form->out_offset, form->at_end);
    b.tag = place(TAG, trial->tag.len, form->out_offset, form->at_end);
    /* Otherwise stale output could pass for the right one. */
    memset(b.out, 0x5c, room);
    memcpy(b.in, trial->in.data, trial->in.len);
    memcpy(b.aad, trial->aad.data, trial->aad.len);
    memcpy(b.tag, trial->tag.data, trial->tag.len);
    t->checks++;
    if (sigsetjmp(escape, 0) == 0) {
        len = trial->run(trial, form, &b);
        judge(t, trial, form, len, b.out, expected);
    } else {
        kat_fail(t, trial, form, "%s", signal_text);
    }
    for (int i = 0; i < AREAS; i++)
        if (!(shared && i == IN) && !guards_are_whole(i))
            kat_fail(t, trial, form, "bytes around %s are overwritten",
                     i == IN        ? "the input"
                         : i == OUT ? "the output"
                                    : "associated data or tag");
    if (!shared && memcmp(b.in, trial->in.data, trial->in.len) != 0)
        kat_fail(t, trial, form, "the input is overwritten");
    return failed || !t->failure[0];
}

int kat_find_out(struct tally *t, const struct trial *trial, struct vector *v, unsigned char *room)
{
    static const struct form plain = { .name = "one update" };
    struct buffers b = { .in = trial->in.data, .out = room, .aad = trial->aad.data };
    volatile long len = -1;
    t->checks++;
    if (sigsetjmp(escape, 0) != 0)
        kat_fail(t, trial, &plain, "%s", signal_text);
    else if ((len = trial->run(trial, &plain, &b)) < 0)
        kat_fail(t, trial, &plain, "%s", refusal(len));
    else if (kat_fnv(KAT_FNV_START, room, (size_t)len) != v->digest)
        kat_fail(t, trial, &plain, "wrong by its FNV-1a");
    v->out = (struct bytes){ room, len < 0 ? 0 : (size_t)len };
    return !t->failure[0];
}

/* Longer messages and associated data are checked in fewer forms: the ends of buffers and the boundaries of updates, in
 * which forms differ, are the same there, and 64 kB in each form would cost more than everything else. */
#define LONG 5000

size_t kat_forms(struct form forms[KAT_FORMS], const struct vector *v, size_t len, size_t block, int streams,
                 int places)
{
    uint64_t r = v->seed;
    unsigned a = 1 + (unsigned)(next_random(&r) % 15), b = 1 + (unsigned)(next_random(&r) % 15);
    int whole = len <= LONG && v->job.aad.len <= LONG;
    struct form *f = forms;
    *f++ = (struct form){ .name = "one update" };
    *f++ = (struct form){ .name = "unaligned", .in_offset = b, .out_offset = a };
    *f++ = (struct form){ .name = "at the end of memory", .at_end = 1 };
    if (places)
        *f++ = (struct form){ .name = "in place, unaligned", .in_place = 1, .in_offset = a, .out_offset = a };
    if (streams && len > 1)
        *f++ = (struct form){
            .name = "random updates, unaligned", .chunk = RANDOM_CHUNKS, .in_offset = a, .out_offset = b
        };
    if (!whole)
        return (size_t)(f - forms);
    *f++ = (struct form){ .name = "unaligned input", .in_offset = a };
    *f++ = (struct form){ .name = "unaligned output", .out_offset = b };
    *f++ = (struct form){ .name = "after another key", .rekey = 1 };
    if (places)
        *f++ = (struct form){ .name = "in place", .in_place = 1 };
    if (!streams)
        return (size_t)(f - forms);
    if (len > 1 && len <= 4 * block + 1)
        *f++ = (struct form){ .name = "updates of 1 byte", .chunk = 1 };
    if (len >= block && block > 2)
        *f++ = (struct form){ .name = "updates of a block less 1", .chunk = block - 1 };
    if (len > block && block > 1)
        *f++ = (struct form){ .name = "updates of a block", .chunk = block };
    if (len > block + 1)
        *f++ = (struct form){ .name = "updates of a block and 1", .chunk = block + 1, .in_offset = b };
    if (len > 1)
        *f++ = (struct form){ .name = "random updates", .chunk = RANDOM_CHUNKS };
    return (size_t)(f - forms);
}

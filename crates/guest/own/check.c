/* Calls every measured function as `capvec check` does: with known registers, with buffers next to memory that cannot be accessed, at several
 * alignments, in several states of the vector unit. */
#include "capvec_own.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

enum { SAVED = 12, AFTER = 28 };

uint64_t capvec_call(void (*run)(size_t), size_t size, uint64_t after[AFTER], int has_vectors, size_t avl,
                     uint64_t vtype);

void capvec_set_vectors(size_t avl, uint64_t vtype);

static const char *const places[PLACES] = {
    "", "at the end", "at the start", "1 byte off", "2 bytes off", "4 bytes off"
};

/* What a function finds in vl and vtype: it has to work whatever that is (psABI, "Vector Register Convention"). The first: vl 1, e8, mf8. */
static const struct state {
    const char *name;
    size_t avl;
    uint64_t vtype;
} states[] = {
    { "", 1, 5 },
    { "vl at its most, e64, m8", SIZE_MAX, 3 << 3 | 3 },
    /* As the kernel leaves it after a system call. Vector instructions that depend on vtype are illegal. */
    { "vill set", 1, (uint64_t)1 << 63 },
};

static int has_vectors(void)
{
    return (getauxval(AT_HWCAP) >> ('v' - 'a') & 1) != 0;
}

/* The first register that the call did not keep; NULL if there is none. */
static const char *broken(const uint64_t after[AFTER], uint64_t stack)
{
    static char name[32];
    for (int n = 0; n < 2 * SAVED; n++)
        if (after[n] != 0x5a5a0000u + (unsigned)(n % SAVED)) {
            snprintf(name, sizeof name, "%s%d is not kept", n < SAVED ? "s" : "fs", n % SAVED);
            return name;
        }
    if (stack != 0)
        return "the stack pointer is not kept";
    if (after[24] != 0)
        return "gp is not kept";
    if (after[25] != 0)
        return "tp is not kept";
    if (after[26] != 0)
        return "the rounding mode is not kept";
    return after[27] != 0 ? "vstart is not zero" : NULL;
}

static const char *call_keeps(void (*run)(size_t), size_t size, const struct state *state)
{
    uint64_t after[AFTER];
    return broken(after, capvec_call(run, size, after, has_vectors(), state->avl, state->vtype));
}

const char *capvec_call_keeps(void (*run)(size_t), size_t size)
{
    return call_keeps(run, size, states);
}

static void check_call(const struct capvec_item *item, size_t size, enum place place, const struct state *state)
{
    const char *what;
    capvec_prepare(size, place);
    printf("capvec-call\t%s\t%zu\t%s\t%s\n", item->title, size, places[place], state->name);
    what = call_keeps(item->run, size, state);
    if (!what && capvec_written_beyond())
        what = "writes beyond a buffer";
    if (what)
        printf("capvec-fault\t%s\t%zu\t%s\t%s\t%s\n", item->title, size, places[place], state->name, what);
}

/* The states in which a function is called: without vectors, there is but one. */
static const struct state *end_of_states(void)
{
    return states + (has_vectors() ? sizeof states / sizeof *states : 1);
}

void capvec_check_call(const struct capvec_item *item, size_t size)
{
    for (enum place place = AT_END; place < PLACES; place++)
        check_call(item, size, place, states);
    for (const struct state *state = states + 1; state < end_of_states(); state++)
        check_call(item, size, AT_END, state);
}

/* The state for the next answer. */
static const struct state *entered;

static void check_answer(const struct capvec_item *item, size_t size)
{
    printf("capvec-answer\t%s\t%s\n", item->title, entered->name);
    if (has_vectors())
        capvec_set_vectors(entered->avl, entered->vtype);
    capvec_answer(item, size);
}

/* Each in a process of its own: an answer may change what it is computed from. */
void capvec_check_answers(const struct capvec_item *item)
{
    for (entered = states; entered < end_of_states(); entered++)
        capvec_apart(check_answer, item, 0);
}

/* Calls every measured function as `capvec check` does: with known registers, with buffers next to memory that cannot be accessed, at several
 * alignments, in several states of the vector unit. */
#define _GNU_SOURCE
#include "capvec_own.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

enum { SAVED = 12, AFTER = 28 };

uint64_t capvec_call(void (*run)(size_t), size_t size, uint64_t after[AFTER], int has_vectors, size_t avl,
                     uint64_t vtype);

void capvec_set_vectors(size_t avl, uint64_t vtype);

/* Buffers are shifted by less than this many bytes, unless their alignment is larger. */
enum { FURTHEST = 16 };

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

static const char *name_of(struct place place)
{
    static char name[32];
    if (place.shift == 0)
        return place.at == FREE ? "" : place.at == AT_END ? "at the end" : "at the start";
    snprintf(name, sizeof name, "%zu byte%s off", place.shift, place.shift == 1 ? "" : "s");
    return name;
}

/* Goes from one place of guarded buffers to the next, to every address modulo 16 that a buffer of this alignment can have; false after the last.
 * Without a buffer, there is but one place. */
static int next_place(struct place *place, size_t alignment)
{
    if (alignment == 0)
        return 0;
    if (place->at == AT_END) {
        place->at = AT_START;
        return 1;
    }
    place->shift += alignment;
    return place->shift == alignment || place->shift < FURTHEST;
}

/* The states in which a function is called: without vectors, there is but one. */
static const struct state *end_of_states(void)
{
    return states + (has_vectors() ? sizeof states / sizeof *states : 1);
}

static void check_call(const struct capvec_item *item, size_t size, struct place place, const struct state *state)
{
    const char *what;
    capvec_prepare(size, place);
    capvec_line("capvec-call\t%s\t%zu\t%s\t%s\n", item->title, size, name_of(place), state->name);
    what = call_keeps(item->run, size, state);
    if (!what && capvec_written_beyond())
        what = "writes beyond a buffer";
    if (what)
        capvec_fault(item, size, name_of(place), state->name, what);
}

void capvec_check_call(const struct capvec_item *item, size_t size)
{
    const struct place at_end = { AT_END, 0 };
    struct place place = at_end;
    do
        check_call(item, size, place, states);
    while (next_place(&place, capvec_least_alignment()));
    for (const struct state *state = states + 1; state < end_of_states(); state++)
        check_call(item, size, at_end, state);
    capvec_line("capvec-checked\t%s\t%zu\n", item->title, size);
}

/* The state and the place of buffers for the next answer. */
static const struct state *entered;
static struct place placed;

/* The least alignment of a buffer that the answer took, which its process tells the one that starts it. */
static size_t *alignment_of_answer;

static void check_answer(const struct capvec_item *item, size_t size)
{
    capvec_prepare(size, placed);
    capvec_line("capvec-answer\t%s\t%s\t%s\n", item->title, name_of(placed), entered->name);
    if (has_vectors())
        capvec_set_vectors(entered->avl, entered->vtype);
    capvec_answer(item, size);
    if (capvec_written_beyond())
        capvec_fault(item, size, name_of(placed), entered->name, "writes beyond a buffer");
    *alignment_of_answer = capvec_least_alignment();
}

/* Each in a process of its own: an answer may change what it is computed from. */
void capvec_check_answers(const struct capvec_item *item)
{
    alignment_of_answer =
        mmap(NULL, sizeof *alignment_of_answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (alignment_of_answer == MAP_FAILED)
        capvec_fail("cannot share memory");
    placed = (struct place){ FREE, 0 };
    for (entered = states; entered < end_of_states(); entered++)
        capvec_apart(check_answer, item, 0);
    entered = states;
    if (*alignment_of_answer == 0)
        return;
    placed.at = AT_END;
    do
        capvec_apart(check_answer, item, 0);
    while (next_place(&placed, *alignment_of_answer));
}

/* Calls every measured function as `capvec check` does: with known registers, with buffers next to memory that cannot be accessed, at several alignments. */
#include "capvec_own.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

enum { SAVED = 12, AFTER = 28 };

uint64_t capvec_call(void (*run)(size_t), size_t size, uint64_t after[AFTER], int has_vectors);

static const char *const places[PLACES] = {
    "", "at the end", "at the start", "1 byte off", "2 bytes off", "4 bytes off"
};

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

const char *capvec_call_keeps(void (*run)(size_t), size_t size)
{
    uint64_t after[AFTER];
    int has_vectors = (getauxval(AT_HWCAP) >> ('v' - 'a') & 1) != 0;
    return broken(after, capvec_call(run, size, after, has_vectors));
}

void capvec_check_call(const struct capvec_item *item, size_t size)
{
    for (enum place place = AT_END; place < PLACES; place++) {
        const char *what;
        printf("capvec-call\t%s\t%zu\t%s\n", item->title, size, places[place]);
        capvec_prepare(size, place);
        what = capvec_call_keeps(item->run, size);
        if (!what && capvec_written_beyond())
            what = "writes beyond a buffer";
        if (what)
            printf("capvec-fault\t%s\t%zu\t%s\t%s\n", item->title, size, places[place], what);
    }
}

/* Buffers of code that is measured or checked. */
#define _GNU_SOURCE
#include "capvec_own.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 64 };

struct mapping {
    uint8_t *start;
    size_t length;
    /* Of the buffer; 0 if it is empty. */
    size_t alignment;
    /* The bytes between the end of a buffer and memory that cannot be accessed. */
    uint8_t *slack;
    size_t slack_length;
};

/* What such bytes hold. */
enum { UNTOUCHED = 0xa5 };

static struct mapping mappings[MOST];
static int used;
static struct place current;

static void fail(const char *why)
{
    fprintf(stderr, "capvec_buffer: %s\n", why);
    exit(70);
}

static size_t round_up(size_t n, size_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

/* Pages for `size` bytes, between two that cannot be accessed. */
static struct mapping pages(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = round_up(size + 8, page);
    struct mapping m = { NULL, inner + 2 * page, 0, NULL, 0 };
    m.start = mmap(NULL, m.length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m.start == MAP_FAILED || mprotect(m.start + page, inner, PROT_READ | PROT_WRITE) != 0)
        fail("out of memory");
    return m;
}

void *capvec_buffer(size_t size, size_t alignment)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), shift;
    if (alignment == 0 || page % alignment != 0)
        fail("the alignment must be a power of two of at most one page");
    if (used == MOST)
        fail("more than 64 buffers");
    shift = round_up(current.shift, alignment);
    struct mapping *m = &mappings[used++];
    *m = pages(size + shift);
    m->alignment = size > 0 ? alignment : 0;
    if (current.at != AT_END)
        return m->start + page + shift;
    uint8_t *end = m->start + m->length - page, *buffer = end - round_up(size, alignment);
    m->slack = buffer + size;
    m->slack_length = (size_t)(end - m->slack);
    memset(m->slack, UNTOUCHED, m->slack_length);
    return buffer;
}

int capvec_buffers(void)
{
    return used;
}

size_t capvec_least_alignment(void)
{
    size_t least = 0;
    for (int n = 0; n < used; n++)
        if (mappings[n].alignment && (least == 0 || mappings[n].alignment < least))
            least = mappings[n].alignment;
    return least;
}

int capvec_written_beyond(void)
{
    for (int n = 0; n < used; n++)
        for (size_t i = 0; i < mappings[n].slack_length; i++)
            if (mappings[n].slack[i] != UNTOUCHED)
                return 1;
    return 0;
}

void capvec_prepare(size_t size, struct place place)
{
    while (used > 0) {
        used--;
        munmap(mappings[used].start, mappings[used].length);
    }
    current = place;
    for (const struct capvec_item *item = capvec_first; item; item = item->next)
        if (item->setup)
            item->setup(size);
}

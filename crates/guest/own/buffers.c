/* Buffers of code that is measured or checked. */
#define _GNU_SOURCE
#include "own.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 64 };

struct mapping {
    uint8_t *start;
    size_t length;
};

static struct mapping mappings[MOST];
static int used;
static enum place current;

static void fail(const char *why)
{
    fprintf(stderr, "capvec_buffer: %s\n", why);
    exit(70);
}

/* Pages for `size` bytes, between two that cannot be accessed. */
static struct mapping pages(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size + 8 + page - 1) / page * page;
    struct mapping m = { NULL, inner + 2 * page };
    m.start = mmap(NULL, m.length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m.start == MAP_FAILED || mprotect(m.start + page, inner, PROT_READ | PROT_WRITE) != 0)
        fail("out of memory");
    return m;
}

void *capvec_buffer(size_t size, size_t alignment)
{
    static const unsigned shifts[PLACES] = { [SHIFTED_1] = 1, [SHIFTED_2] = 2, [SHIFTED_4] = 4 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE), shift = shifts[current];
    if (alignment == 0 || page % alignment != 0)
        fail("the alignment is not a power of two, or more than a page");
    if (used == MOST)
        fail("more than 64 buffers");
    mappings[used] = pages(size);
    struct mapping m = mappings[used++];
    if (current == AT_END)
        return m.start + m.length - page - (size + alignment - 1) / alignment * alignment;
    return m.start + page + (shift % alignment == 0 ? shift : 0);
}

void capvec_prepare(size_t size, enum place place)
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

/* Measures the number of blocks from which vector lanes are faster than one block after the other. */
#include "internal.h"

#define ROOM 4096

/* Processes `blocks` blocks of zeros with these kernels. */
static void run(const struct cv_chacha_ops *ops, enum cv_long what, uint8_t *text, size_t blocks)
{
    static const uint32_t state[16];
    static const uint64_t r[2] = { 4, 4 };
    uint64_t h[3] = { 0, 0, 0 };
    if (what == CV_CHACHA20)
        ops->chacha20(text, text, blocks, state);
    else
        ops->poly1305(h, r, text, blocks);
}

/* The fastest of several runs. */
static uint64_t cost(const struct cv_chacha_ops *ops, enum cv_long what, uint8_t *text, size_t blocks,
                     uint64_t (*clock)(void))
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        uint64_t begin = clock(), took;
        run(ops, what, text, blocks);
        took = clock() - begin;
        best = took < best ? took : best;
    }
    return best;
}

/* `counts` ends with 0. */
static void tune(enum cv_long what, const size_t *counts, uint64_t (*clock)(void))
{
    const struct cv_kernels *kernels = cv_kernels_in_use();
    uint8_t text[ROOM] __attribute__((aligned(16)));
    size_t from = SIZE_MAX;
    memset(text, 0, sizeof text);
    for (; *counts && from == SIZE_MAX; counts++)
        if (cost(&kernels->chacha, what, text, *counts, clock)
            <= cost(&kernels->chacha_short, what, text, *counts, clock))
            from = *counts;
    cv_set_long_from(what, from);
}

void cv_tune(uint64_t (*clock)(void))
{
    /* Up to ROOM bytes. */
    static const size_t chacha20[] = { 1, 2, 3, 4, 6, 8, 16, 64, 0 }, poly1305[] = { 32, 64, 96, 128, 192, 256, 0 };
    const struct cv_kernels *kernels = cv_kernels_in_use();
    if (kernels->chacha.chacha20 != kernels->chacha_short.chacha20)
        tune(CV_CHACHA20, chacha20, clock);
    if (kernels->chacha.poly1305 != kernels->chacha_short.poly1305)
        tune(CV_POLY1305, poly1305, clock);
    cv_hash_many_tune(clock);
}

/* SM3 (GB/T 32905-2016; ISO/IEC 10118-3:2018). */
#include "hash.h"

/* 4.1 */
static const uint32_t initial[8] CV_INITIAL = {
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
};

/* 4.4: the permutations. */
#define P0 p0
#define P1 p1

static inline uint32_t p0(uint32_t x)
{
    return x ^ (x << 9 | x >> 23) ^ (x << 17 | x >> 15);
}

static inline uint32_t p1(uint32_t x)
{
    return x ^ (x << 15 | x >> 17) ^ (x << 23 | x >> 9);
}

#include "sm3_rounds.h"

void cv_portable_sm3(uint32_t state[8], const uint8_t *data, size_t blocks)
{
    rounds_of_blocks(state, data, blocks);
}

static void compress(cv_hash *h, const uint8_t *data, size_t blocks)
{
    cv_hash_kernels()->sm3(h->state.w32, data, blocks);
}

const cv_hash_kind cv_sm3 = { .size = 32,
                              .block = 64,
                              .words = 8,
                              .initial = (const cv_pair *)initial,
                              .compress = compress,
                              .finish = cv_finish_be32 };

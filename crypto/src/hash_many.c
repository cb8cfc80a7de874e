/* Hashes of many messages of one length: those over Keccak at once, a state in each lane of a vector. */
#include "hash.h"

/* Messages at a time: as many as a register of 2048 bits has words. */
#define BATCH 32
#define RATE 168

void cv_generic_keccak_many(uint64_t *states, size_t stride, const uint8_t *const *data, size_t blocks, size_t lanes,
                            size_t count)
{
    uint64_t state[25];
    for (size_t j = 0; j < count; j++) {
        for (size_t i = 0; i < 25; i++)
            state[i] = states[i * stride / 8 + j];
        cv_hash_kernels()->keccak(state, data[j], blocks, lanes);
        for (size_t i = 0; i < 25; i++)
            states[i * stride / 8 + j] = state[i];
    }
    cv_wipe(state, sizeof state);
}

struct batch {
    uint64_t state[25][BATCH];
    uint8_t last[BATCH][RATE];
    const uint8_t *from[BATCH];
    size_t count;
};

static void absorb(struct batch *b, size_t blocks, size_t lanes)
{
    cv_hash_kernels()->keccak_many(b->state[0], sizeof b->state[0], b->from, blocks, lanes, b->count);
}

/* Bytes `at` ... of state j. */
static void extract(const struct batch *b, size_t j, uint8_t *out, size_t at, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)(b->state[(at + i) / 8][j] >> 8 * ((at + i) % 8));
}

static void keccak(struct batch *b, const cv_hash_kind *kind, uint8_t *const *digests, size_t size,
                   const uint8_t *const *messages, size_t len)
{
    size_t rate = kind->block, blocks = len / rate, rest = len % rate, done = 0;
    memset(b->state, 0, sizeof b->state);
    for (size_t j = 0; j < b->count; j++) {
        b->from[j] = messages[j];
        memset(b->last[j], 0, rate);
        if (rest)
            memcpy(b->last[j], messages[j] + len - rest, rest);
        b->last[j][rest] = kind->pad;
        b->last[j][rate - 1] |= 0x80;
    }
    if (blocks)
        absorb(b, blocks, rate / 8);
    for (size_t j = 0; j < b->count; j++)
        b->from[j] = b->last[j];
    absorb(b, 1, rate / 8);
    while (done < size) {
        size_t n = size - done < rate ? size - done : rate;
        if (done)
            absorb(b, 1, 0);
        for (size_t j = 0; j < b->count; j++)
            extract(b, j, digests[j] + done, 0, n);
        done += n;
    }
}

void cv_hash_many(const cv_hash_kind *kind, uint8_t *const *digests, size_t size, const uint8_t *const *messages,
                  size_t len, size_t count)
{
    struct batch b;
    /* One state is faster by the kernel for one. */
    if (kind->initial || (count == 1 && kind->size)) {
        for (size_t j = 0; j < count; j++)
            cv_hash_message(kind, digests[j], messages[j], len);
        return;
    }
    while (count) {
        b.count = count < BATCH ? count : BATCH;
        keccak(&b, kind, digests, kind->size ? kind->size : size, messages, len);
        digests += b.count, messages += b.count, count -= b.count;
    }
    cv_wipe(&b, sizeof b);
}

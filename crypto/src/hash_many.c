/* Hashes of many messages of equal length: those based on Keccak in parallel, a state in each lane of a vector. */
#include "hash.h"

/* Number of messages at a time: as many as a register of 2048 bits has words, or fewer with a small stack. */
#ifdef CV_SMALL_STACK
# define BATCH 4
#else
# define BATCH 32
#endif
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

void cv_portable_keccak_extract(const uint64_t *states, size_t stride, uint8_t *const *out, size_t lanes, size_t count)
{
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < lanes; i++)
            cv_store_le64(out[j] + 8 * i, states[i * stride / 8 + j]);
}

/* States are interleaved: row i of `count` words has word i of each state. */
struct batch {
    uint64_t state[25 * BATCH];
    uint8_t last[BATCH * RATE];
    const uint8_t *from[BATCH];
    size_t count;
    void (*absorb)(uint64_t *states, size_t stride, const uint8_t *const *data, size_t blocks, size_t lanes,
                   size_t count);
};

static void absorb(struct batch *b, size_t blocks, size_t lanes)
{
    b->absorb(b->state, b->count * 8, b->from, blocks, lanes, b->count);
}

/* Writes the first `len` bytes of each state to its digest, after the `done` bytes that are already there. */
static void extract(const struct batch *b, uint8_t *const *digests, size_t done, size_t len)
{
    uint8_t *to[BATCH];
    size_t lanes = len / 8;
    for (size_t j = 0; j < b->count; j++) {
        uint64_t lane = b->state[lanes * b->count + j];
        to[j] = digests[j] + done;
        for (size_t i = 8 * lanes; i < len; i++, lane >>= 8)
            to[j][i] = (uint8_t)lane;
    }
    if (lanes)
        cv_hash_kernels()->keccak_extract(b->state, b->count * 8, to, lanes, b->count);
}

static void keccak(struct batch *b, const cv_hash_kind *kind, uint8_t *const *digests, size_t size,
                   const uint8_t *const *messages, size_t len)
{
    size_t rate = kind->block, blocks = len / rate, rest = len % rate, done = 0;
    memset(b->state, 0, 200 * b->count);
    memset(b->last, 0, rate * b->count);
    for (size_t j = 0; j < b->count; j++) {
        uint8_t *last = b->last + rate * j;
        b->from[j] = messages[j];
        if (rest)
            memcpy(last, messages[j] + len - rest, rest);
        last[rest] = kind->pad;
        last[rate - 1] |= 0x80;
    }
    if (blocks)
        absorb(b, blocks, rate / 8);
    for (size_t j = 0; j < b->count; j++)
        b->from[j] = b->last + rate * j;
    absorb(b, 1, rate / 8);
    while (done < size) {
        size_t n = size - done < rate ? size - done : rate;
        if (done)
            absorb(b, 1, 0);
        extract(b, digests, done, n);
        done += n;
    }
    cv_wipe(b->state, 200 * b->count);
    cv_wipe(b->last, rate * b->count);
}

size_t cv_hash_many_taken(size_t count)
{
    return cv_native_many(cv_kernels_in_use()->token, count < BATCH ? count : BATCH, cv_many_threshold());
}

void cv_hash_many(const cv_hash_kind *kind, uint8_t *const *digests, size_t size, const uint8_t *const *messages,
                  size_t len, size_t count)
{
    const struct cv_kernels *kernels = cv_kernels_in_use();
    struct batch b;
    for (; count; digests += b.count, messages += b.count, count -= b.count) {
        size_t most = count < BATCH ? count : BATCH, taken = kind->initial ? 0 : cv_hash_many_taken(count);
        b.count = taken ? taken : most;
        if (taken == 0 && kind->size) {
            for (size_t j = 0; j < most; j++)
                cv_hash_message(kind, digests[j], messages[j], len);
            continue;
        }
        b.absorb = taken ? kernels->hash.keccak_many : cv_generic_keccak_many;
        keccak(&b, kind, digests, kind->size ? kind->size : size, messages, len);
    }
}

/* The fastest of several runs with zero states. */
static uint64_t cost(struct batch *b, uint64_t (*clock)(void))
{
    uint64_t best = UINT64_MAX;
    for (int run = 0; run < 3; run++) {
        uint64_t begin = clock(), took;
        absorb(b, 4, 0);
        took = clock() - begin;
        best = took < best ? took : best;
    }
    return best;
}

void cv_hash_many_tune(uint64_t (*clock)(void))
{
    const struct cv_kernels *kernels = cv_kernels_in_use();
    size_t least = SIZE_MAX;
    struct batch b;
    /* A build without SHA-3. */
    if (kernels->hash.keccak_many == NULL)
        return;
    memset(b.state, 0, sizeof b.state);
    for (size_t j = 0; j < BATCH; j++)
        b.from[j] = b.last;
    for (b.count = 1; b.count <= BATCH && least == SIZE_MAX && cv_native_many(kernels->token, b.count, b.count);
         b.count *= 2) {
        b.absorb = kernels->hash.keccak_many;
        uint64_t at_once = cost(&b, clock);
        b.absorb = cv_generic_keccak_many;
        if (at_once <= cost(&b, clock))
            least = b.count;
    }
    cv_hash_many_threshold(least);
}

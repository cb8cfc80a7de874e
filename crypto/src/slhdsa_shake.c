/* SLH-DSA with SHAKE256 (FIPS 205, 11.1). */
#include "hash.h"
#include "slhdsa.h"

#define RATE 136

static void begin(struct cv_slhdsa *s)
{
    (void)s;
}

static void absorb(struct cv_slhdsa *s)
{
    cv_hash_kernels()->keccak(s->state, s->block, 1, RATE / 8);
}

static void hash(struct cv_slhdsa *s, uint8_t *out, const uint8_t *in, size_t len, int wide)
{
    size_t n = s->kind->n, at = n + 32;
    (void)wide;
    memset(s->state, 0, sizeof s->state);
    cv_copy(s->block, s->seed, n);
    cv_copy(s->block + n, s->address, 32);
    for (; len; len -= 8, in += 8, at += 8) {
        if (at == RATE) {
            absorb(s);
            at = 0;
        }
        cv_copy(s->block + at, in, 8);
    }
    if (at == RATE) {
        absorb(s);
        at = 0;
    }
    cv_zero_words(s->block, at, RATE);
    s->block[at] = 0x1f;
    s->block[RATE - 1] |= 0x80;
    absorb(s);
    for (size_t i = 0; i < n; i += 8)
        cv_store_le64(out + i, s->state[i / 8]);
}

#ifdef CV_SMALL_STACK
# define HASH_MANY NULL
#else
# define HASH_MANY hash_many

/* The padded block of each message becomes a state; lane i of all states is in consecutive words. */
static void hash_many(struct cv_slhdsa *s, uint8_t *const *out, const uint8_t *const *in, size_t len,
                      const uint32_t (*places)[2], size_t count)
{
    size_t words = s->kind->n / 8u;
    for (size_t j = 0; j < count; j++) {
        uint64_t *to = s->states + j;
        cv_slhdsa_place(s, places[j][0], places[j][1]);
        for (size_t i = 0; i < words; i++, to += count)
            *to = cv_load_le64(s->seed + 8 * i);
        for (size_t i = 0; i < 4; i++, to += count)
            *to = cv_load_le64(s->address + 8 * i);
        for (size_t i = 0; i < len; i += 8, to += count)
            *to = cv_load_le64(in[j] + i);
        *to = 0x1f;
        for (size_t i = words + 5 + len / 8; i < 25; i++)
            *(to += count) = 0;
        s->states[(RATE / 8 - 1) * count + j] |= UINT64_C(1) << 63;
    }
    /* No lane is absorbed, so the inputs are not read. */
    cv_hash_kernels()->keccak_many(s->states, 8 * count, in, 1, 0, count);
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < words; i++)
            cv_store_le64(out[j] + 8 * i, s->states[i * count + j]);
}
#endif

static void message(cv_hash *h, const struct cv_slhdsa_message *m)
{
    cv_hash_update(h, m->prefix, m->prefix_len);
    cv_hash_update(h, m->text, m->len);
}

static void randomize(const cv_slhdsa_kind *kind, uint8_t *out, const uint8_t *key, const uint8_t *random,
                      const struct cv_slhdsa_message *m)
{
    cv_hash h;
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, key, kind->n);
    cv_hash_update(&h, random, kind->n);
    message(&h, m);
    cv_xof_squeeze(&h, out, kind->n);
    cv_wipe(&h, sizeof h);
}

static void digest(const cv_slhdsa_kind *kind, uint8_t *out, const uint8_t *r, const uint8_t *public_key,
                   const struct cv_slhdsa_message *m)
{
    cv_hash h;
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, r, kind->n);
    cv_hash_update(&h, public_key, 2u * kind->n);
    message(&h, m);
    cv_xof_squeeze(&h, out, kind->m);
}

#define SHAKE(n, h, d, a, k, m) { n, h, d, a, k, m, begin, hash, HASH_MANY, randomize, digest }

#ifndef CV_NO_SLHDSA_SHAKE_128S
const cv_slhdsa_kind cv_slhdsa_shake_128s = SHAKE(16, 63, 7, 12, 14, 30);
#endif
#ifndef CV_NO_SLHDSA_SHAKE_128F
const cv_slhdsa_kind cv_slhdsa_shake_128f = SHAKE(16, 66, 22, 6, 33, 34);
#endif
#ifndef CV_NO_SLHDSA_SHAKE_192S
const cv_slhdsa_kind cv_slhdsa_shake_192s = SHAKE(24, 63, 7, 14, 17, 39);
#endif
#ifndef CV_NO_SLHDSA_SHAKE_192F
const cv_slhdsa_kind cv_slhdsa_shake_192f = SHAKE(24, 66, 22, 8, 33, 42);
#endif
#ifndef CV_NO_SLHDSA_SHAKE_256S
const cv_slhdsa_kind cv_slhdsa_shake_256s = SHAKE(32, 64, 8, 14, 22, 47);
#endif
#ifndef CV_NO_SLHDSA_SHAKE_256F
const cv_slhdsa_kind cv_slhdsa_shake_256f = SHAKE(32, 68, 17, 9, 35, 49);
#endif

/* SLH-DSA with SHA-2 (FIPS 205, 11.2): SHA-256 everywhere for n = 16; for larger n, SHA-512 for H, T and messages. */
#include "hash.h"
#include "slhdsa.h"

/* Bytes of a compressed address. */
#define ADDRESS 22

/* The states after the first block, PK.seed and zeros, are those with which every hash begins. */
static void begin(struct cv_slhdsa *s)
{
    const struct cv_hash_ops *ops = cv_hash_kernels();
    cv_zero_words(s->block, 0, 128);
    cv_copy(s->block, s->seed, s->kind->n);
    memcpy(s->after_seed_256, cv_sha256.initial, sizeof s->after_seed_256);
    memcpy(s->after_seed_512, cv_sha512.initial, sizeof s->after_seed_512);
    ops->sha256((uint32_t *)(void *)s->after_seed_256, s->block, 1);
    ops->sha512(s->after_seed_512, s->block, 1);
}

static void compress(struct cv_slhdsa *s, size_t block)
{
    if (block == 64)
        cv_hash_kernels()->sha256((uint32_t *)(void *)s->state, s->block, 1);
    else
        cv_hash_kernels()->sha512(s->state, s->block, 1);
}

/* Layer, tree, type, and the last three words. */
static void compress_address(uint8_t *out, const uint8_t address[32])
{
    out[0] = address[3];
    cv_copy(out + 1, address + 8, 8);
    out[9] = address[19];
    cv_copy(out + 10, address + 20, 12);
}

static void hash(struct cv_slhdsa *s, uint8_t *out, const uint8_t *in, size_t len, int wide)
{
    size_t n = s->kind->n, block = wide && n > 16 ? 128 : 64, at = ADDRESS;
    uint64_t bits = (block + ADDRESS + len) * 8;
    memcpy(s->state, block == 64 ? s->after_seed_256 : s->after_seed_512, block / 2);
    compress_address(s->block, s->address);
    while (len) {
        size_t part = block - at < len ? block - at : len;
        cv_copy(s->block + at, in, part);
        at += part, in += part, len -= part;
        if (at == block) {
            compress(s, block);
            at = 0;
        }
    }
    s->block[at++] = 0x80;
    if (at > block - block / 8) {
        memset(s->block + at, 0, block - at);
        compress(s, block);
        at = 0;
    }
    memset(s->block + at, 0, block - 8 - at);
    cv_store_be64(s->block + block - 8, bits);
    compress(s, block);
    for (size_t i = 0; i < n / 4; i++) {
        uint64_t word = s->state[i / 2];
        if (block == 64)
            cv_store_be32(out + 4 * i, ((const uint32_t *)(const void *)s->state)[i]);
        else
            cv_store_be32(out + 4 * i, (uint32_t)(i % 2 ? word : word >> 32));
    }
}

static const cv_hash_kind *of_messages(const cv_slhdsa_kind *kind)
{
    return kind->n == 16 ? &cv_sha256 : &cv_sha512;
}

static void randomize(const cv_slhdsa_kind *kind, uint8_t *out, const uint8_t *key, const uint8_t *random,
                      const struct cv_slhdsa_message *m)
{
    uint8_t code[64];
    cv_hmac h;
    cv_hmac_init(&h, of_messages(kind), key, kind->n);
    cv_hmac_update(&h, random, kind->n);
    cv_hmac_update(&h, m->prefix, m->prefix_len);
    cv_hmac_update(&h, m->text, m->len);
    cv_hmac_final(&h, code);
    memcpy(out, code, kind->n);
    cv_wipe(&h, sizeof h);
    cv_wipe(code, sizeof code);
}

/* MGF1 (RFC 8017, B.2.1) of R, PK.seed and the hash of both with PK.root and the message: at most two blocks. */
static void digest(const cv_slhdsa_kind *kind, uint8_t *out, const uint8_t *r, const uint8_t *public_key,
                   const struct cv_slhdsa_message *m)
{
    const cv_hash_kind *with = of_messages(kind);
    uint8_t first[64], part[64];
    cv_hash h;
    cv_hash_init(&h, with);
    cv_hash_update(&h, r, kind->n);
    cv_hash_update(&h, public_key, 2u * kind->n);
    cv_hash_update(&h, m->prefix, m->prefix_len);
    cv_hash_update(&h, m->text, m->len);
    cv_hash_final(&h, first);
    for (uint8_t counter = 0, done = 0; done < kind->m; counter++, done = (uint8_t)(done + with->size)) {
        const uint8_t number[4] = { 0, 0, 0, counter };
        cv_hash_init(&h, with);
        cv_hash_update(&h, r, kind->n);
        cv_hash_update(&h, public_key, kind->n);
        cv_hash_update(&h, first, with->size);
        cv_hash_update(&h, number, sizeof number);
        cv_hash_final(&h, part);
        memcpy(out + done, part, kind->m - done < with->size ? (size_t)(kind->m - done) : with->size);
    }
}

#define SHA2(n, h, d, a, k, m) { n, h, d, a, k, m, begin, hash, NULL, randomize, digest }

#ifndef CV_NO_SLHDSA_SHA2_128S
const cv_slhdsa_kind cv_slhdsa_sha2_128s = SHA2(16, 63, 7, 12, 14, 30);
#endif
#ifndef CV_NO_SLHDSA_SHA2_128F
const cv_slhdsa_kind cv_slhdsa_sha2_128f = SHA2(16, 66, 22, 6, 33, 34);
#endif
#ifndef CV_NO_SLHDSA_SHA2_192S
const cv_slhdsa_kind cv_slhdsa_sha2_192s = SHA2(24, 63, 7, 14, 17, 39);
#endif
#ifndef CV_NO_SLHDSA_SHA2_192F
const cv_slhdsa_kind cv_slhdsa_sha2_192f = SHA2(24, 66, 22, 8, 33, 42);
#endif
#ifndef CV_NO_SLHDSA_SHA2_256S
const cv_slhdsa_kind cv_slhdsa_sha2_256s = SHA2(32, 64, 8, 14, 22, 47);
#endif
#ifndef CV_NO_SLHDSA_SHA2_256F
const cv_slhdsa_kind cv_slhdsa_sha2_256f = SHA2(32, 68, 17, 9, 35, 49);
#endif

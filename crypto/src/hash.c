/* Hashes of messages in pieces. */
#include "hash.h"

const struct cv_hash_ops cv_portable_hash = {
#ifndef CV_NO_SHA1
    .sha1 = cv_portable_sha1,
#endif
#ifndef CV_NO_SHA2
    .sha256 = cv_portable_sha256,
    .sha512 = cv_portable_sha512,
#endif
#ifndef CV_NO_SM3
    .sm3 = cv_portable_sm3,
#endif
#ifndef CV_NO_SHA3
    .keccak = cv_portable_keccak,
    .keccak_squeeze = cv_generic_keccak_squeeze,
    .keccak_many = cv_generic_keccak_many,
    .keccak_extract = cv_portable_keccak_extract,
#endif
};

void cv_hash_init(cv_hash *h, const cv_hash_kind *kind)
{
    h->kind = kind;
    h->length = 0;
    h->held = 0;
    h->pad = kind->pad;
    h->squeezes = 0;
    if (kind->initial)
        for (size_t i = 0; i < kind->words / 2u; i++)
            h->state.w64[i] = kind->initial[i];
    else
        memset(&h->state, 0, sizeof h->state);
}

/* Stores bytes that wait for the rest of their block. */
static void hold(cv_hash *h, const uint8_t *data, size_t len)
{
    cv_copy_any(h->block + h->held, data, len);
    h->held += (uint32_t)len;
}

void cv_hash_update(cv_hash *h, const uint8_t *data, size_t len)
{
    const cv_hash_kind *kind = h->kind;
    size_t block, blocks;
    if (len == 0 || cv_has_ended(kind))
        return;
    block = kind->block;
    h->length += len;
    if (h->held) {
        size_t n = block - h->held < len ? block - h->held : len;
        hold(h, data, n);
        data += n, len -= n;
        if (h->held < block)
            return;
        kind->compress(h, h->block, 1);
        h->held = 0;
    }
    blocks = len / block;
    if (blocks)
        kind->compress(h, data, blocks);
    data += blocks * block, len -= blocks * block;
    if (len)
        hold(h, data, len);
}

void cv_hash_final(cv_hash *h, uint8_t *digest)
{
    /* A context whose extendable output has begun has no kind either: it gets no digest and is only wiped. */
    if (!cv_has_ended(h->kind))
        h->kind->finish(h, digest);
    else if (!h->squeezes)
        return;
    cv_wipe(h, sizeof *h);
}

void cv_hash_message(const cv_hash_kind *kind, uint8_t *digest, const uint8_t *data, size_t len)
{
    cv_hash h;
    cv_hash_init(&h, kind);
    cv_hash_update(&h, data, len);
    cv_hash_final(&h, digest);
}

size_t cv_hash_size(const cv_hash_kind *kind)
{
    return kind->size;
}

size_t cv_hash_block(const cv_hash_kind *kind)
{
    return kind->block;
}

/* Appends a 1 bit, zeros, and the length, which takes an eighth of a block. */
static void pad(cv_hash *h)
{
    size_t block = h->kind->block, room = block - block / 8, at = h->held & ~(size_t)7;
    uint64_t bits = 8 * (h->held & 7), kept = (UINT64_C(1) << bits) - 1;
    uint8_t *data = __builtin_assume_aligned(h->block, 8);
    cv_store_le64(data + at, (cv_load_le64(data + at) & kept) | UINT64_C(0x80) << bits);
    at += 8;
    if (at > room) {
        cv_zero_words(data, at, block);
        h->kind->compress(h, data, 1);
        at = 0;
    }
    cv_zero_words(data, at, block - 8);
    cv_store_be64(data + block - 8, h->length << 3);
    data[block - 9] |= (uint8_t)(block == 128 ? h->length >> 61 : 0);
    h->kind->compress(h, data, 1);
}

void cv_finish_be32(cv_hash *h, uint8_t *digest)
{
    pad(h);
    for (size_t i = 0; i < h->kind->size; i += 4)
        cv_store_be32(digest + i, h->state.w32[i / 4]);
}

/* SHA-512/224 ends with half a word. */
void cv_finish_be64(cv_hash *h, uint8_t *digest)
{
    size_t size = h->kind->size, whole = size / 8;
    pad(h);
    for (size_t i = 0; i < whole; i++)
        cv_store_be64(digest + 8 * i, h->state.w64[i]);
    if (size % 8)
        cv_store_be32(digest + 8 * whole, (uint32_t)(h->state.w64[whole] >> 32));
}

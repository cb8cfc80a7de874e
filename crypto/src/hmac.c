/* HMAC (FIPS 198-1; RFC 2104). */
#include "hash.h"

/* A hash that has absorbed the key's block, XORed with `byte`. */
static void keyed(cv_hash *h, const cv_hash_kind *kind, const uint8_t *key, uint8_t byte)
{
    uint8_t block[sizeof h->block];
    for (size_t i = 0; i < kind->block; i++)
        block[i] = key[i] ^ byte;
    cv_hash_init(h, kind);
    cv_hash_update(h, block, kind->block);
    cv_wipe(block, sizeof block);
}

int cv_hmac_init(cv_hmac *m, const cv_hash_kind *kind, const uint8_t *key, size_t len)
{
    uint8_t block[sizeof m->inner.block] = { 0 };
    if (kind->size == 0)
        return CV_ERR_LENGTH;
    if (len > kind->block)
        cv_hash_message(kind, block, key, len);
    else if (len)
        memcpy(block, key, len);
    keyed(&m->inner, kind, block, 0x36);
    keyed(&m->outer, kind, block, 0x5c);
    cv_wipe(block, sizeof block);
    cv_hmac_restart(m);
    return CV_OK;
}

void cv_hmac_restart(cv_hmac *m)
{
    m->running = m->inner;
}

void cv_hmac_update(cv_hmac *m, const uint8_t *data, size_t len)
{
    cv_hash_update(&m->running, data, len);
}

void cv_hmac_final(cv_hmac *m, uint8_t *code)
{
    uint8_t digest[64];
    size_t size;
    if (cv_has_ended(m->running.kind))
        return;
    size = m->inner.kind->size;
    cv_hash_final(&m->running, digest);
    m->running = m->outer;
    cv_hash_update(&m->running, digest, size);
    cv_hash_final(&m->running, code);
    cv_wipe(digest, sizeof digest);
}

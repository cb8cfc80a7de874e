/* What comes before a message, or before its digest, in ML-DSA and SLH-DSA. */
#include "prehash.h"
#include "hash.h"

/* The last number of the hash's object identifier, 2.16.840.1.101.3.4.2.N; 0 if it has none. */
static uint8_t identifier(const cv_hash_kind *hash)
{
    static const struct {
        const cv_hash_kind *kind;
        uint8_t number;
    } hashes[] = {
#ifndef CV_NO_SHA2
        { &cv_sha256, 1 },    { &cv_sha384, 2 },     { &cv_sha512, 3 },
        { &cv_sha224, 4 },    { &cv_sha512_224, 5 }, { &cv_sha512_256, 6 },
#endif
#ifndef CV_NO_SHA3
        { &cv_sha3_224, 7 },  { &cv_sha3_256, 8 },   { &cv_sha3_384, 9 },
        { &cv_sha3_512, 10 }, { &cv_shake128, 11 },  { &cv_shake256, 12 },
#endif
        { NULL, 0 },
    };
    for (size_t i = 0; hashes[i].kind; i++)
        if (hashes[i].kind == hash)
            return hashes[i].number;
    return 0;
}

/* Bytes of a digest: for SHAKE, twice its security strength. */
static size_t digest_size(const cv_hash_kind *hash)
{
    size_t capacity = 200 - (size_t)hash->block;
    return hash->size ? hash->size : capacity;
}

int cv_prefix(uint8_t out[CV_PREFIX], size_t *used, const uint8_t *context, size_t context_len,
              const cv_hash_kind *hash, size_t len)
{
    static const uint8_t oid[10] = { 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02 };
    if (context_len > 255)
        return CV_ERR_LENGTH;
    out[0] = hash != NULL;
    out[1] = (uint8_t)context_len;
    if (context_len)
        memcpy(out + 2, context, context_len);
    *used = 2 + context_len;
    if (!hash)
        return CV_OK;
    memcpy(out + *used, oid, sizeof oid);
    out[*used + sizeof oid] = identifier(hash);
    *used += sizeof oid + 1;
    return identifier(hash) && len == digest_size(hash) ? CV_OK : CV_ERR_LENGTH;
}

/* What comes before a message, or before its digest, in ML-DSA and SLH-DSA (FIPS 204, 5.2 and 5.4; FIPS 205, 10.2). */
#ifndef CV_PREHASH_H
#define CV_PREHASH_H

#include "internal.h"

/* 1, the context's length, the context, and the object identifier of the hash. */
#define CV_PREFIX (2 + 255 + 11)

/* Writes what precedes the message to `out` and its length to `used`; `hash` is NULL unless the message is a digest of
 * `len` bytes. Errors: CV_ERR_LENGTH for a context of more than 255 bytes, a hash that may not be used here, or a digest
 * of another length than the hash's. */
int cv_prefix(uint8_t out[CV_PREFIX], size_t *used, const uint8_t *context, size_t context_len,
              const cv_hash_kind *hash, size_t len);

#endif

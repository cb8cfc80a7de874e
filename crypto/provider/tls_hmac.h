/* HMAC of TLS records in CBC. */
#ifndef CV_PROVIDER_TLS_HMAC_H
#define CV_PROVIDER_TLS_HMAC_H

#include "provider.h"

/* What is authenticated before a record's text: its number, type, version and length. */
#define PV_TLS_HEADER 13

/* The code of a header and the first `len` bytes of the record; the rest of its `record_len` bytes are a code and
 * padding. Takes the same steps for every `len` that the padding allows. Returns 0 if the hash is not one of TLS, or
 * the record is too short. */
int pv_tls_hmac(const cv_hmac *hmac, const cv_hash_kind *kind, uint8_t *code, const uint8_t header[PV_TLS_HEADER],
                const uint8_t *data, size_t len, size_t record_len);

#endif

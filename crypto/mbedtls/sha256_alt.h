/* Context of SHA-256 and SHA-224 with libcapvec. */
#ifndef CAPVEC_SHA256_ALT_H
#define CAPVEC_SHA256_ALT_H

#include "capvec.h"

typedef struct mbedtls_sha256_context {
    cv_hash hash;
} mbedtls_sha256_context;

#endif

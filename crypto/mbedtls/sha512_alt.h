/* Context of SHA-512 and SHA-384 with libcapvec. */
#ifndef CAPVEC_SHA512_ALT_H
#define CAPVEC_SHA512_ALT_H

#include "capvec.h"

typedef struct mbedtls_sha512_context {
    cv_hash hash;
} mbedtls_sha512_context;

#endif

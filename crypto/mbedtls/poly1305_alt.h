/* Poly1305 context with libcapvec. */
#ifndef CAPVEC_POLY1305_ALT_H
#define CAPVEC_POLY1305_ALT_H

#include "capvec.h"

typedef struct mbedtls_poly1305_context {
    cv_poly1305 mac;
} mbedtls_poly1305_context;

#endif

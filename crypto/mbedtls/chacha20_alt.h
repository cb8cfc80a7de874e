/* ChaCha20 context with libcapvec: it keeps the key when a message begins. */
#ifndef CAPVEC_CHACHA20_ALT_H
#define CAPVEC_CHACHA20_ALT_H

#include "capvec.h"

typedef struct mbedtls_chacha20_context {
    uint8_t key[32];
    cv_chacha20 cipher;
} mbedtls_chacha20_context;

#endif

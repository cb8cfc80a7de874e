/* AES contexts with libcapvec: one key schedule for both directions. */
#ifndef CAPVEC_AES_ALT_H
#define CAPVEC_AES_ALT_H

#include "capvec.h"

typedef struct mbedtls_aes_context {
    cv_block_key key;
} mbedtls_aes_context;

typedef struct mbedtls_aes_xts_context {
    cv_block_key key, tweak;
} mbedtls_aes_xts_context;

#endif

/* GCM context with libcapvec. */
#ifndef CAPVEC_GCM_ALT_H
#define CAPVEC_GCM_ALT_H

#include "capvec.h"

typedef struct mbedtls_gcm_context {
    cv_block_key key;
    cv_gcm gcm;
    int mode;
} mbedtls_gcm_context;

#endif

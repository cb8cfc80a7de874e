/* CCM context with libcapvec: the settings of the message so far, and both chains. */
#ifndef CAPVEC_CCM_ALT_H
#define CAPVEC_CCM_ALT_H

#include "capvec.h"

typedef struct mbedtls_ccm_context {
    cv_block_key key;
    cv_stream counter;
    uint8_t mac[CV_BLOCK], first[CV_BLOCK]; /* the CBC-MAC; counter block 0 */
    size_t ad_len, text_len, tag_len;
    size_t done; /* processed bytes of associated data, then of text */
    int mode;
    unsigned state;
} mbedtls_ccm_context;

#endif

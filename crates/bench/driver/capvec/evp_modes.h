/* The ciphers that there are, behind the last one without a name. */
#ifndef CAPVEC_EVP_MODES_H
#define CAPVEC_EVP_MODES_H

#include "evp.h"

extern const EVP_CIPHER evp_ciphers[];

#endif

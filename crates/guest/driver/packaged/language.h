/* Tables for libraries of languages, whose companions know a mode of AES by a letter, and a hash by its place in the table. */
#ifndef CAPVEC_LANGUAGE_H
#define CAPVEC_LANGUAGE_H

#include "packaged.h"

#define LANGUAGE_MODE(name, bytes, iv, mode, unit, letter) { name, bytes, iv, EVP_CIPH_##mode, unit, letter }
#define LETTERED_AES(name, bytes) \
    LANGUAGE_MODE(name "-ECB", bytes, 0, ECB_MODE, 16, "e"), LANGUAGE_MODE(name "-CBC", bytes, 16, CBC_MODE, 16, "c"), \
        LANGUAGE_MODE(name "-CTR", bytes, 16, CTR_MODE, 1, "r"), \
        LANGUAGE_MODE(name "-GCM", bytes, 12, GCM_MODE, 1, "g")

#define LANGUAGE_HASHES \
    { "SHA1", 20, 64, NULL }, { "SHA224", 28, 64, NULL }, { "SHA256", 32, 64, NULL }, { "SHA384", 48, 128, NULL }, \
        { "SHA512", 64, 128, NULL }, { "SHA512-224", 28, 128, NULL }, { "SHA512-256", 32, 128, NULL }, \
        { "SHA3-224", 28, 144, NULL }, { "SHA3-256", 32, 136, NULL }, { "SHA3-384", 48, 104, NULL }, \
    { \
        "SHA3-512", 64, 72, NULL \
    }

static inline int hash_place(const EVP_MD *md)
{
    return (int)(md - library_hashes);
}

#endif

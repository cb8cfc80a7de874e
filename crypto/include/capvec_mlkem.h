/* libcapvec: ML-KEM (FIPS 203), a key encapsulation mechanism that a quantum computer is not known to break.
 *
 * The conventions are those of capvec.h. Every secret is wiped from the stack before a function returns. No branch and no
 * address depends on a secret; rejection sampling of the matrix depends on a public seed. The library has no source of
 * random numbers: callers pass seeds and the randomness of encapsulation, each fresh from an approved generator.
 *
 * Stack: less than 10 KiB, with V less than 22 KiB; README.md has the stack of each operation, and a build that takes less. */
#ifndef CAPVEC_MLKEM_H
#define CAPVEC_MLKEM_H

#include "capvec.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(_WIN32) && !defined(CV_HIDDEN)
# pragma GCC visibility push(default)
#endif

/* A parameter set (FIPS 203, table 2). */
typedef struct cv_mlkem_kind cv_mlkem_kind;
extern const cv_mlkem_kind cv_mlkem512, cv_mlkem768, cv_mlkem1024;

/* Bytes of a seed (d, then z), of an encapsulation's randomness, and of the shared secret. */
#define CV_MLKEM_SEED 64
#define CV_MLKEM_RANDOM 32
#define CV_MLKEM_SECRET 32
/* Bytes of keys and ciphertexts (table 3) of the largest parameter set; the functions below return those of each. */
#define CV_MLKEM_MAX_PUBLIC 1568
#define CV_MLKEM_MAX_PRIVATE 3168
#define CV_MLKEM_MAX_CIPHERTEXT 1568

size_t cv_mlkem_public_size(const cv_mlkem_kind *kind);
size_t cv_mlkem_private_size(const cv_mlkem_kind *kind);
size_t cv_mlkem_ciphertext_size(const cv_mlkem_kind *kind);

/* A key in the form that operations use, with its matrix: a key that serves several operations expands its matrix only
 * once. A key that has a private part is wiped with `cv_wipe`. */
typedef struct cv_mlkem_key {
    const cv_mlkem_kind *kind; /* NULL if it is not set up */
    uint32_t parts;            /* which parts it has */
    uint8_t seed[CV_MLKEM_SEED], rho[32], public_hash[32];
    uint16_t t[4][256], s[4][256], matrix[16][256];
} cv_mlkem_key;

/* Generates a key pair from a seed (ML-KEM.KeyGen_internal). */
void cv_mlkem_generate(cv_mlkem_key *key, const cv_mlkem_kind *kind, const uint8_t seed[CV_MLKEM_SEED]);

/* Sets up a key from an encapsulation key. Errors: CV_ERR_LENGTH; CV_ERR_KEY if a coefficient is not reduced (the
 * modulus check of 7.2). After an error the key is not set up. */
int cv_mlkem_import_public(cv_mlkem_key *key, const cv_mlkem_kind *kind, const uint8_t *bytes, size_t len);
/* From a decapsulation key. Errors: CV_ERR_LENGTH; CV_ERR_KEY if the hash of the encapsulation key in it is wrong (the
 * check of 7.3), or if a coefficient of either key is not reduced, which no generated key has. */
int cv_mlkem_import_private(cv_mlkem_key *key, const cv_mlkem_kind *kind, const uint8_t *bytes, size_t len);

/* Write the encapsulation key, the decapsulation key, or the seed. Errors: CV_ERR_KEY, with nothing written, if the key
 * does not have that part: only a generated key has a seed. */
int cv_mlkem_export_public(const cv_mlkem_key *key, uint8_t *bytes);
int cv_mlkem_export_private(const cv_mlkem_key *key, uint8_t *bytes);
int cv_mlkem_export_seed(const cv_mlkem_key *key, uint8_t seed[CV_MLKEM_SEED]);

/* Makes a secret from randomness, and the ciphertext that transports it (ML-KEM.Encaps_internal). Errors: CV_ERR_KEY if
 * the key is not set up. */
int cv_mlkem_encaps(const cv_mlkem_key *key, uint8_t *ciphertext, uint8_t secret[CV_MLKEM_SECRET],
                    const uint8_t random[CV_MLKEM_RANDOM]);

/* Recovers the secret. A ciphertext that was not made with the key gives a secret that only the holder of the key can
 * predict, and no error (implicit rejection). Errors: CV_ERR_LENGTH if the ciphertext's length is wrong (the check of
 * 7.3); CV_ERR_KEY without a private key. */
int cv_mlkem_decaps(const cv_mlkem_key *key, uint8_t secret[CV_MLKEM_SECRET], const uint8_t *ciphertext, size_t len);

#if defined(__GNUC__) && !defined(_WIN32) && !defined(CV_HIDDEN)
# pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif

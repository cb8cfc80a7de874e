/* libcapvec: ML-DSA (FIPS 204), a signature scheme that a quantum computer is not known to break.
 *
 * The conventions are those of capvec.h. Every secret is wiped from the stack before a function returns. No address
 * depends on a secret. Branches depend on secrets only in rejection: the numbers of signing attempts, and of bytes that
 * are rejected when a key is generated, depend on the secret seed, as the standard allows. The library has no source of
 * random numbers: callers pass seeds and the randomness of hedged signatures, each fresh from an approved generator.
 *
 * Stack: signing takes less than 30 KiB, verifying less than 13 KiB, and setting up a key less than 9 KiB. With V, signing
 * takes less than 48 KiB, and setting up a key less than 26 KiB. README.md has a build that takes 16 KiB. */
#ifndef CAPVEC_MLDSA_H
#define CAPVEC_MLDSA_H

#include "capvec.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(_WIN32) && !defined(CV_HIDDEN)
# pragma GCC visibility push(default)
#endif

/* A parameter set (FIPS 204, table 1). */
typedef struct cv_mldsa_kind cv_mldsa_kind;
extern const cv_mldsa_kind cv_mldsa44, cv_mldsa65, cv_mldsa87;

/* Bytes of a seed, of the randomness of a signature, and of a message representative (mu). */
#define CV_MLDSA_SEED 32
#define CV_MLDSA_RANDOM 32
#define CV_MLDSA_MU 64
/* Bytes of keys and signatures (table 2) of the largest parameter set; the functions below return those of each. */
#define CV_MLDSA_MAX_PUBLIC 2592
#define CV_MLDSA_MAX_PRIVATE 4896
#define CV_MLDSA_MAX_SIGNATURE 4627
/* Longest context string. */
#define CV_MLDSA_MAX_CONTEXT 255

size_t cv_mldsa_public_size(const cv_mldsa_kind *kind);
size_t cv_mldsa_private_size(const cv_mldsa_kind *kind);
size_t cv_mldsa_signature_size(const cv_mldsa_kind *kind);

/* A key in the form that operations use, with its matrix. Parameter sets use the beginning of `polys` only:
 * cv_mldsa_key_size returns how many bytes of the context a parameter set needs, and no others are read or written. A
 * key that has a private part is wiped with `cv_wipe`, as far as cv_mldsa_secret_size says. */
typedef struct cv_mldsa_key {
    const cv_mldsa_kind *kind; /* NULL if it is not set up */
    uint32_t parts;            /* which parts it has */
    uint8_t seed[CV_MLDSA_SEED], rho[32], private_seed[32], public_hash[64];
    uint32_t polys[87][256];
} cv_mldsa_key;

/* Bytes of the context, a multiple of its alignment: 33 KiB, 54 KiB and 88 KiB for the three parameter sets. */
size_t cv_mldsa_key_size(const cv_mldsa_kind *kind);
/* Bytes at its beginning to wipe: the others, more than half, are public. */
size_t cv_mldsa_secret_size(const cv_mldsa_kind *kind);

/* Generates a key pair from a seed (ML-DSA.KeyGen_internal). */
void cv_mldsa_generate(cv_mldsa_key *key, const cv_mldsa_kind *kind, const uint8_t seed[CV_MLDSA_SEED]);

/* Sets up a key from an encoded public key. Errors: CV_ERR_LENGTH, after which the key is not set up. */
int cv_mldsa_import_public(cv_mldsa_key *key, const cv_mldsa_kind *kind, const uint8_t *bytes, size_t len);
/* From an encoded private key. Errors: CV_ERR_LENGTH; CV_ERR_KEY if a coefficient is out of range, or if its parts do
 * not belong together, which the standard leaves unchecked. After an error the key is not set up. */
int cv_mldsa_import_private(cv_mldsa_key *key, const cv_mldsa_kind *kind, const uint8_t *bytes, size_t len);

/* Write the encoded public key, the encoded private key, or the seed. Errors: CV_ERR_KEY, with nothing written, if the
 * key does not have that part: only a generated key has a seed. */
int cv_mldsa_export_public(const cv_mldsa_key *key, uint8_t *bytes);
int cv_mldsa_export_private(const cv_mldsa_key *key, uint8_t *bytes);
int cv_mldsa_export_seed(const cv_mldsa_key *key, uint8_t seed[CV_MLDSA_SEED]);

/* Signs a message with a context string of at most 255 bytes (ML-DSA.Sign). `random` makes the signature hedged; NULL
 * makes it deterministic. Errors: CV_ERR_LENGTH for the context string; CV_ERR_KEY without a private key. */
int cv_mldsa_sign(const cv_mldsa_key *key, uint8_t *signature, const uint8_t *message, size_t len,
                  const uint8_t *context, size_t context_len, const uint8_t *random);
/* Verifies one (ML-DSA.Verify). Errors: CV_ERR_SIGNATURE if it is not valid, whatever its length; CV_ERR_LENGTH for the
 * context string; CV_ERR_KEY if the key is not set up. */
int cv_mldsa_verify(const cv_mldsa_key *key, const uint8_t *signature, size_t signature_len, const uint8_t *message,
                    size_t len, const uint8_t *context, size_t context_len);

/* HashML-DSA: the same for the digest of a message, where `hash` is any hash of SHA-2 or SHA-3; SHAKE128 and SHAKE256
 * have digests of 32 and 64 bytes. Errors: also CV_ERR_LENGTH for another hash or length. */
int cv_mldsa_sign_digest(const cv_mldsa_key *key, uint8_t *signature, const cv_hash_kind *hash, const uint8_t *digest,
                         size_t len, const uint8_t *context, size_t context_len, const uint8_t *random);
int cv_mldsa_verify_digest(const cv_mldsa_key *key, const uint8_t *signature, size_t signature_len,
                           const cv_hash_kind *hash, const uint8_t *digest, size_t len, const uint8_t *context,
                           size_t context_len);

/* For messages in pieces, and for those that are hashed elsewhere (external mu): cv_mldsa_mu_init, cv_hash_update with
 * the message, and cv_xof_squeeze with CV_MLDSA_MU bytes give its representative. Errors: as above. */
int cv_mldsa_mu_init(const cv_mldsa_key *key, cv_hash *h, const uint8_t *context, size_t context_len);
int cv_mldsa_sign_mu(const cv_mldsa_key *key, uint8_t *signature, const uint8_t mu[CV_MLDSA_MU], const uint8_t *random);
int cv_mldsa_verify_mu(const cv_mldsa_key *key, const uint8_t *signature, size_t signature_len,
                       const uint8_t mu[CV_MLDSA_MU]);

#if defined(__GNUC__) && !defined(_WIN32) && !defined(CV_HIDDEN)
# pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif

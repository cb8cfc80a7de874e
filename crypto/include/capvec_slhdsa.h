/* libcapvec: SLH-DSA (FIPS 205), signatures whose security rests on a hash alone.
 *
 * The conventions are those of capvec.h. Every secret is wiped from the stack before a function returns. No branch and no
 * address depends on a secret. The library has no source of random numbers: callers pass seeds and the randomness of
 * hedged signatures, each fresh from an approved generator.
 *
 * Keys are short, so operations take them in the standard's encodings, in which every string of the right length is a
 * key. Lengths are given as multiples of n, the security parameter of a set: 16, 24 or 32 bytes.
 *
 * Stack: less than 8 KiB, with V less than 15 KiB; README.md has the stack of each operation, and a build that takes less. */
#ifndef CAPVEC_SLHDSA_H
#define CAPVEC_SLHDSA_H

#include "capvec.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(_WIN32) && !defined(CV_HIDDEN)
# pragma GCC visibility push(default)
#endif

/* A parameter set (FIPS 205, table 2): small or fast signatures. */
typedef struct cv_slhdsa_kind cv_slhdsa_kind;
extern const cv_slhdsa_kind cv_slhdsa_sha2_128s, cv_slhdsa_sha2_128f, cv_slhdsa_sha2_192s, cv_slhdsa_sha2_192f,
    cv_slhdsa_sha2_256s, cv_slhdsa_sha2_256f;
extern const cv_slhdsa_kind cv_slhdsa_shake_128s, cv_slhdsa_shake_128f, cv_slhdsa_shake_192s, cv_slhdsa_shake_192f,
    cv_slhdsa_shake_256s, cv_slhdsa_shake_256f;

/* Bytes of the largest keys and signature; the functions below return those of each set. */
#define CV_SLHDSA_MAX_SEED 96
#define CV_SLHDSA_MAX_PUBLIC 64
#define CV_SLHDSA_MAX_PRIVATE 128
#define CV_SLHDSA_MAX_SIGNATURE 49856

/* 3 n bytes of a seed (SK.seed, SK.prf, PK.seed), n of a signature's randomness, 2 n of a public key, 4 n of a private
 * key. */
size_t cv_slhdsa_seed_size(const cv_slhdsa_kind *kind);
size_t cv_slhdsa_random_size(const cv_slhdsa_kind *kind);
size_t cv_slhdsa_public_size(const cv_slhdsa_kind *kind);
size_t cv_slhdsa_private_size(const cv_slhdsa_kind *kind);
size_t cv_slhdsa_signature_size(const cv_slhdsa_kind *kind);

/* Generates a private key from a seed (slh_keygen_internal). Its second half is the public key. */
void cv_slhdsa_generate(const cv_slhdsa_kind *kind, uint8_t *private_key, const uint8_t *seed);

/* Signs a message with a context string of at most 255 bytes (slh_sign). `random` makes the signature hedged; NULL makes
 * it deterministic. The signature must not overlap the message. Errors: CV_ERR_LENGTH for the key or the context. */
int cv_slhdsa_sign(const cv_slhdsa_kind *kind, const uint8_t *private_key, size_t key_len, uint8_t *signature,
                   const uint8_t *message, size_t len, const uint8_t *context, size_t context_len,
                   const uint8_t *random);
/* Verifies one (slh_verify). Errors: CV_ERR_SIGNATURE if it is not valid, whatever its length; CV_ERR_LENGTH for the key
 * or the context. */
int cv_slhdsa_verify(const cv_slhdsa_kind *kind, const uint8_t *public_key, size_t key_len, const uint8_t *signature,
                     size_t signature_len, const uint8_t *message, size_t len, const uint8_t *context,
                     size_t context_len);

/* The same for the digest of a message (hash_slh_sign, hash_slh_verify), where `hash` is any hash of SHA-2 or SHA-3;
 * SHAKE128 and SHAKE256 have digests of 32 and 64 bytes. Errors: also CV_ERR_LENGTH for another hash or length. */
int cv_slhdsa_sign_digest(const cv_slhdsa_kind *kind, const uint8_t *private_key, size_t key_len, uint8_t *signature,
                          const cv_hash_kind *hash, const uint8_t *digest, size_t len, const uint8_t *context,
                          size_t context_len, const uint8_t *random);
int cv_slhdsa_verify_digest(const cv_slhdsa_kind *kind, const uint8_t *public_key, size_t key_len,
                            const uint8_t *signature, size_t signature_len, const cv_hash_kind *hash,
                            const uint8_t *digest, size_t len, const uint8_t *context, size_t context_len);

#if defined(__GNUC__) && !defined(_WIN32) && !defined(CV_HIDDEN)
# pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif

/* ML-DSA (FIPS 204): messages with context strings, and digests; verification of their signatures. */
#include "mldsa.h"
#include "prehash.h"

static int begin(const cv_mldsa_key *key, cv_hash *h, const uint8_t *context, size_t context_len,
                 const cv_hash_kind *hash, size_t len)
{
    uint8_t prefix[CV_PREFIX];
    size_t used;
    if (!key->kind)
        return CV_ERR_KEY;
    if (cv_prefix(prefix, &used, context, context_len, hash, len))
        return CV_ERR_LENGTH;
    cv_hash_init(h, &cv_shake256);
    cv_hash_update(h, key->public_hash, sizeof key->public_hash);
    cv_hash_update(h, prefix, used);
    return CV_OK;
}

int cv_mldsa_represent(const cv_mldsa_key *key, uint8_t mu[CV_MLDSA_MU], const cv_hash_kind *hash,
                       const uint8_t *message, size_t len, const uint8_t *context, size_t context_len)
{
    cv_hash h;
    int status = begin(key, &h, context, context_len, hash, len);
    if (status)
        return status;
    cv_hash_update(&h, message, len);
    cv_xof_squeeze(&h, mu, CV_MLDSA_MU);
    return CV_OK;
}

int cv_mldsa_mu_init(const cv_mldsa_key *key, cv_hash *h, const uint8_t *context, size_t context_len)
{
    return begin(key, h, context, context_len, NULL, 0);
}

int cv_mldsa_verify(const cv_mldsa_key *key, const uint8_t *signature, size_t signature_len, const uint8_t *message,
                    size_t len, const uint8_t *context, size_t context_len)
{
    uint8_t mu[CV_MLDSA_MU];
    int status = cv_mldsa_represent(key, mu, NULL, message, len, context, context_len);
    return status ? status : cv_mldsa_verify_mu(key, signature, signature_len, mu);
}

int cv_mldsa_verify_digest(const cv_mldsa_key *key, const uint8_t *signature, size_t signature_len,
                           const cv_hash_kind *hash, const uint8_t *digest, size_t len, const uint8_t *context,
                           size_t context_len)
{
    uint8_t mu[CV_MLDSA_MU];
    int status = cv_mldsa_represent(key, mu, hash, digest, len, context, context_len);
    return status ? status : cv_mldsa_verify_mu(key, signature, signature_len, mu);
}

/* ML-KEM: keys. */
#include "mlkem.h"

#ifndef CV_NO_MLKEM512
const cv_mlkem_kind cv_mlkem512 = { 2, 3, 10, 4 };
#endif
#ifndef CV_NO_MLKEM768
const cv_mlkem_kind cv_mlkem768 = { 3, 2, 10, 4 };
#endif
#ifndef CV_NO_MLKEM1024
const cv_mlkem_kind cv_mlkem1024 = { 4, 2, 11, 5 };
#endif

size_t cv_mlkem_public_size(const cv_mlkem_kind *kind)
{
    return (size_t)POLY_BYTES * kind->k + 32;
}

size_t cv_mlkem_private_size(const cv_mlkem_kind *kind)
{
    return (size_t)2 * POLY_BYTES * kind->k + 96;
}

size_t cv_mlkem_ciphertext_size(const cv_mlkem_kind *kind)
{
    return (size_t)32 * (kind->du * kind->k + kind->dv);
}

/* ByteEncode12 of a vector. */
static void pack(uint8_t *out, uint16_t f[][N], unsigned k)
{
    for (unsigned i = 0; i < k; i++)
        cv_mlkem_kernels()->pack(out + POLY_BYTES * i, f[i]);
}

/* Whether all coefficients were reduced. Whether a secret key is malformed is public. */
static int unpack(uint16_t f[][N], const uint8_t *in, unsigned k)
{
    int reduced = 1;
    for (unsigned i = 0; i < k; i++)
        reduced &= cv_mlkem_kernels()->unpack(f[i], in + POLY_BYTES * i);
    CV_PUBLIC(&reduced, sizeof reduced);
    return reduced;
}

static void encode_public(const cv_mlkem_key *key, uint8_t *bytes)
{
    pack(bytes, (uint16_t(*)[N])key->t, key->kind->k);
    memcpy(bytes + (size_t)POLY_BYTES * key->kind->k, key->rho, 32);
}

/* K-PKE.KeyGen (algorithm 13) without its encodings. */
static void generate(cv_mlkem_key *key, const uint8_t sigma[32])
{
    const struct cv_mlkem_ops *ops = cv_mlkem_kernels();
    unsigned k = key->kind->k, eta = key->kind->eta1;
    uint8_t noise[CV_MLKEM_NOISES][CV_MLKEM_NOISE] __attribute__((aligned(8)));
    uint16_t e[N];
    cv_mlkem_noise(noise, sigma, 0, 2 * k, eta);
    cv_mlkem_expand(key->matrix, key->rho, k);
    for (unsigned i = 0; i < k; i++) {
        cv_mlkem_sample(key->s[i], noise[i], eta);
        ops->ntt(key->s[i]);
    }
    for (unsigned i = 0; i < k; i++) {
        uint16_t *t = key->t[i];
        cv_mlkem_sample(e, noise[k + i], eta);
        ops->ntt(e);
        ops->multiply(t, key->matrix[k * i], N, key->s[0], k);
        ops->add_reduced(t, t, e);
    }
    cv_wipe(e, sizeof e);
    cv_wipe(noise, sizeof noise);
}

/* The hash of the encoded encapsulation key, which every encapsulation uses. */
static void hash_public(cv_mlkem_key *key)
{
    uint8_t bytes[POLY_BYTES * MOST_K + 32] __attribute__((aligned(8)));
    encode_public(key, bytes);
    cv_hash_message(&cv_sha3_256, key->public_hash, bytes, cv_mlkem_public_size(key->kind));
}

void cv_mlkem_generate(cv_mlkem_key *key, const cv_mlkem_kind *kind, const uint8_t seed[CV_MLKEM_SEED])
{
    uint8_t seeds[64] __attribute__((aligned(8)));
    cv_hash h;
    cv_hash_init(&h, &cv_sha3_512);
    cv_hash_update(&h, seed, 32);
    cv_hash_update(&h, &kind->k, 1);
    cv_hash_final(&h, seeds);
    /* The seed of the matrix is part of the encapsulation key. */
    CV_PUBLIC(seeds, 32);
    key->kind = kind;
    key->parts = HAS_PUBLIC | HAS_PRIVATE | HAS_SEED;
    memmove(key->seed, seed, CV_MLKEM_SEED);
    memcpy(key->rho, seeds, 32);
    generate(key, seeds + 32);
    hash_public(key);
    cv_wipe(seeds, sizeof seeds);
}

/* An encapsulation key; the length is right. */
static int decode_public(cv_mlkem_key *key, const cv_mlkem_kind *kind, const uint8_t *bytes)
{
    if (!unpack(key->t, bytes, kind->k))
        return CV_ERR_KEY;
    memcpy(key->rho, bytes + (size_t)POLY_BYTES * kind->k, 32);
    cv_hash_message(&cv_sha3_256, key->public_hash, bytes, cv_mlkem_public_size(kind));
    return CV_OK;
}

int cv_mlkem_import_public(cv_mlkem_key *key, const cv_mlkem_kind *kind, const uint8_t *bytes, size_t len)
{
    key->kind = NULL;
    key->parts = 0;
    if (len != cv_mlkem_public_size(kind))
        return CV_ERR_LENGTH;
    if (decode_public(key, kind, bytes))
        return CV_ERR_KEY;
    cv_mlkem_expand(key->matrix, key->rho, kind->k);
    key->kind = kind;
    key->parts = HAS_PUBLIC;
    return CV_OK;
}

int cv_mlkem_import_private(cv_mlkem_key *key, const cv_mlkem_kind *kind, const uint8_t *bytes, size_t len)
{
    size_t s_len = (size_t)POLY_BYTES * kind->k, public_len = cv_mlkem_public_size(kind);
    const uint8_t *hash;
    key->kind = NULL;
    key->parts = 0;
    if (len != cv_mlkem_private_size(kind))
        return CV_ERR_LENGTH;
    hash = bytes + s_len + public_len;
    if (decode_public(key, kind, bytes + s_len) || !cv_same(key->public_hash, hash, 32)
        || !unpack(key->s, bytes, kind->k)) {
        cv_wipe(key->s, sizeof key->s);
        return CV_ERR_KEY;
    }
    memcpy(key->seed + 32, hash + 32, 32);
    cv_mlkem_expand(key->matrix, key->rho, kind->k);
    key->kind = kind;
    key->parts = HAS_PUBLIC | HAS_PRIVATE;
    return CV_OK;
}

/* Whether it has these parts. */
static int has(const cv_mlkem_key *key, uint32_t parts)
{
    return key->kind && (key->parts & parts) == parts;
}

int cv_mlkem_export_public(const cv_mlkem_key *key, uint8_t *bytes)
{
    if (!has(key, HAS_PUBLIC))
        return CV_ERR_KEY;
    encode_public(key, bytes);
    return CV_OK;
}

int cv_mlkem_export_private(const cv_mlkem_key *key, uint8_t *bytes)
{
    if (!has(key, HAS_PRIVATE))
        return CV_ERR_KEY;
    pack(bytes, (uint16_t(*)[N])key->s, key->kind->k);
    bytes += (size_t)POLY_BYTES * key->kind->k;
    encode_public(key, bytes);
    bytes += cv_mlkem_public_size(key->kind);
    memcpy(bytes, key->public_hash, 32);
    memcpy(bytes + 32, key->seed + 32, 32);
    return CV_OK;
}

int cv_mlkem_export_seed(const cv_mlkem_key *key, uint8_t seed[CV_MLKEM_SEED])
{
    if (!has(key, HAS_SEED))
        return CV_ERR_KEY;
    memcpy(seed, key->seed, CV_MLKEM_SEED);
    return CV_OK;
}

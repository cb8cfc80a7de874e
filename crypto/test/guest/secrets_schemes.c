/* Post-quantum operations on keys and seeds that are marked as secret. */
#include "secrets_schemes.h"
#include "secrets.h"
#include "capvec_mldsa.h"
#include "capvec_mlkem.h"
#include "capvec_slhdsa.h"

/* A secret of `len` bytes. */
static const uint8_t *secret(uint8_t *bytes, size_t len, uint8_t first)
{
    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)(first + 7 * i);
    CV_SECRET(bytes, len);
    return bytes;
}

/* What leaves the program is public; so is whether it is right. */
static int is_public(int right)
{
    CV_PUBLIC(&right, sizeof right);
    return right;
}

static int is_equal(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < len; i++)
        difference |= a[i] ^ b[i];
    return is_public(difference == 0);
}

/* Both keys, a ciphertext for them, and one that is rejected. */
static int check_mlkem(const cv_mlkem_kind *kind)
{
    static cv_mlkem_key key, again;
    static uint8_t encoded[CV_MLKEM_MAX_PRIVATE], text[CV_MLKEM_MAX_CIPHERTEXT];
    uint8_t seed[CV_MLKEM_SEED], random[CV_MLKEM_RANDOM], shared[3][CV_MLKEM_SECRET];
    size_t len = cv_mlkem_ciphertext_size(kind), public_size = cv_mlkem_public_size(kind);
    cv_mlkem_generate(&key, kind, secret(seed, sizeof seed, 1));
    if (cv_mlkem_export_private(&key, encoded))
        return 0;
    /* The encapsulation key and its hash are in the middle. */
    CV_PUBLIC(encoded + cv_mlkem_private_size(kind) - 64 - public_size, public_size + 32);
    if (cv_mlkem_import_private(&again, kind, encoded, cv_mlkem_private_size(kind)))
        return 0;
    if (cv_mlkem_encaps(&key, text, shared[0], secret(random, sizeof random, 2)))
        return 0;
    CV_PUBLIC(text, len);
    if (cv_mlkem_decaps(&again, shared[1], text, len) || !is_equal(shared[0], shared[1], CV_MLKEM_SECRET))
        return 0;
    text[5] ^= 1;
    return !cv_mlkem_decaps(&again, shared[2], text, len) && !is_equal(shared[0], shared[2], CV_MLKEM_SECRET);
}

static int check_mldsa(const cv_mldsa_kind *kind)
{
    static cv_mldsa_key key, again;
    static uint8_t encoded[CV_MLDSA_MAX_PRIVATE], signature[CV_MLDSA_MAX_SIGNATURE];
    uint8_t seed[CV_MLDSA_SEED], random[CV_MLDSA_RANDOM];
    size_t len = cv_mldsa_signature_size(kind), public_size = cv_mldsa_public_size(kind);
    cv_mldsa_generate(&key, kind, secret(seed, sizeof seed, 3));
    if (cv_mldsa_export_private(&key, encoded))
        return 0;
    CV_PUBLIC(encoded, 32);
    if (cv_mldsa_import_private(&again, kind, encoded, cv_mldsa_private_size(kind)))
        return 0;
    if (cv_mldsa_sign(&again, signature, seed, 0, NULL, 0, secret(random, sizeof random, 4)))
        return 0;
    CV_PUBLIC(signature, len);
    if (cv_mldsa_export_public(&key, encoded))
        return 0;
    CV_PUBLIC(encoded, public_size);
    return !cv_mldsa_import_public(&key, kind, encoded, public_size)
        && !cv_mldsa_verify(&key, signature, len, seed, 0, NULL, 0);
}

static int check_slhdsa(const cv_slhdsa_kind *kind)
{
    uint8_t seed[CV_SLHDSA_MAX_SEED], key[CV_SLHDSA_MAX_PRIVATE];
    size_t n = cv_slhdsa_random_size(kind);
    secret(seed, cv_slhdsa_seed_size(kind), 5);
    CV_PUBLIC(seed + 2 * n, n);
    cv_slhdsa_generate(kind, key, seed);
#ifdef LONG
    /* Signing with SHAKE takes long on a hart without vectors. */
    if (LONG < 2 && kind != &cv_slhdsa_sha2_128f)
        return 1;
    /* The root; the seed in the same half has been declared public. */
    CV_PUBLIC(key + 3 * n, n);
    static uint8_t signature[CV_SLHDSA_MAX_SIGNATURE], random[32];
    size_t size = cv_slhdsa_public_size(kind), len = cv_slhdsa_signature_size(kind);
    if (cv_slhdsa_sign(kind, key, cv_slhdsa_private_size(kind), signature, seed + 2 * n, n, NULL, 0,
                       secret(random, n, 6)))
        return 0;
    CV_PUBLIC(signature, len);
    return !cv_slhdsa_verify(kind, key + size, size, signature, len, seed + 2 * n, n, NULL, 0);
#else
    return 1;
#endif
}

static const struct {
    const char *name;
    const cv_mlkem_kind *mlkem;
    const cv_mldsa_kind *mldsa;
    const cv_slhdsa_kind *slhdsa;
} schemes[] = {
    { "ML-KEM-512", &cv_mlkem512, NULL, NULL },
    { "ML-KEM-768", &cv_mlkem768, NULL, NULL },
    { "ML-KEM-1024", &cv_mlkem1024, NULL, NULL },
    { "ML-DSA-44", NULL, &cv_mldsa44, NULL },
    { "ML-DSA-65", NULL, &cv_mldsa65, NULL },
    { "ML-DSA-87", NULL, &cv_mldsa87, NULL },
    { "SLH-DSA-SHA2", NULL, NULL, &cv_slhdsa_sha2_128f },
    { "SLH-DSA-SHAKE", NULL, NULL, &cv_slhdsa_shake_128f },
};

const char *scheme_name(size_t number)
{
    return number < sizeof schemes / sizeof *schemes ? schemes[number].name : NULL;
}

int check_scheme(size_t number)
{
    if (schemes[number].mlkem)
        return check_mlkem(schemes[number].mlkem);
    return schemes[number].mldsa ? check_mldsa(schemes[number].mldsa) : check_slhdsa(schemes[number].slhdsa);
}

/* ML-KEM. */
#include "capvec_mlkem.h"
#include "pkey.h"

static void sizes(const struct pv_kind *kind, struct pv_sizes *s)
{
    s->state = sizeof(cv_mlkem_key);
    s->public = cv_mlkem_public_size(kind->set);
    s->private = cv_mlkem_private_size(kind->set);
    s->seed = CV_MLKEM_SEED;
    s->output = cv_mlkem_ciphertext_size(kind->set);
    s->random = CV_MLKEM_RANDOM;
    s->secret = CV_MLKEM_SECRET;
}

static int generate(struct pv_key *key, const uint8_t *seed)
{
    cv_mlkem_generate(key->state, key->kind->set, seed);
    return 1;
}

static int take_public(struct pv_key *key, const uint8_t *bytes)
{
    return cv_mlkem_import_public(key->state, key->kind->set, bytes, cv_mlkem_public_size(key->kind->set)) == CV_OK;
}

static int give_public(const struct pv_key *key, uint8_t *bytes)
{
    return cv_mlkem_export_public(key->state, bytes) == CV_OK;
}

static int give_private(const struct pv_key *key, uint8_t *bytes)
{
    return cv_mlkem_export_private(key->state, bytes) == CV_OK;
}

static int give_seed(const struct pv_key *key, uint8_t *seed)
{
    return cv_mlkem_export_seed(key->state, seed) == CV_OK;
}

static int encaps(const struct pv_key *key, uint8_t *ciphertext, uint8_t *secret, const uint8_t *random)
{
    uint8_t drawn[CV_MLKEM_RANDOM];
    int done = 0;
    if (random == NULL && pv_random(key, drawn, sizeof drawn))
        random = drawn;
    if (random)
        done = cv_mlkem_encaps(key->state, ciphertext, secret, random) == CV_OK;
    OPENSSL_cleanse(drawn, sizeof drawn);
    return done;
}

static int decaps(const struct pv_key *key, uint8_t *secret, const uint8_t *ciphertext, size_t len)
{
    return cv_mlkem_decaps(key->state, secret, ciphertext, len) == CV_OK;
}

/* The pairwise consistency check of FIPS 203, 7.1: a secret comes back. */
static int check(const struct pv_key *key)
{
    uint8_t ciphertext[CV_MLKEM_MAX_CIPHERTEXT], secret[2][CV_MLKEM_SECRET];
    int same = encaps(key, ciphertext, secret[0], NULL)
        && decaps(key, secret[1], ciphertext, cv_mlkem_ciphertext_size(key->kind->set))
        && CRYPTO_memcmp(secret[0], secret[1], sizeof secret[0]) == 0;
    OPENSSL_cleanse(secret, sizeof secret);
    return same;
}

/* The standard's check of a private key, a hash of its public part, does not notice a secret from another key. */
static int take_private(struct pv_key *key, const uint8_t *bytes)
{
    return cv_mlkem_import_private(key->state, key->kind->set, bytes, cv_mlkem_private_size(key->kind->set)) == CV_OK
        && check(key);
}

static const struct pv_kem_scheme scheme = {
    .keys = { .sizes = sizes,
              .generate = generate,
              .take_public = take_public,
              .take_private = take_private,
              .give_public = give_public,
              .give_private = give_private,
              .give_seed = give_seed,
              .check = check },
    .encaps = encaps,
    .decaps = decaps,
};

static const struct pv_kind mlkem512 = {
    .scheme = &scheme.keys, .set = &cv_mlkem512, .bits = 512, .security_bits = 128
};
const struct pv_kind pv_mlkem768 = { .scheme = &scheme.keys, .set = &cv_mlkem768, .bits = 768, .security_bits = 192 };
const struct pv_kind pv_mlkem1024 = {
    .scheme = &scheme.keys, .set = &cv_mlkem1024, .bits = 1024, .security_bits = 256
};

PV_KEM_KEYMGMT(mlkem512, &mlkem512);
PV_KEM_KEYMGMT(mlkem768, &pv_mlkem768);
PV_KEM_KEYMGMT(mlkem1024, &pv_mlkem1024);

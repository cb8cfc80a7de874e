/* ML-DSA. */
#include "capvec_mldsa.h"
#include "signature.h"

static void sizes(const struct pv_kind *kind, struct pv_sizes *s)
{
    s->state = cv_mldsa_key_size(kind->set);
    s->wiped = cv_mldsa_secret_size(kind->set);
    s->public = cv_mldsa_public_size(kind->set);
    s->private = cv_mldsa_private_size(kind->set);
    s->seed = CV_MLDSA_SEED;
    s->output = cv_mldsa_signature_size(kind->set);
    s->random = CV_MLDSA_RANDOM;
}

static int generate(struct pv_key *key, const uint8_t *seed)
{
    cv_mldsa_generate(key->state, key->kind->set, seed);
    return 1;
}

static int take_public(struct pv_key *key, const uint8_t *bytes)
{
    return cv_mldsa_import_public(key->state, key->kind->set, bytes, cv_mldsa_public_size(key->kind->set)) == CV_OK;
}

static int take_private(struct pv_key *key, const uint8_t *bytes)
{
    return cv_mldsa_import_private(key->state, key->kind->set, bytes, cv_mldsa_private_size(key->kind->set)) == CV_OK;
}

static int give_public(const struct pv_key *key, uint8_t *bytes)
{
    return cv_mldsa_export_public(key->state, bytes) == CV_OK;
}

static int give_private(const struct pv_key *key, uint8_t *bytes)
{
    return cv_mldsa_export_private(key->state, bytes) == CV_OK;
}

static int give_seed(const struct pv_key *key, uint8_t *seed)
{
    return cv_mldsa_export_seed(key->state, seed) == CV_OK;
}

/* The representative of a message (FIPS 204, algorithm 7, step 6): the hash of the public key's hash and the message. */
static int represent(const cv_mldsa_key *key, uint8_t mu[CV_MLDSA_MU], const struct pv_message *m)
{
    cv_hash h;
    if (m->form == PV_MU) {
        if (m->len != CV_MLDSA_MU)
            return pv_fail(PROV_R_BAD_LENGTH);
        memcpy(mu, m->bytes, CV_MLDSA_MU);
        return 1;
    }
    if (m->form == PV_RAW) {
        cv_hash_init(&h, &cv_shake256);
        cv_hash_update(&h, key->public_hash, sizeof key->public_hash);
    } else if (cv_mldsa_mu_init(key, &h, m->context, m->context_len) != CV_OK) {
        return 0;
    }
    cv_hash_update(&h, m->bytes, m->len);
    cv_xof_squeeze(&h, mu, CV_MLDSA_MU);
    cv_wipe(&h, sizeof h);
    return 1;
}

static int sign(const struct pv_key *key, uint8_t *signature, const struct pv_message *m, const uint8_t *random)
{
    uint8_t mu[CV_MLDSA_MU];
    int done = represent(key->state, mu, m) && cv_mldsa_sign_mu(key->state, signature, mu, random) == CV_OK;
    OPENSSL_cleanse(mu, sizeof mu);
    return done;
}

static int verify(const struct pv_key *key, const uint8_t *signature, size_t len, const struct pv_message *m)
{
    uint8_t mu[CV_MLDSA_MU];
    return represent(key->state, mu, m) && cv_mldsa_verify_mu(key->state, signature, len, mu) == CV_OK;
}

/* An import has checked that the parts of a key belong together. */
static const struct pv_signature_scheme scheme = {
    .keys = { .sizes = sizes,
              .generate = generate,
              .take_public = take_public,
              .take_private = take_private,
              .give_public = give_public,
              .give_private = give_private,
              .give_seed = give_seed },
    .sign = sign,
    .verify = verify,
};

/* What OpenSSL calls a key's number of bits is the length of its public key in bits. */
#define KIND(id, bytes, security, last) \
    static const struct pv_kind id = { \
        .scheme = &scheme.keys, .set = &cv_##id, .bits = 8 * (bytes), .security_bits = (security), .arc = (last) \
    }; \
    PV_SIGNATURE_KEYMGMT(id, &id)

KIND(mldsa44, 1312, 128, 17);
KIND(mldsa65, 1952, 192, 18);
KIND(mldsa87, 2592, 256, 19);

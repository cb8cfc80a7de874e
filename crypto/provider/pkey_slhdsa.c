/* SLH-DSA. A key is its encoding. */
#include "capvec_slhdsa.h"
#include "signature.h"

static void sizes(const struct pv_kind *kind, struct pv_sizes *s)
{
    s->state = s->private = cv_slhdsa_private_size(kind->set);
    s->public = cv_slhdsa_public_size(kind->set);
    s->short_private = s->private - s->public;
    s->seed = cv_slhdsa_seed_size(kind->set);
    s->output = cv_slhdsa_signature_size(kind->set);
    s->random = cv_slhdsa_random_size(kind->set);
}

/* The public key is the second half of a private key. */
static uint8_t *public_of(const struct pv_key *key)
{
    return (uint8_t *)key->state + cv_slhdsa_public_size(key->kind->set);
}

static int generate(struct pv_key *key, const uint8_t *seed)
{
    cv_slhdsa_generate(key->kind->set, key->state, seed);
    return 1;
}

static int take_public(struct pv_key *key, const uint8_t *bytes)
{
    memcpy(public_of(key), bytes, cv_slhdsa_public_size(key->kind->set));
    return 1;
}

static int take_private(struct pv_key *key, const uint8_t *bytes)
{
    memcpy(key->state, bytes, cv_slhdsa_private_size(key->kind->set));
    return 1;
}

static int give_public(const struct pv_key *key, uint8_t *bytes)
{
    memcpy(bytes, public_of(key), cv_slhdsa_public_size(key->kind->set));
    return 1;
}

static int give_private(const struct pv_key *key, uint8_t *bytes)
{
    memcpy(bytes, key->state, cv_slhdsa_private_size(key->kind->set));
    return 1;
}

/* The root of the tree, which is the last quarter, follows from the rest. */
static int check(const struct pv_key *key)
{
    uint8_t again[CV_SLHDSA_MAX_PRIVATE];
    int same;
    cv_slhdsa_generate(key->kind->set, again, key->state);
    same = CRYPTO_memcmp(again, key->state, cv_slhdsa_private_size(key->kind->set)) == 0;
    OPENSSL_cleanse(again, sizeof again);
    return same;
}

/* libcapvec always puts the context string before a message. Only tests of the standard's inner functions leave it
 * out. */
static int has_form(const struct pv_message *m)
{
    return m->form == PV_PURE || pv_fail(PROV_R_NOT_SUPPORTED);
}

static int sign(const struct pv_key *key, uint8_t *signature, const struct pv_message *m, const uint8_t *random)
{
    return has_form(m)
        && cv_slhdsa_sign(key->kind->set, key->state, cv_slhdsa_private_size(key->kind->set), signature, m->bytes,
                          m->len, m->context, m->context_len, random)
        == CV_OK;
}

static int verify(const struct pv_key *key, const uint8_t *signature, size_t len, const struct pv_message *m)
{
    return has_form(m)
        && cv_slhdsa_verify(key->kind->set, public_of(key), cv_slhdsa_public_size(key->kind->set), signature, len,
                            m->bytes, m->len, m->context, m->context_len)
        == CV_OK;
}

static const struct pv_signature_scheme scheme = {
    .keys = { .sizes = sizes,
              .generate = generate,
              .take_public = take_public,
              .take_private = take_private,
              .give_public = give_public,
              .give_private = give_private,
              .check = check },
    .sign = sign,
    .verify = verify,
};

#define KIND(id, security, last) \
    static const struct pv_kind id = { \
        .scheme = &scheme.keys, .set = &cv_##id, .bits = 2 * (security), .security_bits = (security), .arc = (last) \
    }; \
    PV_SIGNATURE_KEYMGMT(id, &id)

KIND(slhdsa_sha2_128s, 128, 20);
KIND(slhdsa_sha2_128f, 128, 21);
KIND(slhdsa_sha2_192s, 192, 22);
KIND(slhdsa_sha2_192f, 192, 23);
KIND(slhdsa_sha2_256s, 256, 24);
KIND(slhdsa_sha2_256f, 256, 25);
KIND(slhdsa_shake_128s, 128, 26);
KIND(slhdsa_shake_128f, 128, 27);
KIND(slhdsa_shake_192s, 192, 28);
KIND(slhdsa_shake_192f, 192, 29);
KIND(slhdsa_shake_256s, 256, 30);
KIND(slhdsa_shake_256f, 256, 31);

/* Hybrids of ML-KEM and a Diffie-Hellman exchange for TLS 1.3 (draft-ietf-tls-ecdhe-mlkem): keys, ciphertexts and
 * secrets are those of the two halves, one after the other. The classical half is libcrypto's own. */
#include "capvec_mlkem.h"
#include "pkey.h"

#include <openssl/ec.h>

/* The classical half of a hybrid. */
struct pv_classical {
    const char *type, *group; /* as EVP names them; the group is NULL if the type has only one */
    size_t public, private, secret;
    int first; /* whether it comes before ML-KEM's half */
};

static const struct pv_classical x25519 = { "X25519", NULL, 32, 32, 32, 0 };
static const struct pv_classical p256 = { "EC", "P-256", 65, 32, 32, 1 };
static const struct pv_classical p384 = { "EC", "P-384", 97, 48, 48, 1 };

/* Bytes of the longest public key of a classical half. */
#define MAX_POINT 97

struct hybrid {
    struct pv_key mlkem;
    EVP_PKEY *classical;
};

/* The other half, whose kind has the same parameter set of ML-KEM. */
static const struct pv_kind *mlkem_of(const struct pv_kind *kind)
{
    return kind->set == &cv_mlkem768 ? &pv_mlkem768 : &pv_mlkem1024;
}

static const struct pv_kem_scheme *mlkem_scheme(const struct hybrid *h)
{
    return (const struct pv_kem_scheme *)h->mlkem.kind->scheme;
}

static void sizes(const struct pv_kind *kind, struct pv_sizes *s)
{
    const struct pv_classical *c = kind->classical;
    *s = pv_sizes_of(mlkem_of(kind));
    s->state = sizeof(struct hybrid);
    s->public += c->public;
    s->private += c->private;
    s->output += c->public;
    s->secret += c->secret;
    s->seed = s->random = 0;
}

/* Where each half begins, given the length of the other. */
static size_t at_classical(const struct pv_key *key, size_t len)
{
    return key->kind->classical->first ? 0 : len;
}

static size_t at_mlkem(const struct pv_key *key, size_t classical_len)
{
    return key->kind->classical->first ? classical_len : 0;
}

static struct hybrid *begin(struct pv_key *key)
{
    struct hybrid *h = key->state;
    h->mlkem.provider = key->provider;
    h->mlkem.kind = mlkem_of(key->kind);
    return pv_key_begin(&h->mlkem) ? h : NULL;
}

static EVP_PKEY *generate_classical(const struct pv_key *key)
{
    const struct pv_classical *c = key->kind->classical;
    return c->group ? EVP_PKEY_Q_keygen(key->provider->library, NULL, c->type, c->group)
                    : EVP_PKEY_Q_keygen(key->provider->library, NULL, c->type);
}

static int generate(struct pv_key *key, const uint8_t *unused)
{
    struct hybrid *h = begin(key);
    uint8_t seed[CV_MLKEM_SEED];
    int done = h && pv_random(key, seed, sizeof seed) && h->mlkem.kind->scheme->generate(&h->mlkem, seed);
    (void)unused;
    OPENSSL_cleanse(seed, sizeof seed);
    if (!done)
        return 0;
    h->mlkem.has_private = 1;
    h->classical = generate_classical(key);
    return h->classical != NULL;
}

/* A key of the classical half; NULL if it is not one. `params` has room for two more. */
static EVP_PKEY *import_classical(const struct pv_key *key, OSSL_PARAM *params, size_t count)
{
    const struct pv_classical *c = key->kind->classical;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(key->provider->library, c->type, NULL);
    EVP_PKEY *made = NULL;
    if (c->group)
        params[count++] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)c->group, 0);
    params[count] = OSSL_PARAM_construct_end();
    if (ctx == NULL || EVP_PKEY_fromdata_init(ctx) <= 0 || EVP_PKEY_fromdata(ctx, &made, EVP_PKEY_KEYPAIR, params) <= 0)
        made = NULL;
    EVP_PKEY_CTX_free(ctx);
    return made;
}

static EVP_PKEY *take_classical(const struct pv_key *key, const char *name, const uint8_t *bytes, size_t len)
{
    OSSL_PARAM params[3] = { OSSL_PARAM_construct_octet_string(name, (void *)bytes, len) };
    return import_classical(key, params, 1);
}

/* The point that belongs to a private number; fails if the number is out of the curve's range. */
static int find_point(const struct pv_key *key, const BIGNUM *number, uint8_t *point)
{
    const struct pv_classical *c = key->kind->classical;
    EC_GROUP *group = EC_GROUP_new_by_curve_name_ex(key->provider->library, NULL, EC_curve_nist2nid(c->group));
    EC_POINT *p = group ? EC_POINT_new(group) : NULL;
    int done = p && !BN_is_zero(number) && BN_cmp(number, EC_GROUP_get0_order(group)) < 0
        && EC_POINT_mul(group, p, number, NULL, NULL, NULL)
        && EC_POINT_point2oct(group, p, POINT_CONVERSION_UNCOMPRESSED, point, c->public, NULL) == c->public;
    EC_POINT_free(p);
    EC_GROUP_free(group);
    return done;
}

/* A key on a curve. The bytes of a hybrid contain only its private number, but operations also need the public point. */
static EVP_PKEY *take_number(const struct pv_key *key, const uint8_t *bytes)
{
    const struct pv_classical *c = key->kind->classical;
    uint8_t point[MAX_POINT], native[MAX_POINT];
    BIGNUM *number = BN_secure_new();
    EVP_PKEY *made = NULL;
    if (number && BN_bin2bn(bytes, (int)c->private, number) && find_point(key, number, point)
        && BN_bn2nativepad(number, native, (int)c->private) > 0) {
        OSSL_PARAM params[4] = { OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, c->public),
                                 OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, c->private) };
        made = import_classical(key, params, 2);
    }
    OPENSSL_cleanse(native, sizeof native);
    BN_clear_free(number);
    return made;
}

static int take_public(struct pv_key *key, const uint8_t *bytes)
{
    const struct pv_classical *c = key->kind->classical;
    struct hybrid *h = begin(key);
    size_t len = cv_mlkem_public_size(key->kind->set);
    if (h == NULL || !h->mlkem.kind->scheme->take_public(&h->mlkem, bytes + at_mlkem(key, c->public)))
        return 0;
    h->classical = take_classical(key, OSSL_PKEY_PARAM_PUB_KEY, bytes + at_classical(key, len), c->public);
    return h->classical != NULL;
}

static int take_private(struct pv_key *key, const uint8_t *bytes)
{
    const struct pv_classical *c = key->kind->classical;
    struct hybrid *h = begin(key);
    size_t len = cv_mlkem_private_size(key->kind->set);
    const uint8_t *classical = bytes + at_classical(key, len);
    if (h == NULL || !h->mlkem.kind->scheme->take_private(&h->mlkem, bytes + at_mlkem(key, c->private)))
        return 0;
    h->mlkem.has_private = 1;
    h->classical =
        c->group ? take_number(key, classical) : take_classical(key, OSSL_PKEY_PARAM_PRIV_KEY, classical, c->private);
    return h->classical != NULL;
}

static int give_classical_public(EVP_PKEY *classical, uint8_t *bytes, size_t len)
{
    size_t came;
    return EVP_PKEY_get_octet_string_param(classical, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, bytes, len, &came) > 0
        && came == len;
}

static int give_public(const struct pv_key *key, uint8_t *bytes)
{
    const struct hybrid *h = key->state;
    size_t len = cv_mlkem_public_size(key->kind->set), classical = key->kind->classical->public;
    return h->mlkem.kind->scheme->give_public(&h->mlkem, bytes + at_mlkem(key, classical))
        && give_classical_public(h->classical, bytes + at_classical(key, len), classical);
}

static int give_private(const struct pv_key *key, uint8_t *bytes)
{
    const struct hybrid *h = key->state;
    const struct pv_classical *c = key->kind->classical;
    size_t len = cv_mlkem_private_size(key->kind->set), came;
    uint8_t *classical = bytes + at_classical(key, len);
    BIGNUM *number = NULL;
    int done = h->mlkem.kind->scheme->give_private(&h->mlkem, bytes + at_mlkem(key, c->private));
    if (c->group == NULL)
        return done
            && EVP_PKEY_get_octet_string_param(h->classical, OSSL_PKEY_PARAM_PRIV_KEY, classical, c->private, &came) > 0
            && came == c->private;
    done = done && EVP_PKEY_get_bn_param(h->classical, OSSL_PKEY_PARAM_PRIV_KEY, &number) > 0
        && BN_bn2binpad(number, classical, (int)c->private) > 0;
    BN_clear_free(number);
    return done;
}

static int copied(struct pv_key *key)
{
    struct hybrid *h = key->state;
    struct pv_key *mlkem = pv_key_dup(&h->mlkem, OSSL_KEYMGMT_SELECT_KEYPAIR);
    h->mlkem.state = mlkem ? mlkem->state : NULL;
    OPENSSL_free(mlkem);
    if (mlkem && EVP_PKEY_up_ref(h->classical))
        return 1;
    h->classical = NULL;
    return 0;
}

static void release(struct pv_key *key)
{
    struct hybrid *h = key->state;
    if (h->mlkem.state)
        pv_key_clear(&h->mlkem);
    EVP_PKEY_free(h->classical);
}

/* The secret that two keys agree on. */
static int derive(const struct pv_key *key, EVP_PKEY *own, EVP_PKEY *peer, uint8_t *secret)
{
    size_t len = key->kind->classical->secret;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(key->provider->library, own, NULL);
    int done = ctx && EVP_PKEY_derive_init(ctx) > 0 && EVP_PKEY_derive_set_peer(ctx, peer) > 0
        && EVP_PKEY_derive(ctx, secret, &len) > 0 && len == key->kind->classical->secret;
    EVP_PKEY_CTX_free(ctx);
    return done;
}

static int encaps(const struct pv_key *key, uint8_t *ciphertext, uint8_t *secret, const uint8_t *random)
{
    const struct hybrid *h = key->state;
    const struct pv_classical *c = key->kind->classical;
    EVP_PKEY *own = generate_classical(key);
    size_t len = cv_mlkem_ciphertext_size(key->kind->set);
    int done = own && give_classical_public(own, ciphertext + at_classical(key, len), c->public)
        && derive(key, own, h->classical, secret + at_classical(key, CV_MLKEM_SECRET))
        && mlkem_scheme(h)->encaps(&h->mlkem, ciphertext + at_mlkem(key, c->public), secret + at_mlkem(key, c->secret),
                                   random);
    EVP_PKEY_free(own);
    return done;
}

static int decaps(const struct pv_key *key, uint8_t *secret, const uint8_t *ciphertext, size_t all)
{
    const struct hybrid *h = key->state;
    const struct pv_classical *c = key->kind->classical;
    size_t len = all - c->public;
    EVP_PKEY *peer = take_classical(key, OSSL_PKEY_PARAM_PUB_KEY, ciphertext + at_classical(key, len), c->public);
    int done = peer && derive(key, h->classical, peer, secret + at_classical(key, CV_MLKEM_SECRET))
        && mlkem_scheme(h)->decaps(&h->mlkem, secret + at_mlkem(key, c->secret), ciphertext + at_mlkem(key, c->public),
                                   len);
    EVP_PKEY_free(peer);
    return done;
}

static const struct pv_kem_scheme scheme = {
    .keys = { .sizes = sizes,
              .generate = generate,
              .take_public = take_public,
              .take_private = take_private,
              .give_public = give_public,
              .give_private = give_private,
              .copied = copied,
              .release = release },
    .encaps = encaps,
    .decaps = decaps,
};

#define HYBRID(id, mlkem, other, bits_of, security) \
    static const struct pv_kind id = { \
        .scheme = &scheme.keys, .set = &(mlkem), .bits = (bits_of), .security_bits = (security), .classical = &(other) \
    }; \
    PV_KEM_KEYMGMT(id, &id)

HYBRID(x25519_mlkem768, cv_mlkem768, x25519, 768, 192);
HYBRID(p256_mlkem768, cv_mlkem768, p256, 768, 192);
HYBRID(p384_mlkem1024, cv_mlkem1024, p384, 1024, 256);

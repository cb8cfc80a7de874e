/* Management of key pairs: allocation, generation, copying and comparison. Import and export are in pkey_data.c. */
#include "pkey.h"

#include <openssl/rand.h>

/* Selections that include a key of the pair. */
#define PAIR OSSL_KEYMGMT_SELECT_KEYPAIR
#define PRIVATE OSSL_KEYMGMT_SELECT_PRIVATE_KEY

struct pv_sizes pv_sizes_of(const struct pv_kind *kind)
{
    struct pv_sizes sizes = { 0 };
    kind->scheme->sizes(kind, &sizes);
    return sizes;
}

int pv_random(const struct pv_key *key, uint8_t *out, size_t len)
{
    return RAND_priv_bytes_ex(key->provider->library, out, len, 0) > 0;
}

struct pv_key *pv_key_new(void *provider, const struct pv_kind *kind)
{
    struct pv_key *key = OPENSSL_zalloc(sizeof *key);
    if (key) {
        key->provider = provider;
        key->kind = kind;
    }
    return key;
}

int pv_key_begin(struct pv_key *key)
{
    if (key->state)
        return pv_fail(PROV_R_INVALID_KEY);
    key->state = OPENSSL_zalloc(pv_sizes_of(key->kind).state);
    return key->state != NULL;
}

void pv_key_clear(struct pv_key *key)
{
    if (key->state) {
        struct pv_sizes sizes = pv_sizes_of(key->kind);
        if (key->kind->scheme->release)
            key->kind->scheme->release(key);
        OPENSSL_cleanse(key->state, sizes.wiped ? sizes.wiped : sizes.state);
    }
    OPENSSL_free(key->state);
    key->state = NULL;
    key->has_private = key->has_seed = 0;
}

void pv_key_free(void *vkey)
{
    if (vkey)
        pv_key_clear(vkey);
    OPENSSL_free(vkey);
}

int pv_key_has(const void *vkey, int selection)
{
    const struct pv_key *key = vkey;
    if (key == NULL)
        return 0;
    return !(selection & PAIR) || (key->state && (!(selection & PRIVATE) || key->has_private));
}

/* Key pairs are equal if their public keys are. */
static int same_public(const struct pv_key *a, const struct pv_key *b)
{
    size_t len = pv_sizes_of(a->kind).public;
    uint8_t *bytes = OPENSSL_malloc(2 * len);
    int same = bytes && a->kind->scheme->give_public(a, bytes) && b->kind->scheme->give_public(b, bytes + len)
        && memcmp(bytes, bytes + len, len) == 0;
    OPENSSL_free(bytes);
    return same;
}

int pv_key_match(const void *va, const void *vb, int selection)
{
    const struct pv_key *a = va, *b = vb;
    if (a == NULL || b == NULL || a->kind != b->kind)
        return 0;
    if (!(selection & PAIR) || (a->state == NULL && b->state == NULL))
        return 1;
    return a->state && b->state && same_public(a, b);
}

int pv_key_validate(const void *vkey, int selection, int how)
{
    const struct pv_key *key = vkey;
    (void)how;
    if (!pv_key_has(key, selection))
        return 0;
    return (selection & PAIR) != PAIR || key->kind->scheme->check == NULL || key->kind->scheme->check(key);
}

/* The public part alone. */
static int copy_public(struct pv_key *copy, const struct pv_key *from)
{
    uint8_t *bytes = OPENSSL_malloc(pv_sizes_of(from->kind).public);
    int copied = bytes && from->kind->scheme->give_public(from, bytes) && from->kind->scheme->take_public(copy, bytes);
    OPENSSL_free(bytes);
    return copied;
}

void *pv_key_dup(const void *vkey, int selection)
{
    const struct pv_key *key = vkey;
    struct pv_key *copy = pv_key_new(key->provider, key->kind);
    int copied = copy != NULL;
    if (copied && key->state && (selection & PAIR)) {
        copied = pv_key_begin(copy);
        if (copied && key->has_private && !(selection & PRIVATE)) {
            copied = copy_public(copy, key);
        } else if (copied) {
            memcpy(copy->state, key->state, pv_sizes_of(key->kind).state);
            copy->has_private = key->has_private;
            copy->has_seed = key->has_seed;
            copied = key->kind->scheme->copied == NULL || key->kind->scheme->copied(copy);
        }
    }
    if (copied)
        return copy;
    pv_key_free(copy);
    return NULL;
}

/* A generation: of a key pair, or of an object that receives a public key. */
struct gen {
    struct pv_provider *provider;
    const struct pv_kind *kind;
    int selection;
    uint8_t seed[PV_MAX_SEED];
    unsigned seeded;
};

void *pv_key_gen_init(void *provider, const struct pv_kind *kind, int selection, const OSSL_PARAM params[])
{
    struct gen *g = OPENSSL_zalloc(sizeof *g);
    if (g == NULL)
        return NULL;
    g->provider = provider;
    g->kind = kind;
    g->selection = selection;
    if (pv_key_gen_set(g, params))
        return g;
    pv_key_gen_cleanup(g);
    return NULL;
}

void pv_key_gen_cleanup(void *gen)
{
    OPENSSL_clear_free(gen, sizeof(struct gen));
}

/* Parameters that are not known, such as the group's name that TLS sets, are ignored. */
int pv_key_gen_set(void *gen, const OSSL_PARAM params[])
{
    struct gen *g = gen;
    const OSSL_PARAM *p = params ? OSSL_PARAM_locate_const(params, PV_SEED) : NULL;
    size_t len = pv_sizes_of(g->kind).seed, came;
    void *seed = g->seed;
    if (p == NULL || len == 0)
        return 1;
    g->seeded = OSSL_PARAM_get_octet_string(p, &seed, len, &came) && came == len;
    return g->seeded || pv_fail(PROV_R_INVALID_SEED_LENGTH);
}

const OSSL_PARAM *pv_key_gen_settable(void *gen, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_octet_string(PV_SEED, NULL, 0),
        OSSL_PARAM_END,
    };
    static const OSSL_PARAM none[] = { OSSL_PARAM_END };
    struct gen *g = gen;
    (void)provider;
    return g && pv_sizes_of(g->kind).seed == 0 ? none : known;
}

void *pv_key_gen(void *gen, OSSL_CALLBACK *progress, void *arg)
{
    struct gen *g = gen;
    struct pv_sizes sizes = pv_sizes_of(g->kind);
    struct pv_key *key = pv_key_new(g->provider, g->kind);
    (void)progress, (void)arg;
    if (key == NULL || !(g->selection & PAIR))
        return key;
    if (pv_key_begin(key) && (g->seeded || sizes.seed == 0 || pv_random(key, g->seed, sizes.seed))
        && g->kind->scheme->generate(key, g->seed)) {
        key->has_private = 1;
        key->has_seed = g->kind->scheme->give_seed != NULL;
    } else {
        (void)pv_fail(PROV_R_FAILED_TO_GENERATE_KEY);
        pv_key_free(key);
        key = NULL;
    }
    /* A seed is used once. */
    OPENSSL_cleanse(g->seed, sizeof g->seed);
    g->seeded = 0;
    return key;
}

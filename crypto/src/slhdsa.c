/* SLH-DSA (FIPS 205, sections 9 and 10). */
#include "prehash.h"
#include "slhdsa.h"

size_t cv_slhdsa_seed_size(const cv_slhdsa_kind *kind)
{
    return 3u * kind->n;
}

size_t cv_slhdsa_random_size(const cv_slhdsa_kind *kind)
{
    return kind->n;
}

size_t cv_slhdsa_public_size(const cv_slhdsa_kind *kind)
{
    return 2u * kind->n;
}

size_t cv_slhdsa_private_size(const cv_slhdsa_kind *kind)
{
    return 4u * kind->n;
}

size_t cv_slhdsa_signature_size(const cv_slhdsa_kind *kind)
{
    return (size_t)kind->n * (1u + kind->k * (1u + kind->a) + kind->h + kind->d * cv_slhdsa_chains(kind));
}

static void begin(struct cv_slhdsa *s, const cv_slhdsa_kind *kind, const uint8_t *seed)
{
    memset(s, 0, sizeof *s);
    s->kind = kind;
    memcpy(s->seed, seed, kind->n);
    kind->begin(s);
}

void cv_slhdsa_generate(const cv_slhdsa_kind *kind, uint8_t *private_key, const uint8_t *seed)
{
    size_t n = kind->n;
    struct cv_slhdsa s;
    memmove(private_key, seed, 3 * n);
    begin(&s, kind, private_key + 2 * n);
    s.secret = private_key;
    cv_slhdsa_top(&s, private_key + 3 * n);
    cv_wipe(&s, sizeof s);
}

/* What the digest of a message selects (algorithm 19, steps 6 to 10): the rest is for FORS. */
struct place {
    uint64_t tree;
    uint32_t leaf;
    uint8_t digest[MAX_DIGEST];
};

static uint64_t number(const uint8_t *bytes, size_t len)
{
    uint64_t x = 0;
    for (size_t i = 0; i < len; i++)
        x = x << 8 | bytes[i];
    return x;
}

static void find_place(const cv_slhdsa_kind *kind, struct place *p, const uint8_t *r, const uint8_t *public_key,
                       const struct cv_slhdsa_message *m)
{
    unsigned levels = cv_slhdsa_levels(kind), above = kind->h - levels;
    const uint8_t *rest = p->digest + (kind->k * kind->a + 7u) / 8;
    kind->digest(kind, p->digest, r, public_key, m);
    p->tree = number(rest, (above + 7) / 8) & (UINT64_MAX >> (64 - above));
    p->leaf = (uint32_t)number(rest + (above + 7) / 8, (levels + 7) / 8) & ((UINT32_C(1) << levels) - 1);
}

/* Algorithm 19. The randomness is the public seed in the deterministic variant. */
static void sign(const cv_slhdsa_kind *kind, const uint8_t *key, uint8_t *signature, const struct cv_slhdsa_message *m,
                 const uint8_t *random)
{
    size_t n = kind->n, fors = n * kind->k * (1u + kind->a);
    uint8_t root[MAX_N] __attribute__((aligned(8)));
    struct cv_slhdsa s;
    struct place p;
    kind->randomize(kind, signature, key + n, random ? random : key + 2 * n, m);
    /* It is the beginning of the signature, and decides which keys sign. */
    CV_PUBLIC(signature, n);
    find_place(kind, &p, signature, key + 2 * n, m);
    begin(&s, kind, key + 2 * n);
    s.secret = key;
    cv_slhdsa_layer(&s, 0, p.tree);
    cv_slhdsa_fors_sign(&s, signature + n, root, p.digest, p.leaf);
    cv_slhdsa_hypertree_sign(&s, signature + n + fors, root, p.tree, p.leaf);
    cv_wipe(&s, sizeof s);
}

/* Algorithm 20. */
static int verify(const cv_slhdsa_kind *kind, const uint8_t *key, const uint8_t *signature,
                  const struct cv_slhdsa_message *m)
{
    size_t n = kind->n, fors = n * kind->k * (1u + kind->a);
    uint8_t root[MAX_N] __attribute__((aligned(8)));
    struct cv_slhdsa s;
    struct place p;
    find_place(kind, &p, signature, key, m);
    begin(&s, kind, key);
    cv_slhdsa_layer(&s, 0, p.tree);
    cv_slhdsa_fors_recover(&s, root, signature + n, p.digest, p.leaf);
    cv_slhdsa_hypertree_recover(&s, root, signature + n + fors, p.tree, p.leaf);
    return cv_same(root, key + n, n) ? CV_OK : CV_ERR_SIGNATURE;
}

int cv_slhdsa_sign_digest(const cv_slhdsa_kind *kind, const uint8_t *private_key, size_t key_len, uint8_t *signature,
                          const cv_hash_kind *hash, const uint8_t *digest, size_t len, const uint8_t *context,
                          size_t context_len, const uint8_t *random)
{
    uint8_t prefix[CV_PREFIX];
    struct cv_slhdsa_message m = { prefix, digest, 0, len };
    if (key_len != cv_slhdsa_private_size(kind) || cv_prefix(prefix, &m.prefix_len, context, context_len, hash, len))
        return CV_ERR_LENGTH;
    sign(kind, private_key, signature, &m, random);
    return CV_OK;
}

int cv_slhdsa_sign(const cv_slhdsa_kind *kind, const uint8_t *private_key, size_t key_len, uint8_t *signature,
                   const uint8_t *message, size_t len, const uint8_t *context, size_t context_len,
                   const uint8_t *random)
{
    return cv_slhdsa_sign_digest(kind, private_key, key_len, signature, NULL, message, len, context, context_len,
                                 random);
}

int cv_slhdsa_verify_digest(const cv_slhdsa_kind *kind, const uint8_t *public_key, size_t key_len,
                            const uint8_t *signature, size_t signature_len, const cv_hash_kind *hash,
                            const uint8_t *digest, size_t len, const uint8_t *context, size_t context_len)
{
    uint8_t prefix[CV_PREFIX];
    struct cv_slhdsa_message m = { prefix, digest, 0, len };
    if (key_len != cv_slhdsa_public_size(kind) || cv_prefix(prefix, &m.prefix_len, context, context_len, hash, len))
        return CV_ERR_LENGTH;
    return signature_len == cv_slhdsa_signature_size(kind) ? verify(kind, public_key, signature, &m) : CV_ERR_SIGNATURE;
}

int cv_slhdsa_verify(const cv_slhdsa_kind *kind, const uint8_t *public_key, size_t key_len, const uint8_t *signature,
                     size_t signature_len, const uint8_t *message, size_t len, const uint8_t *context,
                     size_t context_len)
{
    return cv_slhdsa_verify_digest(kind, public_key, key_len, signature, signature_len, NULL, message, len, context,
                                   context_len);
}

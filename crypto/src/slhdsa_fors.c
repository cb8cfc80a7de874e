/* SLH-DSA: few-time signatures, a forest of k trees with a levels (FIPS 205, section 8). */
#include "slhdsa.h"

#define MAX_TREES 35

/* The leaf that the digest selects in tree number `tree`: its next `a` bits, most significant first (algorithm 4). */
static uint32_t selected(const uint8_t *digest, unsigned tree, unsigned a)
{
    uint32_t index = 0;
    for (unsigned bit = tree * a; bit < (tree + 1) * a; bit++)
        index = index << 1 | (digest[bit / 8] >> (7 - bit % 8) & 1);
    return index;
}

/* The key pair is in the address, which FORS does not change otherwise. */
static uint32_t pair_of(const struct cv_slhdsa *s)
{
    return cv_load_be32(s->address + 20);
}

/* Algorithm 14. */
static void secret(struct cv_slhdsa *s, uint8_t *out, uint32_t index)
{
    cv_slhdsa_type(s, FORS_PRF, pair_of(s));
    cv_slhdsa_place(s, 0, index);
    s->kind->hash(s, out, s->secret, s->kind->n, 0);
}

static void leaf_of(struct cv_slhdsa *s, uint8_t *node, uint32_t index)
{
    cv_slhdsa_type(s, FORS_TREE, pair_of(s));
    cv_slhdsa_place(s, 0, index);
    s->kind->hash(s, node, node, s->kind->n, 0);
}

CV_OWN_FRAME void leaves_at_once(struct cv_slhdsa *s, uint8_t *out, uint32_t index, size_t count)
{
    struct cv_slhdsa_nodes r;
    for (r.count = 0; r.count < count;) {
        uint8_t *node = out + s->kind->n * r.count;
        memcpy(node, s->secret, s->kind->n);
        cv_slhdsa_add(&r, node, 0, index + (uint32_t)r.count);
    }
    cv_slhdsa_type(s, FORS_PRF, pair_of(s));
    cv_slhdsa_hash_each(s, &r, s->kind->n, 0);
    cv_slhdsa_type(s, FORS_TREE, pair_of(s));
    cv_slhdsa_hash_each(s, &r, s->kind->n, 0);
}

static void leaves(struct cv_slhdsa *s, uint8_t *out, uint32_t index, size_t count)
{
    if (count > 1) {
        leaves_at_once(s, out, index, count);
        return;
    }
    secret(s, out, index);
    leaf_of(s, out, index);
}

static void compress(struct cv_slhdsa *s, uint8_t *out, const uint8_t *roots, uint32_t pair)
{
    cv_slhdsa_type(s, FORS_ROOTS, pair);
    s->kind->hash(s, out, roots, (size_t)s->kind->n * s->kind->k, 1);
}

/* Each tree's root, and its part of the signature; `together` leaves at once, for which `nodes` has room. */
static void trees(struct cv_slhdsa *s, uint8_t *signature, uint8_t *roots, const uint8_t *digest, uint32_t pair,
                  uint8_t *nodes, size_t together)
{
    size_t n = s->kind->n;
    unsigned a = s->kind->a;
    for (uint32_t tree = 0; tree < s->kind->k; tree++, signature += n * (1 + a)) {
        uint32_t index = selected(digest, tree, a);
        cv_slhdsa_type(s, FORS_TREE, pair);
        secret(s, nodes, (tree << a) + index);
        memcpy(signature, nodes, n);
        cv_slhdsa_tree(s, nodes, signature + n, index, tree << a, a, FORS_TREE, pair, together, leaves);
        memcpy(roots + n * tree, nodes, n);
    }
}

CV_OWN_FRAME void trees_at_once(struct cv_slhdsa *s, uint8_t *signature, uint8_t *roots, const uint8_t *digest,
                                uint32_t pair)
{
    uint64_t states[25 * AT_ONCE];
    uint8_t nodes[AT_ONCE * MAX_N] __attribute__((aligned(8)));
    s->states = states;
    trees(s, signature, roots, digest, pair, nodes, AT_ONCE);
    s->states = NULL;
    cv_wipe(states, sizeof states);
}

void cv_slhdsa_fors_sign(struct cv_slhdsa *s, uint8_t *signature, uint8_t *root, const uint8_t *digest, uint32_t pair)
{
    uint8_t roots[MAX_TREES * MAX_N] __attribute__((aligned(8)));
    uint8_t node[MAX_N] __attribute__((aligned(8)));
    if (cv_slhdsa_at_once(s, AT_ONCE))
        trees_at_once(s, signature, roots, digest, pair);
    else
        trees(s, signature, roots, digest, pair, node, 1);
    compress(s, root, roots, pair);
}

/* The roots of `count` trees from number `first` on: all leaves, then level by level. */
CV_OWN_FRAME void recover_at_once(struct cv_slhdsa *s, uint8_t *roots, const uint8_t *signature, const uint8_t *digest,
                                  uint32_t pair, uint32_t first, size_t count)
{
    uint64_t states[25 * AT_ONCE];
    uint8_t both[AT_ONCE][2 * MAX_N] __attribute__((aligned(8)));
    struct cv_slhdsa_nodes r;
    size_t n = s->kind->n;
    unsigned a = s->kind->a;
    s->states = states;
    cv_slhdsa_type(s, FORS_TREE, pair);
    for (r.count = 0; r.count < count;) {
        uint32_t tree = first + (uint32_t)r.count;
        uint8_t *node = roots + n * tree;
        memcpy(node, signature + n * (1 + a) * tree, n);
        cv_slhdsa_add(&r, node, 0, (tree << a) + selected(digest, tree, a));
    }
    cv_slhdsa_hash_each(s, &r, n, 0);
    for (unsigned level = 0; level < a; level++) {
        const uint8_t *path = signature + n * ((1 + a) * first + 1 + level);
        for (size_t i = 0; i < count; i++, path += n * (1 + a)) {
            uint32_t index = r.places[i][1];
            cv_slhdsa_pair(both[i], r.out[i], path, n, index);
            r.in[i] = both[i];
            r.places[i][0] = level + 1;
            r.places[i][1] = index >> 1;
        }
        cv_slhdsa_hash_each(s, &r, 2 * n, 1);
    }
    s->states = NULL;
}

void cv_slhdsa_fors_recover(struct cv_slhdsa *s, uint8_t *root, const uint8_t *signature, const uint8_t *digest,
                            uint32_t pair)
{
    uint8_t roots[MAX_TREES * MAX_N] __attribute__((aligned(8)));
    size_t n = s->kind->n;
    unsigned a = s->kind->a;
    for (uint32_t tree = 0, left; (left = s->kind->k - tree);) {
        size_t count = cv_slhdsa_at_once(s, left < AT_ONCE ? left : AT_ONCE);
        if (count) {
            recover_at_once(s, roots, signature, digest, pair, tree, count);
            tree += (uint32_t)count;
            continue;
        }
        uint8_t *node = roots + n * tree;
        const uint8_t *part = signature + n * (1 + a) * tree;
        uint32_t index = (tree << a) + selected(digest, tree, a);
        memcpy(node, part, n);
        cv_slhdsa_type(s, FORS_TREE, pair);
        leaf_of(s, node, index);
        cv_slhdsa_climb(s, node, part + n, index, a, FORS_TREE, pair);
        tree++;
    }
    compress(s, root, roots, pair);
}

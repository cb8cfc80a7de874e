/* SLH-DSA: one-time signatures and the hypertree of them (FIPS 205, sections 5 to 7). */
#include "slhdsa.h"

/* The steps of each chain for a message of n bytes: its digits in base 16, then those of their checksum. */
static void digits(const cv_slhdsa_kind *kind, uint8_t *out, const uint8_t *message)
{
    uint32_t checksum = 0;
    for (size_t i = 0; i < 2u * kind->n; i++) {
        out[i] = i % 2 ? message[i / 2] & 15 : message[i / 2] >> 4;
        checksum += 15u - out[i];
    }
    out += 2u * kind->n;
    out[0] = (uint8_t)(checksum >> 8), out[1] = (uint8_t)(checksum >> 4 & 15), out[2] = (uint8_t)(checksum & 15);
}

/* Steps `from` to `to` of a chain (algorithm 5). */
static void steps(struct cv_slhdsa *s, uint8_t *node, uint32_t chain, unsigned from, unsigned to)
{
    for (; from < to; from++) {
        cv_slhdsa_place(s, chain, from);
        s->kind->hash(s, node, node, s->kind->n, 0);
    }
}

/* Hashes the ends of the chains to a leaf. */
static void compress(struct cv_slhdsa *s, uint8_t *out, const uint8_t *ends, uint32_t pair)
{
    cv_slhdsa_type(s, WOTS_PK, pair);
    s->kind->hash(s, out, ends, (size_t)s->kind->n * cv_slhdsa_chains(s->kind), 1);
}

/* A public key (algorithm 6), and its signature (algorithm 7) if it is the wanted one. */
static void leaf(struct cv_slhdsa *s, uint8_t *out, uint32_t pair)
{
    uint8_t ends[MAX_CHAINS * MAX_N] __attribute__((aligned(8)));
    size_t n = s->kind->n;
    for (uint32_t i = 0; i < cv_slhdsa_chains(s->kind); i++) {
        uint8_t *node = ends + n * i;
        unsigned from = 0;
        cv_slhdsa_type(s, WOTS_PRF, pair);
        cv_slhdsa_place(s, i, 0);
        s->kind->hash(s, node, s->secret, n, 0);
        cv_slhdsa_type(s, WOTS_HASH, pair);
        if (s->one_time && pair == s->wanted) {
            from = s->steps[i];
            steps(s, node, i, 0, from);
            memcpy(s->one_time + n * i, node, n);
        }
        steps(s, node, i, from, 15);
    }
    compress(s, out, ends, pair);
}

static void recover_leaf(struct cv_slhdsa *s, uint8_t *node, const uint8_t *signature, uint32_t pair)
{
    uint8_t ends[MAX_CHAINS * MAX_N] __attribute__((aligned(8)));
    size_t n = s->kind->n, len = n * cv_slhdsa_chains(s->kind);
    digits(s->kind, s->steps, node);
    memcpy(ends, signature, len);
    cv_slhdsa_type(s, WOTS_HASH, pair);
    for (uint32_t i = 0; i < cv_slhdsa_chains(s->kind); i++)
        steps(s, ends + n * i, i, s->steps[i], 15);
    compress(s, node, ends, pair);
}

void cv_slhdsa_top(struct cv_slhdsa *s, uint8_t *root)
{
    s->one_time = NULL;
    cv_slhdsa_layer(s, s->kind->d - 1u, 0);
    cv_slhdsa_tree(s, root, NULL, 0, 0, cv_slhdsa_levels(s->kind), TREE, 0, leaf);
}

void cv_slhdsa_hypertree_sign(struct cv_slhdsa *s, uint8_t *signature, uint8_t *root, uint64_t tree, uint32_t index)
{
    const cv_slhdsa_kind *kind = s->kind;
    unsigned levels = cv_slhdsa_levels(kind);
    size_t one_time = (size_t)kind->n * cv_slhdsa_chains(kind);
    for (uint32_t layer = 0; layer < kind->d; layer++) {
        /* The signature so far gives this root to everybody. */
        CV_PUBLIC(root, kind->n);
        digits(kind, s->steps, root);
        s->wanted = index;
        s->one_time = signature;
        cv_slhdsa_layer(s, layer, tree);
        cv_slhdsa_tree(s, root, signature + one_time, index, 0, levels, TREE, 0, leaf);
        signature += one_time + (size_t)kind->n * levels;
        index = (uint32_t)tree & ((UINT32_C(1) << levels) - 1);
        tree >>= levels;
    }
}

void cv_slhdsa_hypertree_recover(struct cv_slhdsa *s, uint8_t *root, const uint8_t *signature, uint64_t tree,
                                 uint32_t index)
{
    const cv_slhdsa_kind *kind = s->kind;
    unsigned levels = cv_slhdsa_levels(kind);
    size_t one_time = (size_t)kind->n * cv_slhdsa_chains(kind);
    for (uint32_t layer = 0; layer < kind->d; layer++) {
        cv_slhdsa_layer(s, layer, tree);
        recover_leaf(s, root, signature, index);
        cv_slhdsa_climb(s, root, signature + one_time, index, levels, TREE, 0);
        signature += one_time + (size_t)kind->n * levels;
        index = (uint32_t)tree & ((UINT32_C(1) << levels) - 1);
        tree >>= levels;
    }
}

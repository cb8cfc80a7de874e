/* SLH-DSA: one-time signatures and the hypertree of them (FIPS 205, sections 5 to 7). */
#include "slhdsa.h"

/* Steps of a chain: w - 1. */
#define LAST 15

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

/* The secret start of each chain. */
static void begin_chains(struct cv_slhdsa *s, struct cv_slhdsa_nodes *r, uint8_t *starts)
{
    uint32_t chains = cv_slhdsa_chains(s->kind);
    r->count = 0;
    for (uint32_t i = 0; i < chains; i++) {
        uint8_t *node = starts + s->kind->n * i;
        memcpy(node, s->secret, s->kind->n);
        cv_slhdsa_add(r, node, i, 0);
        if (r->count == AT_ONCE || i + 1 == chains) {
            cv_slhdsa_hash_each(s, r, s->kind->n, 0);
            r->count = 0;
        }
    }
}

/* Copies the chain's node to the signature if it is the one that belongs there. */
static void note_node(struct cv_slhdsa *s, const struct cv_slhdsa_nodes *r, size_t i)
{
    uint32_t chain = r->places[i][0];
    if (s->steps[chain] == r->places[i][1])
        memcpy(s->one_time + s->kind->n * chain, r->out[i], s->kind->n);
}

/* A step of each running chain. One that has ended makes room for another. */
static void step_chains(struct cv_slhdsa *s, struct cv_slhdsa_nodes *r, int noted)
{
    cv_slhdsa_hash_each(s, r, s->kind->n, 0);
    for (size_t i = r->count; i-- > 0;) {
        r->places[i][1]++;
        if (noted)
            note_node(s, r, i);
        if (r->places[i][1] == LAST) {
            r->count--;
            r->in[i] = r->out[i] = r->out[r->count];
            memcpy(r->places[i], r->places[r->count], sizeof r->places[i]);
        }
    }
}

/* All chains to their ends: from their steps `from`, or if that is NULL from their secret starts, with the one-time
 * signature if it is wanted. */
CV_OWN_FRAME void chains_at_once(struct cv_slhdsa *s, uint8_t *ends, const uint8_t *from, uint32_t pair)
{
    uint64_t states[25 * AT_ONCE];
    struct cv_slhdsa_nodes r;
    int noted = !from && s->one_time && pair == s->wanted;
    s->states = states;
    if (!from) {
        cv_slhdsa_type(s, WOTS_PRF, pair);
        begin_chains(s, &r, ends);
    }
    cv_slhdsa_type(s, WOTS_HASH, pair);
    r.count = 0;
    for (uint32_t next = 0; next < cv_slhdsa_chains(s->kind); next++) {
        cv_slhdsa_add(&r, ends + s->kind->n * next, next, from ? from[next] : 0);
        if (noted)
            note_node(s, &r, r.count - 1);
        r.count -= r.places[r.count - 1][1] == LAST;
        while (r.count == AT_ONCE)
            step_chains(s, &r, noted);
    }
    while (r.count)
        step_chains(s, &r, noted);
    s->states = NULL;
    cv_wipe(states, sizeof states);
}

/* Hashes the ends of the chains to a leaf. */
static void compress(struct cv_slhdsa *s, uint8_t *out, const uint8_t *ends, uint32_t pair)
{
    cv_slhdsa_type(s, WOTS_PK, pair);
    s->kind->hash(s, out, ends, (size_t)s->kind->n * cv_slhdsa_chains(s->kind), 1);
}

/* A public key (algorithm 6), and its signature (algorithm 7) if it is the wanted one. */
static void leaf(struct cv_slhdsa *s, uint8_t *out, uint32_t pair, size_t count)
{
    uint8_t ends[MAX_CHAINS * MAX_N] __attribute__((aligned(8)));
    size_t n = s->kind->n;
    (void)count;
    if (cv_slhdsa_at_once(s, cv_slhdsa_chains(s->kind))) {
        chains_at_once(s, ends, NULL, pair);
        compress(s, out, ends, pair);
        return;
    }
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
        steps(s, node, i, from, LAST);
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
    if (cv_slhdsa_at_once(s, cv_slhdsa_chains(s->kind)))
        chains_at_once(s, ends, s->steps, pair);
    else
        for (uint32_t i = 0; i < cv_slhdsa_chains(s->kind); i++)
            steps(s, ends + n * i, i, s->steps[i], LAST);
    compress(s, node, ends, pair);
}

void cv_slhdsa_top(struct cv_slhdsa *s, uint8_t *root)
{
    uint8_t node[MAX_N] __attribute__((aligned(8)));
    s->one_time = NULL;
    cv_slhdsa_layer(s, s->kind->d - 1u, 0);
    cv_slhdsa_tree(s, node, NULL, 0, 0, cv_slhdsa_levels(s->kind), TREE, 0, 1, leaf);
    memcpy(root, node, s->kind->n);
}

void cv_slhdsa_hypertree_sign(struct cv_slhdsa *s, uint8_t *signature, uint8_t *root, uint64_t tree, uint32_t index)
{
    const cv_slhdsa_kind *kind = s->kind;
    unsigned levels = cv_slhdsa_levels(kind);
    size_t one_time = (size_t)kind->n * cv_slhdsa_chains(kind);
    for (uint32_t layer = 0; layer < kind->d; layer++) {
        /* Anyone can compute this root from the signature so far. */
        CV_PUBLIC(root, kind->n);
        digits(kind, s->steps, root);
        s->wanted = index;
        s->one_time = signature;
        cv_slhdsa_layer(s, layer, tree);
        cv_slhdsa_tree(s, root, signature + one_time, index, 0, levels, TREE, 0, 1, leaf);
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

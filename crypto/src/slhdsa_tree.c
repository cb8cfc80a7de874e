/* SLH-DSA: binary hash trees, of FORS and of the hypertree alike (FIPS 205, algorithms 9, 11, 15 and 17). */
#include "slhdsa.h"

void cv_slhdsa_hash_each(struct cv_slhdsa *s, const struct cv_slhdsa_nodes *r, size_t len, int wide)
{
    size_t taken = s->states ? cv_slhdsa_at_once(s, r->count) : 0;
    if (taken)
        s->kind->hash_many(s, r->out, r->in, len, r->places, taken);
    for (; taken < r->count; taken++) {
        cv_slhdsa_place(s, r->places[taken][0], r->places[taken][1]);
        s->kind->hash(s, r->out[taken], r->in[taken], len, wide);
    }
}

/* Joins `count` nodes in pairs to half as many; the first of them has the number `first` in its level. */
CV_OWN_FRAME void join(struct cv_slhdsa *s, uint8_t *nodes, size_t count, uint32_t first, unsigned level)
{
    size_t n = s->kind->n;
    struct cv_slhdsa_nodes r;
    for (r.count = 0; r.count < count / 2; r.count++) {
        r.out[r.count] = nodes + n * r.count;
        r.in[r.count] = nodes + 2 * n * r.count;
        r.places[r.count][0] = level + 1;
        r.places[r.count][1] = first / 2 + (uint32_t)r.count;
    }
    cv_slhdsa_hash_each(s, &r, 2 * n, 1);
}

/* Joins every `together` leaves to one node. Then, as long as the node has an odd number, it is joined with its waiting
 * left sibling. What selects nodes is public. */
void cv_slhdsa_tree(struct cv_slhdsa *s, uint8_t *nodes, uint8_t *path, uint32_t wanted, uint32_t offset,
                    unsigned height, uint32_t type, uint32_t pair, size_t together,
                    void (*leaves)(struct cv_slhdsa *s, uint8_t *out, uint32_t index, size_t count))
{
    size_t n = s->kind->n;
    /* The left siblings that wait for their right ones, each with room for the latter. */
    uint8_t waiting[MAX_LEVELS + 1][2 * MAX_N] __attribute__((aligned(8)));
    for (uint32_t i = 0; i < UINT32_C(1) << height; i += (uint32_t)together) {
        unsigned level = 0;
        size_t count = together;
        leaves(s, nodes, offset + i, count);
        cv_slhdsa_type(s, type, pair);
        for (;; level++) {
            uint32_t at = i >> level, sibling = wanted >> level ^ 1;
            if (path && level < height && sibling - at < count)
                memcpy(path + n * level, nodes + n * (sibling - at), n);
            if (count > 1) {
                join(s, nodes, count, (offset + i) >> level, level);
                count /= 2;
                continue;
            }
            if (!(at & 1) || level == height)
                break;
            memcpy(waiting[level] + n, nodes, n);
            cv_slhdsa_place(s, level + 1, (offset + i) >> (level + 1));
            s->kind->hash(s, nodes, waiting[level], 2 * n, 1);
        }
        memcpy(waiting[level], nodes, n);
    }
}

void cv_slhdsa_climb(struct cv_slhdsa *s, uint8_t *node, const uint8_t *path, uint32_t index, unsigned height,
                     uint32_t type, uint32_t pair)
{
    size_t n = s->kind->n;
    uint8_t both[2 * MAX_N] __attribute__((aligned(8)));
    cv_slhdsa_type(s, type, pair);
    for (unsigned level = 0; level < height; level++, index >>= 1, path += n) {
        cv_slhdsa_pair(both, node, path, n, index);
        cv_slhdsa_place(s, level + 1, index >> 1);
        s->kind->hash(s, node, both, 2 * n, 1);
    }
}

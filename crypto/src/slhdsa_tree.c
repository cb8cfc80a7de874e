/* SLH-DSA: binary hash trees, of FORS and of the hypertree alike (FIPS 205, algorithms 9, 11, 15 and 17). */
#include "slhdsa.h"

/* Leaf after leaf; each completes as many subtrees as its number ends with ones. Nothing that selects is secret. */
void cv_slhdsa_tree(struct cv_slhdsa *s, uint8_t *root, uint8_t *path, uint32_t wanted, uint32_t offset,
                    unsigned height, uint32_t type, uint32_t pair,
                    void (*leaf)(struct cv_slhdsa *s, uint8_t *out, uint32_t index))
{
    size_t n = s->kind->n;
    /* The left siblings that wait for their right ones, each with room for the latter. */
    uint8_t waiting[MAX_LEVELS + 1][2 * MAX_N] __attribute__((aligned(8)));
    uint8_t node[MAX_N] __attribute__((aligned(8)));
    for (uint32_t i = 0; i < UINT32_C(1) << height; i++) {
        unsigned level = 0;
        leaf(s, node, offset + i);
        cv_slhdsa_type(s, type, pair);
        for (;; level++) {
            uint32_t at = i >> level;
            if (path && level < height && (at ^ 1) == wanted >> level)
                memcpy(path + n * level, node, n);
            if (!(at & 1) || level == height)
                break;
            memcpy(waiting[level] + n, node, n);
            cv_slhdsa_place(s, level + 1, (offset + i) >> (level + 1));
            s->kind->hash(s, node, waiting[level], 2 * n, 1);
        }
        memcpy(waiting[level], node, n);
    }
    memcpy(root, node, n);
}

void cv_slhdsa_climb(struct cv_slhdsa *s, uint8_t *node, const uint8_t *path, uint32_t index, unsigned height,
                     uint32_t type, uint32_t pair)
{
    size_t n = s->kind->n;
    uint8_t both[2 * MAX_N] __attribute__((aligned(8)));
    cv_slhdsa_type(s, type, pair);
    for (unsigned level = 0; level < height; level++, index >>= 1, path += n) {
        memcpy(both + (index & 1 ? n : 0), node, n);
        memcpy(both + (index & 1 ? 0 : n), path, n);
        cv_slhdsa_place(s, level + 1, index >> 1);
        s->kind->hash(s, node, both, 2 * n, 1);
    }
}

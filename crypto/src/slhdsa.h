/* What the files of SLH-DSA share. Sections and algorithms are those of FIPS 205. */
#ifndef CV_SLHDSA_H
#define CV_SLHDSA_H

#include "capvec_slhdsa.h"
#include "internal.h"

/* Maximum numbers of bytes of a node, chains of a one-time key, levels of a tree, and bytes of a message's digest. */
#define MAX_N 32
#define MAX_CHAINS 67
#define MAX_LEVELS 14
#define MAX_DIGEST 49

/* Types of addresses (4.2). */
enum { WOTS_HASH, WOTS_PK, TREE, FORS_TREE, FORS_ROOTS, WOTS_PRF, FORS_PRF };

/* One operation. What it computes with is here and not on the stack of each hash, so that it is wiped only once. */
struct cv_slhdsa {
    const cv_slhdsa_kind *kind;
    const uint8_t *secret; /* SK.seed; NULL to verify */
    uint8_t seed[MAX_N] __attribute__((aligned(8)));
    uint8_t address[32] __attribute__((aligned(8)));
    /* The hash function's state and block, and for SHA-2 its states after PK.seed and zeros. */
    uint64_t state[25];
    uint8_t block[136] __attribute__((aligned(8)));
    uint64_t after_seed_256[4], after_seed_512[8];
    /* The one-time signature that is made together with the tree: of which leaf, where it goes, and how far each chain is
     * computed. NULL if there is none. */
    uint32_t wanted;
    uint8_t *one_time;
    uint8_t steps[MAX_CHAINS];
};

/* M' in pieces. */
struct cv_slhdsa_message {
    const uint8_t *prefix, *text;
    size_t prefix_len, len;
};

struct cv_slhdsa_kind {
    uint8_t n, h, d, a, k, m; /* table 2 */
    /* Prepares the hash for s->seed. */
    void (*begin)(struct cv_slhdsa *s);
    /* F, H, T and PRF: n bytes from PK.seed, the address and `len` bytes, a multiple of 8. `wide` for H and T. In and out
     * may be the same. */
    void (*hash)(struct cv_slhdsa *s, uint8_t *out, const uint8_t *in, size_t len, int wide);
    /* PRFmsg: n bytes. */
    void (*randomize)(const cv_slhdsa_kind *kind, uint8_t *out, const uint8_t *key, const uint8_t *random,
                      const struct cv_slhdsa_message *m);
    /* Hmsg: m bytes; `public_key` has 2 n. */
    void (*digest)(const cv_slhdsa_kind *kind, uint8_t *out, const uint8_t *r, const uint8_t *public_key,
                   const struct cv_slhdsa_message *m);
};

/* Levels of a tree of the hypertree, and chains of a one-time key. */
static inline unsigned cv_slhdsa_levels(const cv_slhdsa_kind *kind)
{
    /* h / d. */
    return kind->d == 7 ? 9 : kind->d == 8 ? 8 : kind->d == 17 ? 4 : 3;
}

static inline unsigned cv_slhdsa_chains(const cv_slhdsa_kind *kind)
{
    return 2u * kind->n + 3;
}

/* Words of an address. */
static inline void cv_slhdsa_layer(struct cv_slhdsa *s, uint32_t layer, uint64_t tree)
{
    cv_store_be32(s->address, layer);
    cv_store_be64(s->address + 8, tree);
}

static inline void cv_slhdsa_type(struct cv_slhdsa *s, uint32_t type, uint32_t pair)
{
    cv_store_be32(s->address + 16, type);
    cv_store_be32(s->address + 20, pair);
    cv_store_be32(s->address + 24, 0);
    cv_store_be32(s->address + 28, 0);
}

/* Chain or height, and step or index. */
static inline void cv_slhdsa_place(struct cv_slhdsa *s, uint32_t height, uint32_t index)
{
    cv_store_be32(s->address + 24, height);
    cv_store_be32(s->address + 28, index);
}

/* The root of a tree of `height` levels, whose leaves have the numbers from `offset` on, and the authentication path of
 * the leaf `offset` + `wanted`. Nodes get the address `type` and `pair`. */
void cv_slhdsa_tree(struct cv_slhdsa *s, uint8_t *root, uint8_t *path, uint32_t wanted, uint32_t offset,
                    unsigned height, uint32_t type, uint32_t pair,
                    void (*leaf)(struct cv_slhdsa *s, uint8_t *out, uint32_t index));
/* The root that follows from a leaf and its path. */
void cv_slhdsa_climb(struct cv_slhdsa *s, uint8_t *node, const uint8_t *path, uint32_t index, unsigned height,
                     uint32_t type, uint32_t pair);

/* FORS (section 8): signature of `digest` with the key `pair`, and the public key, which both return. */
void cv_slhdsa_fors_sign(struct cv_slhdsa *s, uint8_t *signature, uint8_t *root, const uint8_t *digest, uint32_t pair);
void cv_slhdsa_fors_recover(struct cv_slhdsa *s, uint8_t *root, const uint8_t *signature, const uint8_t *digest,
                            uint32_t pair);
/* The hypertree (section 7): signature of `root`, which becomes that of the top; its recovery. */
void cv_slhdsa_hypertree_sign(struct cv_slhdsa *s, uint8_t *signature, uint8_t *root, uint64_t tree, uint32_t leaf);
void cv_slhdsa_hypertree_recover(struct cv_slhdsa *s, uint8_t *root, const uint8_t *signature, uint64_t tree,
                                 uint32_t leaf);
/* The root of the topmost tree. */
void cv_slhdsa_top(struct cv_slhdsa *s, uint8_t *root);

#endif

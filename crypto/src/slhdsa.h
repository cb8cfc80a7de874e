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

/* Maximum number of hashes at once: as many as a register of 2048 bits has words. With a small stack there is only one. */
#ifdef CV_SMALL_STACK
# define AT_ONCE 1
#else
# define AT_ONCE 32
#endif

/* Types of addresses (4.2). */
enum { WOTS_HASH, WOTS_PK, TREE, FORS_TREE, FORS_ROOTS, WOTS_PRF, FORS_PRF };

/* The state of one operation: here instead of on the stack of each hash, so that it is wiped only once. */
struct cv_slhdsa {
    const cv_slhdsa_kind *kind;
    const uint8_t *secret; /* SK.seed; NULL to verify */
    uint8_t seed[MAX_N] __attribute__((aligned(8)));
    uint8_t address[32] __attribute__((aligned(8)));
    /* The hash function's state and block, and for SHA-2 its states after PK.seed and zeros. */
    uint64_t state[25];
    uint8_t block[136] __attribute__((aligned(8)));
    uint64_t after_seed_256[4], after_seed_512[8];
    /* Room for AT_ONCE states of Keccak while several hashes are computed at once. */
    uint64_t *states;
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
    /* `hash` of at most AT_ONCE inputs of n or 2 n bytes; `places` has the last two words of their addresses. Outputs
     * may be where inputs of the same or of lower numbers are. NULL if the hash function has no such code. */
    void (*hash_many)(struct cv_slhdsa *s, uint8_t *const *out, const uint8_t *const *in, size_t len,
                      const uint32_t (*places)[2], size_t count);
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

/* Nodes to hash together, each at a place of its own. */
struct cv_slhdsa_nodes {
    uint8_t *out[AT_ONCE];
    const uint8_t *in[AT_ONCE];
    uint32_t places[AT_ONCE][2];
    size_t count;
};

/* How many of `count` hashes to compute at once; 0 for one alone. With a small stack it is always 0, and the compiler removes
 * the code for several. */
static inline size_t cv_slhdsa_at_once(const struct cv_slhdsa *s, size_t count)
{
    return s->kind->hash_many ? cv_hash_many_at_once(count) : 0;
}

/* Adds a node that is hashed in place. */
static inline void cv_slhdsa_add(struct cv_slhdsa_nodes *r, uint8_t *node, uint32_t height, uint32_t index)
{
    r->in[r->count] = r->out[r->count] = node;
    r->places[r->count][0] = height;
    r->places[r->count][1] = index;
    r->count++;
}

/* Hashes all nodes, of `len` bytes each: as many at once as that makes faster, in s->states; the others one by one. */
void cv_slhdsa_hash_each(struct cv_slhdsa *s, const struct cv_slhdsa_nodes *r, size_t len, int wide);

/* The root of a tree of `height` levels, whose leaves have the numbers from `offset` on, and the authentication path of
 * the leaf `offset` + `wanted`. Nodes get the address `type` and `pair`. `leaves` computes `count` leaves from the number `index`
 * on; it is called with `together`, a power of two of at most AT_ONCE and at most the number of leaves. `nodes` has room for
 * `together` nodes, and is aligned; the first becomes the root. */
void cv_slhdsa_tree(struct cv_slhdsa *s, uint8_t *nodes, uint8_t *path, uint32_t wanted, uint32_t offset,
                    unsigned height, uint32_t type, uint32_t pair, size_t together,
                    void (*leaves)(struct cv_slhdsa *s, uint8_t *out, uint32_t index, size_t count));

/* A node with this index and its sibling, in order. */
static inline void cv_slhdsa_pair(uint8_t *both, const uint8_t *node, const uint8_t *sibling, size_t n, uint32_t index)
{
    memcpy(both + (index & 1 ? n : 0), node, n);
    memcpy(both + (index & 1 ? 0 : n), sibling, n);
}

/* The root that follows from a leaf and its path. */
void cv_slhdsa_climb(struct cv_slhdsa *s, uint8_t *node, const uint8_t *path, uint32_t index, unsigned height,
                     uint32_t type, uint32_t pair);

/* FORS (section 8): signature of `digest` with the key `pair`, and the public key, which both return. */
void cv_slhdsa_fors_sign(struct cv_slhdsa *s, uint8_t *signature, uint8_t *root, const uint8_t *digest, uint32_t pair);
void cv_slhdsa_fors_recover(struct cv_slhdsa *s, uint8_t *root, const uint8_t *signature, const uint8_t *digest,
                            uint32_t pair);
/* The hypertree (section 7): the signature of `root`, or what follows from one; `root` becomes that of the top tree. */
void cv_slhdsa_hypertree_sign(struct cv_slhdsa *s, uint8_t *signature, uint8_t *root, uint64_t tree, uint32_t leaf);
void cv_slhdsa_hypertree_recover(struct cv_slhdsa *s, uint8_t *root, const uint8_t *signature, uint64_t tree,
                                 uint32_t leaf);
/* The root of the topmost tree. */
void cv_slhdsa_top(struct cv_slhdsa *s, uint8_t *root);

#endif

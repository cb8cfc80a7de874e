/* What a backend provides: kernels for parts of algorithms, for a hart with certain capabilities.
 *
 * A backend fills in the operations that it has; NULL declines. The portable code covers everything, so the composed
 * table contains NULL only for features that the build leaves out (src/dispatch.c). Kernels are reachable in only two
 * ways: through that table, and through a backend's accessor, which requires a token: proof that the hart has the
 * capabilities. Only src/caps.c creates tokens with capabilities.
 *
 * For all kernels: buffers have any alignment (vector kernels assume a hart that supports misaligned elements;
 * detection does not offer V where Linux says that it does not); output is at the same address as the input or disjoint
 * from it; contexts have the alignment of their type; the psABI's callee-saved registers, vstart = 0 and vcsr are
 * preserved. Kernels write only what their comments say, and leave no secret in vector registers. Numbers of blocks are
 * never 0. */
#ifndef CV_OPERATIONS_H
#define CV_OPERATIONS_H

#include "capvec.h"

/* The lattice schemes go with SHA-3, on which they are built. */
#ifdef CV_NO_SHA3
# undef CV_NO_MLKEM
# define CV_NO_MLKEM
# undef CV_NO_MLDSA
# define CV_NO_MLDSA
#endif

/* Proof that the hart has these capabilities. */
typedef struct cv_token {
    uint64_t caps;
} cv_token;

/* Whether the hart has all of `needs`. */
static inline int cv_has(cv_token token, uint64_t needs)
{
    return (token.caps & needs) == needs;
}

/* The operations of each table are listed below it, in CV_..._OPS; the dispatch composes, and tests visit, what is
 * listed. A list that lacks an operation of its table, or repeats one, does not compile. */
#define CV_OP_NAME(name) char name;
#define CV_ALL_OPS(table, list) \
    struct table##_names { \
        list(CV_OP_NAME) \
    }; \
    _Static_assert(sizeof(struct table) == sizeof(struct table##_names) * sizeof(void (*)(void)), \
                   "every operation of " #table " is listed once")

/* Kernels of a block cipher with 16-byte blocks. A backend has both directions of ECB or neither; if it has them, it
 * takes over all modes: those that it declines are the portable ones on top of its ECB. */
struct cv_block_ops {
    /* Round keys from a key of `bits` bits; writes nothing else. */
    void (*expand)(cv_block_key *key, const uint8_t *bytes, unsigned bits);
    void (*ecb_encrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
    void (*ecb_decrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
    /* C[i] = E(P[i] ^ C[i-1]), P[i] = D(C[i]) ^ C[i-1], where C[-1] is `iv`, which is aligned to 4, here and below. */
    void (*cbc_encrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv);
    void (*cbc_decrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv);
    /* C[i] = P[i] ^ E(C[i-1]), P[i] = C[i] ^ E(C[i-1]). */
    void (*cfb_encrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv);
    void (*cfb_decrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv);
    /* The counter block is the first 12 bytes of `iv` and `counter`, big-endian, which counts modulo 2^32. */
    void (*ctr32)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv,
                  uint32_t counter);
    /* C[i] = E(P[i] ^ T x^i) ^ T x^i in the field of IEEE 1619; then `tweak`, aligned to 4, becomes T x^blocks. */
    void (*xts_encrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak);
    void (*xts_decrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak);
    /* The same in the field of GB/T 17964-2021, which is that of GHASH. */
    void (*xts_gb_encrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak);
    void (*xts_gb_decrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak);
    /* ctr32, and `y` becomes the hash of `y` and the ciphertext. `y` is aligned to 4. */
    void (*gcm_encrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv,
                        uint32_t counter, const cv_ghash_key *hash, uint8_t *y);
    void (*gcm_decrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv,
                        uint32_t counter, const cv_ghash_key *hash, uint8_t *y);
    /* mac = E(mac ^ in[i]) for each block; `mac` is aligned to 4. */
    void (*mac)(const cv_block_key *key, uint8_t *mac, const uint8_t *in, size_t blocks);
    /* C[i] = E(P[i] ^ O[i]) ^ O[i], P[i] = D(C[i] ^ O[i]) ^ O[i] with the offsets of RFC 7253 after `ocb->blocks`
     * blocks; updates `ocb->offset` and `ocb->checksum`, and nothing else. */
    void (*ocb_encrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, cv_ocb *ocb);
    void (*ocb_decrypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, cv_ocb *ocb);
};

#define CV_BLOCK_OPS(op) \
    op(expand) op(ecb_encrypt) op(ecb_decrypt) op(cbc_encrypt) op(cbc_decrypt) op(cfb_encrypt) op(cfb_decrypt) \
        op(ctr32) op(xts_encrypt) op(xts_decrypt) op(xts_gb_encrypt) op(xts_gb_decrypt) op(gcm_encrypt) \
            op(gcm_decrypt) op(mac) op(ocb_encrypt) op(ocb_decrypt)
CV_ALL_OPS(cv_block_ops, CV_BLOCK_OPS);

/* GHASH. */
struct cv_ghash_ops {
    /* y = (y ^ in[i]) H for each block; `y` is aligned to 4. */
    void (*blocks)(const cv_ghash_key *key, uint8_t *y, const uint8_t *in, size_t blocks);
};
#define CV_GHASH_OPS(op) op(blocks)
CV_ALL_OPS(cv_ghash_ops, CV_GHASH_OPS);

/* Compression functions of hashes: they absorb `blocks` blocks of `data` into `state`, whose words are in host order. */
struct cv_hash_ops {
    void (*sha1)(uint32_t state[5], const uint8_t *data, size_t blocks);
    void (*sha256)(uint32_t state[8], const uint8_t *data, size_t blocks);
    void (*sha512)(uint64_t state[8], const uint8_t *data, size_t blocks);
    void (*sm3)(uint32_t state[8], const uint8_t *data, size_t blocks);
    /* For each block: XORs its `lanes` little-endian 64-bit words into the state, then applies Keccak-f[1600]. */
    void (*keccak)(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes);
    /* For each block: applies Keccak-f[1600], then writes the first `lanes` words of the state, little-endian. */
    void (*keccak_squeeze)(uint64_t state[25], uint8_t *out, size_t blocks, size_t lanes);
    /* `keccak` for `count` states: lane i of state j is at `states` plus `stride` i bytes and j words, and its blocks
     * begin at data[j]. */
    void (*keccak_many)(uint64_t *states, size_t stride, const uint8_t *const *data, size_t blocks, size_t lanes,
                        size_t count);
    /* Writes the first `lanes` words of each of these states, little-endian, to out[j]. Neither number is 0. */
    void (*keccak_extract)(const uint64_t *states, size_t stride, uint8_t *const *out, size_t lanes, size_t count);
};
#define CV_HASH_OPS(op) \
    op(sha1) op(sha256) op(sha512) op(sm3) op(keccak) op(keccak_squeeze) op(keccak_many) op(keccak_extract)
CV_ALL_OPS(cv_hash_ops, CV_HASH_OPS);

struct cv_chacha_ops {
    /* XORs `blocks` blocks of 64 bytes of the stream; `state` is the matrix of RFC 8439, 2.3, whose word 12 counts
     * modulo 2^32 and is not changed. */
    void (*chacha20)(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t state[16]);
    /* Poly1305 of blocks of 16 bytes: h = (h + block + 2^128) r for each. `r` is clamped; `h` is modulo 2^130 - 5, and
     * below 2^131. */
    void (*poly1305)(uint64_t h[3], const uint64_t r[2], const uint8_t *data, size_t blocks);
};
#define CV_CHACHA_OPS(op) op(chacha20) op(poly1305)
CV_ALL_OPS(cv_chacha_ops, CV_CHACHA_OPS);

/* ML-KEM (FIPS 203). Polynomials have 256 coefficients modulo q = 3329. "Reduced" is below q, "small" below 4096.
 * In the NTT domain they are in the order of the standard. Inputs and outputs may be the same polynomial. */
struct cv_mlkem_ops {
    /* Whether both are equal, in constant time. */
    int (*same)(const uint8_t *a, const uint8_t *b, size_t len);
    /* To the NTT domain and back: small in for the first, reduced in for the second; reduced out. */
    void (*ntt)(uint16_t f[256]);
    void (*inverse)(uint16_t f[256]);
    /* h = the sum of the `k` products of f + i step and g + 256 i in the NTT domain; at most 4 of them. Small in, reduced
     * out. */
    void (*multiply)(uint16_t h[256], const uint16_t *f, size_t step, const uint16_t *g, size_t k);
    /* h = f + g, and h = f + q - g for g at most q, both without reduction. */
    void (*add)(uint16_t h[256], const uint16_t f[256], const uint16_t g[256]);
    void (*subtract)(uint16_t h[256], const uint16_t f[256], const uint16_t g[256]);
    /* h = f + g, reduced; so are f and g. */
    void (*add_reduced)(uint16_t h[256], const uint16_t f[256], const uint16_t g[256]);
    /* Takes numbers of 12 bits from `len` bytes, a multiple of 6 from 12 on, and stores those below q until there are
     * `room`, which is not 0. Returns how many; what follows them in `out` is undefined. Not for secrets. */
    size_t (*reject)(uint16_t *out, size_t room, const uint8_t *bytes, size_t len);
    /* SamplePolyCBD with eta 2 and 3; small out. */
    void (*cbd2)(uint16_t f[256], const uint8_t bytes[128]);
    void (*cbd3)(uint16_t f[256], const uint8_t bytes[192]);
    /* ByteEncode and ByteDecode with 12 bits; the latter returns whether all are reduced. */
    void (*pack)(uint8_t *out, const uint16_t f[256]);
    int (*unpack)(uint16_t f[256], const uint8_t *in);
    /* Compress and ByteEncode with `d` bits, for coefficients below 2^14; ByteDecode and Decompress, reduced out. `d` is
     * 1, 4, 5, 10 or 11. */
    void (*compress)(uint8_t *out, const uint16_t f[256], unsigned d);
    void (*decompress)(uint16_t f[256], const uint8_t *in, unsigned d);
};
#define CV_MLKEM_OPS(op) \
    op(same) op(ntt) op(inverse) op(multiply) op(add) op(subtract) op(add_reduced) op(reject) op(cbd2) op(cbd3) \
        op(pack) op(unpack) op(compress) op(decompress)
CV_ALL_OPS(cv_mlkem_ops, CV_MLKEM_OPS);

/* ML-DSA (FIPS 204). Polynomials have 256 coefficients modulo q = 8380417, reduced unless said otherwise. Inputs and
 * outputs may be the same polynomial. */
struct cv_mldsa_ops {
    /* To the NTT domain and back. */
    void (*ntt)(uint32_t f[256]);
    void (*inverse)(uint32_t f[256]);
    /* h = the sum of the `n` products of f + 256 i and g + 256 i in the NTT domain; at most 8 of them. */
    void (*multiply)(uint32_t h[256], const uint32_t *f, const uint32_t *g, size_t n);
    void (*add)(uint32_t h[256], const uint32_t f[256], const uint32_t g[256]);
    void (*subtract)(uint32_t h[256], const uint32_t f[256], const uint32_t g[256]);
    /* Takes numbers of 23 bits from the triples of `len` bytes, and stores those below q until there are `room`. Returns
     * how many. Not for secrets. */
    size_t (*reject)(uint32_t *out, size_t room, const uint8_t *bytes, size_t len);
    /* The same for CoeffFromHalfByte; time may depend on which are taken, but not on their values. */
    size_t (*reject_small)(uint32_t *out, size_t room, const uint8_t *bytes, size_t len, unsigned eta);
    /* f 2^13, without reduction, for coefficients below 2^10. */
    void (*shift)(uint32_t f[256]);
    /* Power2Round and Decompose; high bits may replace the input. */
    void (*round)(uint32_t high[256], uint32_t low[256], const uint32_t f[256]);
    void (*decompose)(uint32_t high[256], uint32_t low[256], const uint32_t f[256], uint32_t gamma2);
    /* Whether any coefficient, taken from -q/2 to q/2, is at least `bound` in absolute value. */
    int (*exceeds)(const uint32_t f[256], uint32_t bound);
    /* Ones where the high bits of f and g differ; returns their number. */
    size_t (*make_hint)(uint32_t h[256], const uint32_t f[256], const uint32_t g[256], uint32_t gamma2);
    /* UseHint, not for secrets. */
    void (*use_hint)(uint32_t high[256], const uint32_t f[256], const uint32_t h[256], uint32_t gamma2);
    /* SimpleBitPack and its inverse with `d` bits: 4, 6 or 10. */
    void (*pack)(uint8_t *out, const uint32_t f[256], unsigned d);
    void (*unpack)(uint32_t f[256], const uint8_t *in, unsigned d);
    /* BitPack and its inverse: `d` bits, 3, 4, 13, 18 or 20, of top - f. */
    void (*pack_below)(uint8_t *out, const uint32_t f[256], unsigned d, uint32_t top);
    void (*unpack_below)(uint32_t f[256], const uint8_t *in, unsigned d, uint32_t top);
};
#define CV_MLDSA_OPS(op) \
    op(ntt) op(inverse) op(multiply) op(add) op(subtract) op(reject) op(reject_small) op(shift) op(round) \
        op(decompose) op(exceeds) op(make_hint) op(use_hint) op(pack) op(unpack) op(pack_below) op(unpack_below)
CV_ALL_OPS(cv_mldsa_ops, CV_MLDSA_OPS);

/* All kernels of a backend: there is one for each instruction set architecture and family of capabilities. */
struct cv_backend {
    const char *name; /* the kernels' file */
    uint64_t needs;
    int lanes; /* whether ChaCha20 and Poly1305 process blocks in vector lanes, which a few blocks do not fill */
    struct cv_block_ops aes, sm4;
    struct cv_ghash_ops ghash;
    struct cv_hash_ops hash;
    struct cv_chacha_ops chacha;
    struct cv_mlkem_ops mlkem;
    struct cv_mldsa_ops mldsa;
};

/* Iterates over the backends that the hart may run, better ones later; `next` begins at 0. NULL after the last. */
const struct cv_backend *cv_native_backend(cv_token token, size_t *next);

/* The capabilities that kernels can use at this hart's VLEN. */
cv_token cv_native_usable(cv_token token);

/* How many of `count` states keccak_many should process at once with these capabilities; the others are faster one
 * after the other. It uses at least `least` lanes of a register; with 0 as many as pay off on most cores. */
size_t cv_native_many(cv_token token, size_t count, size_t least);

/* Algorithms that use vector lanes from some number of blocks on, and another kernel below it. */
enum cv_long { CV_CHACHA20, CV_POLY1305, CV_LONGS };

/* That number: with it, karu64, marian and ux900 are not much slower than with their best one; SIZE_MAX for never. */
size_t cv_native_long(cv_token token, enum cv_long what);

/* cv_native_backend for an array of `count` backends. */
static inline const struct cv_backend *cv_next_backend(const struct cv_backend *all, size_t count, cv_token token,
                                                       size_t *next)
{
    while (*next < count) {
        const struct cv_backend *b = &all[(*next)++];
        if (cv_has(token, b->needs))
            return b;
    }
    return NULL;
}

#endif

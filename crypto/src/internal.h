/* What the library's own files share. */
#ifndef CV_INTERNAL_H
#define CV_INTERNAL_H

#include "operations.h"
#include "caps_table.h"
#include "secrets.h"

#ifdef CV_FREESTANDING
/* There may be no C library headers, but compilers need these functions anyway. */
void *memcpy(void *restrict to, const void *restrict from, size_t len);
void *memmove(void *to, const void *from, size_t len);
void *memset(void *data, int byte, size_t len);
/* The compiler knows these functions regardless: short copies then become instructions instead of calls. */
# define memcpy __builtin_memcpy
# define memmove __builtin_memmove
# define memset __builtin_memset
#else
# include <string.h>
#endif

/* The kernels for some capabilities (src/dispatch.c). */
struct cv_kernels {
    cv_token token;
    int composed;
    struct cv_block_ops aes, sm4;
    struct cv_ghash_ops ghash;
    struct cv_hash_ops hash;
    struct cv_chacha_ops chacha;  /* for long messages, from long_from blocks on */
    struct cv_chacha_ops chacha_short;
    struct cv_mlkem_ops mlkem;
    struct cv_mldsa_ops mldsa;
    size_t long_from[CV_LONGS];
};

/* Portable kernels: key expansion and ECB of ciphers, the modes on top of them, and the others. */
extern const struct cv_block_ops cv_portable_aes, cv_portable_sm4, cv_portable_modes;
extern const struct cv_ghash_ops cv_portable_ghash;
extern const struct cv_hash_ops cv_portable_hash;
extern const struct cv_mlkem_ops cv_portable_mlkem;
extern const struct cv_mldsa_ops cv_portable_mldsa;
void cv_portable_sha1(uint32_t state[5], const uint8_t *data, size_t blocks);
void cv_portable_sha256(uint32_t state[8], const uint8_t *data, size_t blocks);
void cv_portable_sha512(uint64_t state[8], const uint8_t *data, size_t blocks);
void cv_portable_sm3(uint32_t state[8], const uint8_t *data, size_t blocks);
void cv_portable_keccak(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes);
void cv_portable_keccak_extract(const uint64_t *states, size_t stride, uint8_t *const *out, size_t lanes, size_t count);
/* Implemented with `keccak` of the kernels in use. */
void cv_generic_keccak_squeeze(uint64_t state[25], uint8_t *out, size_t blocks, size_t lanes);
void cv_generic_keccak_many(uint64_t *states, size_t stride, const uint8_t *const *data, size_t blocks, size_t lanes,
                            size_t count);

void cv_portable_chacha20(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t state[16]);
void cv_portable_poly1305(uint64_t h[3], const uint64_t r[2], const uint8_t *data, size_t blocks);

/* Round constants. */
extern const uint32_t cv_sha256_k[64];
extern const uint64_t cv_sha512_k[80], cv_keccak_constants[24];

/* Blocks of OCB, on top of ECB. */
void cv_generic_ocb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, cv_ocb *ocb);
void cv_generic_ocb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, cv_ocb *ocb);

/* The kernels in use, also before `cv_init`. */
const struct cv_kernels *cv_kernels_in_use(void);
/* The value set by cv_hash_many_threshold. */
size_t cv_many_threshold(void);
/* A function that must not be inlined: if two are called one after the other, their frames share the same stack. */
#define CV_OWN_FRAME static __attribute__((noinline))

/* How many of `count` messages cv_hash_many hashes with SHA-3 or SHAKE at once; 0 if one after the other is faster. */
size_t cv_hash_many_taken(size_t count);
/* How many of `count` SHAKE streams to compute at once. With a small stack, the compiler removes the code for several. */
static inline size_t cv_hash_many_at_once(size_t count)
{
#ifdef CV_SMALL_STACK
    (void)count;
    return 0;
#else
    return cv_hash_many_taken(count);
#endif
}
/* The number of blocks from which `chacha` is used instead of `chacha_short`. */
size_t cv_long_from(const struct cv_kernels *kernels, enum cv_long what);
/* Changes that number for all threads; 0 restores the default for the capabilities. */
void cv_set_long_from(enum cv_long what, size_t blocks);

/* Capabilities from a string, or detected. Errors: CV_ERR_CAPS. */
int cv_token_parse(cv_token *token, const char *text);
cv_token cv_token_detect(void);
/* The inverse: writes a capability string, like `cv_caps`. */
size_t cv_token_names(cv_token token, char *text, size_t room);

/* Whether a context was wiped at the end of its message: its pointer to a hash or key is then NULL. */
static inline int cv_has_ended(const void *kind_or_key)
{
    return !kind_or_key;
}

/* Whether the 2^bits bytes at `p` may be accessed as a word: unaligned accesses may trap. */
static inline int cv_is_word(const uint8_t *p, int bits)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return ((uintptr_t)p & (((uintptr_t)1 << bits) - 1)) == 0;
#else
    (void)p, (void)bits;
    return 0;
#endif
}

static inline uint32_t cv_load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Hides the address: compilers for harts without rev8 would otherwise combine such bytes in a register and store a
 * word, which takes twice the instructions. */
#define CV_BYTES(p) __asm__("" : "+r"(p))

static inline void cv_store_be32(uint8_t *p, uint32_t v)
{
    CV_BYTES(p);
    p[0] = (uint8_t)(v >> 24), p[1] = (uint8_t)(v >> 16), p[2] = (uint8_t)(v >> 8), p[3] = (uint8_t)v;
}

static inline uint32_t cv_load_le32(const uint8_t *p)
{
    uint32_t v;
    if (cv_is_word(p, 2))
        return memcpy(&v, __builtin_assume_aligned(p, 4), 4), v;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void cv_store_le32(uint8_t *p, uint32_t v)
{
    if (cv_is_word(p, 2))
        memcpy(__builtin_assume_aligned(p, 4), &v, 4);
    else
        p[0] = (uint8_t)v, p[1] = (uint8_t)(v >> 8), p[2] = (uint8_t)(v >> 16), p[3] = (uint8_t)(v >> 24);
}

static inline uint64_t cv_load_be64(const uint8_t *p)
{
    return (uint64_t)cv_load_be32(p) << 32 | cv_load_be32(p + 4);
}

static inline void cv_store_be64(uint8_t *p, uint64_t v)
{
    cv_store_be32(p, (uint32_t)(v >> 32)), cv_store_be32(p + 4, (uint32_t)v);
}

static inline uint64_t cv_load_le64(const uint8_t *p)
{
    uint64_t v = 0;
    if (cv_is_word(p, 3))
        return memcpy(&v, __builtin_assume_aligned(p, 8), 8), v;
    for (int i = 0; i < 8; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

static inline void cv_store_le64(uint8_t *p, uint64_t v)
{
    if (cv_is_word(p, 3))
        memcpy(__builtin_assume_aligned(p, 8), &v, 8);
    else
        for (int i = 0; i < 8; i++)
            p[i] = (uint8_t)(v >> 8 * i);
}

/* All ones for the bit 1, else 0. This is hidden from the compiler, which could turn a mask of one bit into a branch. */
static inline uint32_t cv_mask(uint32_t bit)
{
    uint32_t mask = 0 - bit;
    __asm__("" : "+r"(mask));
    return mask;
}

/* T x in the field of IEEE 1619: little-endian, modulo x^128 + x^7 + x^2 + x + 1. */
static inline void cv_next_tweak(uint8_t *out, const uint8_t *tweak)
{
    uint64_t low = cv_load_le64(tweak), high = cv_load_le64(tweak + 8);
    cv_store_le64(out, low << 1 ^ (cv_mask((uint32_t)(high >> 63)) & 0x87));
    cv_store_le64(out + 8, high << 1 | low >> 63);
}

/* The same in the field of GB/T 17964-2021: big-endian, with the highest coefficient at the end. */
static inline void cv_next_tweak_gb(uint8_t *out, const uint8_t *tweak)
{
    uint8_t carry = 0, last = tweak[CV_BLOCK - 1] & 1;
    for (int i = 0; i < CV_BLOCK; i++) {
        uint8_t byte = tweak[i];
        out[i] = (uint8_t)(byte >> 1 | carry << 7);
        carry = byte & 1;
    }
    out[0] ^= (uint8_t)((0 - last) & 0xe1);
}

/* Whether both are equal, in constant time. */
static inline int cv_same(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint64_t difference = 0;
    size_t i = 0;
    if ((((uintptr_t)a | (uintptr_t)b) & 7) == 0)
        for (; i + 8 <= len; i += 8)
            difference |=
                cv_load_le64(__builtin_assume_aligned(a + i, 8)) ^ cv_load_le64(__builtin_assume_aligned(b + i, 8));
    for (; i < len; i++)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

/* Two 32-bit words, or one 64-bit word, of any type. */
typedef uint64_t __attribute__((may_alias)) cv_pair;

/* memcpy for at most a block: the overhead of a C library's call exceeds the cost of this copy. The empty statements
 * prevent compilers from turning it into a call again. */
static inline void cv_copy(uint8_t *to, const uint8_t *from, size_t len)
{
    size_t i = 0;
    if ((((uintptr_t)to | (uintptr_t)from) & 7) == 0) {
        for (; i + 8 <= len; i += 8) {
            uint64_t word = *(const cv_pair *)(const void *)(from + i);
            __asm__("" : "+r"(word));
            *(cv_pair *)(void *)(to + i) = word;
        }
    }
    for (; i < len; i++) {
        uint8_t byte = from[i];
        __asm__("" : "+r"(byte));
        to[i] = byte;
    }
}

/* The same for any length. */
static inline void cv_copy_any(uint8_t *to, const uint8_t *from, size_t len)
{
    if (len < 32 || (((uintptr_t)to | (uintptr_t)from) & 7) == 0)
        cv_copy(to, from, len);
    else
        memcpy(to, from, len);
}

/* Writes zeros from one multiple of 8 to another, in memory aligned to 8. The compiler does not optimise this away. */
static inline void cv_zero_words(void *data, size_t from, size_t to)
{
    cv_pair *words = data;
    uint64_t zero = 0;
    __asm__("" : "+r"(zero));
    for (; from < to; from += 8)
        words[from / 8] = zero;
    __asm__ volatile("" : : "r"(data) : "memory");
}

/* out = a ^ b, by words where all are aligned. */
static inline void cv_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t len)
{
    size_t i = 0;
    if ((((uintptr_t)out | (uintptr_t)a | (uintptr_t)b) & 7) == 0) {
        for (; i + 8 <= len; i += 8) {
            uint64_t x, y;
            memcpy(&x, __builtin_assume_aligned(a + i, 8), 8);
            memcpy(&y, __builtin_assume_aligned(b + i, 8), 8);
            x ^= y;
            memcpy(__builtin_assume_aligned(out + i, 8), &x, 8);
        }
    }
    for (; i < len; i++)
        out[i] = a[i] ^ b[i];
}

/* The same for one block, all aligned to 8. */
static inline void cv_xor_block(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
    uint64_t x[2], y[2];
    memcpy(x, __builtin_assume_aligned(a, 8), CV_BLOCK);
    memcpy(y, __builtin_assume_aligned(b, 8), CV_BLOCK);
    x[0] ^= y[0];
    x[1] ^= y[1];
    memcpy(__builtin_assume_aligned(out, 8), x, CV_BLOCK);
}

/* Sets a block that is aligned to 8 to zero. */
static inline void cv_zero_block(uint8_t *block)
{
    memset(__builtin_assume_aligned(block, 8), 0, CV_BLOCK);
}

/* The same, which the compiler does not optimise away. */
static inline void cv_wipe_block(uint8_t *block)
{
    cv_zero_block(block);
    __asm__ volatile("" : : "r"(block) : "memory");
}

#endif

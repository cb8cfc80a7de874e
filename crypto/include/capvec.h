/* libcapvec: symmetric cryptography that uses the extensions of a RISC-V hart.
 *
 * Nothing here allocates memory. Contexts belong to the caller, have a fixed size, need only the alignment of their
 * type, and may be copied; their fields are private. A context that holds a secret is wiped with `cv_wipe`.
 *
 * Lengths are in bytes, except numbers of blocks, which have 16 bytes each. Buffers may have any alignment. Output may
 * be at the same address as input; otherwise the two must not overlap. A buffer of length 0 may be NULL.
 *
 * Functions that can fail return CV_OK or a negative error; after an error they have written only what they document.
 *
 * `cv_init` selects the code; until then all of it is portable C. The portable code is constant-time: no branch and no
 * address depends on a secret.
 *
 * Threads may use the library concurrently, but each context only one at a time; a key that has been set up may be read
 * by all. The first use needs no precautions, with or without `cv_init`. */
#ifndef CAPVEC_H
#define CAPVEC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Everything else in a shared library is hidden; with CV_HIDDEN, these functions are too, for libraries that contain
 * libcapvec. */
#if defined(__GNUC__) && !defined(_WIN32) && !defined(CV_HIDDEN)
# pragma GCC visibility push(default)
#endif

/* Version of the library. */
#define CV_VERSION "0.2.0"

#define CV_BLOCK 16

enum {
    CV_OK = 0,
    CV_ERR_LENGTH = -1, /* a length that the algorithm or mode does not support */
    CV_ERR_CAPS = -2,   /* a word of the capability string is not an extension */
    CV_ERR_TAG = -3,    /* the ciphertext is not authentic; the output is zeroed */
    CV_ERR_KEY = -4,    /* a key that fails the checks of its standard, or lacks what the operation needs */
    CV_ERR_SIGNATURE = -5 /* the signature is not valid */
};

/* Selects code by the hart's capabilities. Without this call, or after an error, all code is portable C. Call it once,
 * before anything else: keys and GHASH keys keep using the code that was selected when they were set up. Threads may
 * call it concurrently, even with different capabilities and while others use the library; the last call decides. From
 * the fifth different set of capabilities in a process on (the second, without the A extension), call it only while no
 * other thread uses the library.
 *
 * `caps` is a capability string: words separated by `_`, each an extension, such as `rv64gc_v_zvkned_zvkb`; the first
 * may be `rv64` or `rv32` with single letters. Implied extensions are added, and M if the library is compiled for it;
 * the empty string selects portable C. Vector code needs `v`. The hart must have all of these extensions. NULL selects
 * the string with which the library was built (CV_CAPS_FIXED), or else asks the system (hwprobe on Linux, otherwise
 * nothing).
 *
 * Errors: CV_ERR_CAPS. */
int cv_init(const char *caps);

/* As `cv_init`, with the value of the environment variable CAPVEC_CAPS, or NULL if it is not set. Then, if CAPVEC_TUNE is
 * `1`, `cv_tune` with the system's clock. Only in builds for an operating system. */
int cv_init_environment(void);

/* Writes the capabilities in use as a capability string, at most `room` bytes including a final 0. Returns the length
 * of the complete string. */
size_t cv_caps(char *text, size_t room);

/* Measures what extensions do not reveal, and selects code accordingly: from how many blocks on ChaCha20 and Poly1305
 * use vector lanes, and what cv_hash_many_tune selects. Results do not depend on it. `clock` counts cycles or time,
 * and must advance by a few tens or more in 3000 instructions: rdcycle, or usually rdtime. Takes a few hundred
 * thousand cycles, and 12 KiB of stack; call it after cv_init, at any time.
 *
 * Without it, ChaCha20 uses lanes from 1 block on (from 2 without Zvkb; from one more where Zbb makes scalar code
 * fast), and Poly1305 from 96 blocks on if VLEN is 512 or more, else never. */
void cv_tune(uint64_t (*clock)(void));

/* Overwrites `len` bytes with zeros; the compiler does not optimise this away. */
void cv_wipe(void *data, size_t len);

/* Round keys of a block cipher. AES: as in FIPS 197; SM4: words, followed by the same words in reverse order. */
typedef struct cv_block_key {
    uint8_t round_key[16][CV_BLOCK] __attribute__((aligned(16)));
    uint32_t rounds;
    uint32_t bits;
    const struct cv_block_ops *ops;
} cv_block_key;

/* SM4 (GB/T 32907-2016) with a key of 16 bytes. */
void cv_sm4_init(cv_block_key *key, const uint8_t bytes[16]);

/* AES with a key of 16, 24 or 32 bytes (FIPS 197). Errors: CV_ERR_LENGTH. */
int cv_aes_init(cv_block_key *key, const uint8_t *bytes, size_t len);

/* Electronic codebook: every block on its own. */
void cv_ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);

/* Cipher block chaining and cipher feedback with one-block feedback (NIST SP 800-38A), for whole blocks. `iv` is
 * updated for the next call with the same message. */
void cv_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t iv[CV_BLOCK]);
void cv_cbc_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t iv[CV_BLOCK]);

/* Modes that take any number of bytes at a time, with `key` and the position in the message. `key` must outlive it. */
typedef struct cv_stream {
    const cv_block_key *key;
    uint8_t chain[CV_BLOCK] __attribute__((aligned(16))); /* counter or feedback */
    uint8_t stream[CV_BLOCK];
    uint32_t used; /* consumed bytes of `stream`; 0 if it is empty */
} cv_stream;

void cv_stream_init(cv_stream *s, const cv_block_key *key, const uint8_t iv[CV_BLOCK]);

/* Counter mode (NIST SP 800-38A): a key stream from a big-endian 128-bit counter that begins at `iv`. */
void cv_ctr(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);
/* Cipher feedback with one-block feedback. */
void cv_cfb_encrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);
void cv_cfb_decrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);
/* Cipher feedback with one-byte and one-bit feedback. For the latter, `bits` is the length in bits, counted from the
 * most significant bit of each byte, and the remaining bits of the last byte are not written. */
void cv_cfb8_encrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);
void cv_cfb8_decrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);
void cv_cfb1_encrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t bits);
void cv_cfb1_decrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t bits);
/* Output feedback. */
void cv_ofb(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);

/* Maximum number of bytes in a data unit of XTS: 2^20 blocks (NIST SP 800-38E). */
#define CV_XTS_MAX ((size_t)CV_BLOCK << 20)

/* XTS (IEEE 1619): a data unit of `len` bytes, with ciphertext stealing. `tweak` is the unit's number, little-endian;
 * `tweak_key` must differ from `key`, which callers must check. Errors: CV_ERR_LENGTH for less than a block or more
 * than CV_XTS_MAX. */
int cv_xts_encrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in, size_t len,
                   const uint8_t tweak[CV_BLOCK]);
int cv_xts_decrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in, size_t len,
                   const uint8_t tweak[CV_BLOCK]);

/* XTS as defined for SM4 by GB/T 17964-2021: the tweak is multiplied in another field. Errors: as above. */
int cv_xts_gb_encrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in,
                      size_t len, const uint8_t tweak[CV_BLOCK]);
int cv_xts_gb_decrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in,
                      size_t len, const uint8_t tweak[CV_BLOCK]);

/* Key of GHASH. */
typedef struct cv_ghash_key {
    uint8_t h[CV_BLOCK] __attribute__((aligned(16)));
    const struct cv_ghash_ops *ops;
} cv_ghash_key;

/* Galois/counter mode (NIST SP 800-38D). One context handles message after message: cv_gcm_init, then for each message
 * cv_gcm_start, cv_gcm_aad, cv_gcm_encrypt or cv_gcm_decrypt, cv_gcm_tag or cv_gcm_verify. Without text it is GMAC.
 * After cv_gcm_init, and after a tag was computed or compared, there is no message until cv_gcm_start: then text,
 * associated data and cv_gcm_tag return CV_ERR_LENGTH, with any length, and cv_gcm_verify returns CV_ERR_TAG. */
typedef struct cv_gcm {
    const cv_block_key *key;
    cv_ghash_key hash;
    uint8_t y[CV_BLOCK] __attribute__((aligned(16)));
    uint8_t first[CV_BLOCK] __attribute__((aligned(16))); /* the first counter block */
    uint8_t stream[CV_BLOCK];
    uint64_t aad_len, len;
    uint32_t counter;
} cv_gcm;

/* `key` must outlive the context. Abandons an unfinished message. */
void cv_gcm_init(cv_gcm *gcm, const cv_block_key *key);
/* Begins a message. An `iv` of 12 bytes is best; others cost more. Errors: CV_ERR_LENGTH for length 0 or more than 2^61
 * - 1. */
int cv_gcm_start(cv_gcm *gcm, const uint8_t *iv, size_t len);
/* Associated data, in any number of pieces. Errors: CV_ERR_LENGTH above a total of 2^61 - 1 bytes, after the text has
 * begun, or without a message. */
int cv_gcm_aad(cv_gcm *gcm, const uint8_t *aad, size_t len);
/* The text, in any number of pieces. Errors: CV_ERR_LENGTH above a total of 2^36 - 32 bytes, or without a message.
 * Decrypted text must not be used before it is verified. */
int cv_gcm_encrypt(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len);
int cv_gcm_decrypt(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len);
/* The first `len` bytes of the tag; the message then ends. Errors: CV_ERR_LENGTH for length 0 or more than 16, or
 * without a message. */
int cv_gcm_tag(cv_gcm *gcm, uint8_t *tag, size_t len);
/* Compares the tag with the first `len` bytes of `tag`, in constant time; the message then ends. Errors: CV_ERR_TAG,
 * also without a message; CV_ERR_LENGTH for length 0 or more than 16, after which the message continues. */
int cv_gcm_verify(cv_gcm *gcm, const uint8_t *tag, size_t len);
/* A whole message. Errors: as above, but every length is checked before anything is written; after CV_ERR_TAG the
 * output is zeroed. */
int cv_gcm_open(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad, size_t aad_len,
                const uint8_t *iv, size_t iv_len, const uint8_t *tag, size_t tag_len);
int cv_gcm_seal(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad, size_t aad_len,
                const uint8_t *iv, size_t iv_len, uint8_t *tag, size_t tag_len);

/* Counter mode with CBC-MAC (NIST SP 800-38C): whole messages, since the length is encoded first. `nonce` has 7 to 13
 * bytes, the tag an even number from 4 to 16. Errors: CV_ERR_LENGTH, also if the message is too long for the nonce;
 * CV_ERR_TAG, with the output zeroed. */
int cv_ccm_seal(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad,
                size_t aad_len, const uint8_t *nonce, size_t nonce_len, uint8_t *tag, size_t tag_len);
int cv_ccm_open(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad,
                size_t aad_len, const uint8_t *nonce, size_t nonce_len, const uint8_t *tag, size_t tag_len);

/* The same in steps, where text and tag are not available together: cv_ccm_start, then, unless the message is empty,
 * cv_ccm_encrypt or cv_ccm_decrypt once with all of it, then cv_ccm_tag. Errors of these three: CV_ERR_LENGTH if the
 * length differs from the announced one. */
typedef struct cv_ccm {
    const cv_block_key *key;
    uint8_t mac[CV_BLOCK] __attribute__((aligned(16)));
    uint8_t counter[CV_BLOCK] __attribute__((aligned(16)));
    size_t len; /* of the message, until it was processed */
    uint32_t tag_len;
} cv_ccm;

/* Begins a message of `len` bytes with all of its associated data; `key` must outlive it. Errors: CV_ERR_LENGTH. */
int cv_ccm_start(cv_ccm *ccm, const cv_block_key *key, size_t len, const uint8_t *aad, size_t aad_len,
                 const uint8_t *nonce, size_t nonce_len, size_t tag_len);
int cv_ccm_encrypt(cv_ccm *ccm, uint8_t *out, const uint8_t *in, size_t len);
/* The output must not be used before the tag is compared. */
int cv_ccm_decrypt(cv_ccm *ccm, uint8_t *out, const uint8_t *in, size_t len);
/* Writes the tag, with the length announced to cv_ccm_start, and wipes the context; after that all three functions
 * fail. It also fails if the message was not processed. */
int cv_ccm_tag(cv_ccm *ccm, uint8_t *tag, size_t len);

/* Offset codebook mode (RFC 7253). cv_ocb_init, then for each message cv_ocb_start, cv_ocb_aad, cv_ocb_encrypt or
 * cv_ocb_decrypt, cv_ocb_tag or cv_ocb_verify. After cv_ocb_init, and after a tag was computed or compared, there is no
 * message until cv_ocb_start: then text, associated data and cv_ocb_tag return CV_ERR_LENGTH, with any length, and
 * cv_ocb_verify returns CV_ERR_TAG. */
#define CV_OCB_TABLE 32
/* A message, and its associated data, must have fewer whole blocks than this. */
#define CV_OCB_BLOCKS (UINT64_C(1) << CV_OCB_TABLE)

typedef struct cv_ocb {
    const cv_block_key *key;
    uint8_t star[CV_BLOCK] __attribute__((aligned(16)));
    uint8_t dollar[CV_BLOCK];
    uint8_t l[CV_OCB_TABLE][CV_BLOCK];
    uint8_t offset[CV_BLOCK], checksum[CV_BLOCK], last[CV_BLOCK];
    uint8_t aad_offset[CV_BLOCK], aad_sum[CV_BLOCK], aad_last[CV_BLOCK];
    uint64_t blocks, aad_blocks;
    uint32_t held, aad_held, tag_len, filled;
} cv_ocb;

/* `key` must outlive the context. Abandons an unfinished message. */
void cv_ocb_init(cv_ocb *ocb, const cv_block_key *key);
/* Begins a message with a nonce of 1 to 15 bytes and a tag of 1 to 16. Errors: CV_ERR_LENGTH. */
int cv_ocb_start(cv_ocb *ocb, const uint8_t *nonce, size_t len, size_t tag_len);
/* Associated data, in any number of pieces, at any time before the end. Errors: CV_ERR_LENGTH for CV_OCB_BLOCKS or more
 * whole blocks, or without a message. */
int cv_ocb_aad(cv_ocb *ocb, const uint8_t *aad, size_t len);
/* The text, in any number of pieces. Only whole blocks are output, `out_len` bytes of them: at most 15 more than the
 * input. In place, the output lags behind the input. Errors: CV_ERR_LENGTH for CV_OCB_BLOCKS or more whole blocks, or
 * without a message. */
int cv_ocb_encrypt(cv_ocb *ocb, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len);
int cv_ocb_decrypt(cv_ocb *ocb, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len);
/* The rest of the text, at most 15 bytes, and the tag; the message then ends. Errors, with `out_len` 0: CV_ERR_LENGTH
 * without a message; CV_ERR_TAG, also without a message: these bytes are then zeroed, and all text decrypted before
 * must be discarded. */
int cv_ocb_tag(cv_ocb *ocb, uint8_t *out, size_t *out_len, uint8_t *tag);
int cv_ocb_verify(cv_ocb *ocb, uint8_t *out, size_t *out_len, const uint8_t *tag);

/* CMAC (NIST SP 800-38B). */
typedef struct cv_cmac {
    const cv_block_key *key;
    uint8_t mac[CV_BLOCK] __attribute__((aligned(16)));
    uint8_t last[CV_BLOCK] __attribute__((aligned(16)));
    uint32_t held; /* bytes of `last` */
} cv_cmac;

/* `key` must outlive the context. */
void cv_cmac_init(cv_cmac *cmac, const cv_block_key *key);
void cv_cmac_update(cv_cmac *cmac, const uint8_t *in, size_t len);
/* The first `len` bytes of the MAC; the context then begins a new message. Errors: CV_ERR_LENGTH for length 0 or more
 * than 16. */
int cv_cmac_final(cv_cmac *cmac, uint8_t *mac, size_t len);

/* A hash. Those without a fixed size are extendable: `cv_xof_squeeze` outputs any number of bytes. */
typedef struct cv_hash_kind cv_hash_kind;
extern const cv_hash_kind cv_sha1; /* FIPS 180-4; collisions are known */
extern const cv_hash_kind cv_sha224, cv_sha256; /* FIPS 180-4 */
extern const cv_hash_kind cv_sha384, cv_sha512, cv_sha512_224, cv_sha512_256;
extern const cv_hash_kind cv_sha3_224, cv_sha3_256, cv_sha3_384, cv_sha3_512; /* FIPS 202 */
extern const cv_hash_kind cv_shake128, cv_shake256; /* FIPS 202; extendable */
extern const cv_hash_kind cv_sm3; /* GB/T 32905-2016 */

/* Bytes of a digest (0 if extendable) and of a block. */
size_t cv_hash_size(const cv_hash_kind *kind);
size_t cv_hash_block(const cv_hash_kind *kind);

/* A hash of a message in pieces: init, update any number of times, final. */
typedef struct cv_hash {
    union {
        uint32_t w32[8];
        uint64_t w64[25];
    } state __attribute__((aligned(8))); /* 32-bit x86 would align it to 4 */
    uint8_t block[168]; /* input that waits for the rest of its block */
    uint64_t length;
    const cv_hash_kind *kind;
    uint32_t held; /* used bytes of `block`, or of the state */
    uint8_t pad, squeezes; /* the rate, once output was squeezed */
} cv_hash;

void cv_hash_init(cv_hash *h, const cv_hash_kind *kind);
void cv_hash_update(cv_hash *h, const uint8_t *data, size_t len);
/* Writes the digest and wipes the context, which then needs another init. For extendable hashes it writes nothing. */
void cv_hash_final(cv_hash *h, uint8_t *digest);
/* A whole message at once. */
void cv_hash_message(const cv_hash_kind *kind, uint8_t *digest, const uint8_t *data, size_t len);

/* Hashes `count` messages of `len` bytes each, like `cv_hash_message` on each, but for SHA-3 and SHAKE several in
 * parallel. An extendable hash outputs `size` bytes; others ignore `size`. Takes 12 KiB of stack. */
void cv_hash_many(const cv_hash_kind *kind, uint8_t *const *digests, size_t size, const uint8_t *const *messages,
                  size_t len, size_t count);

/* Tunes cv_hash_many: vectors are used if at least `least` lanes of a register have a message, and the remaining messages
 * are hashed one after the other. 0, the initial value, chooses by extensions a number that is within a tenth of the best
 * on karu64, marian and ux900: 8 with Zbb (2 with Zbb and Zvkb if VLEN is 128), else 1 with Zvkb and 2 with V alone. The
 * digests do not depend on it. May be called at any time. */
void cv_hash_many_threshold(size_t least);

/* Tunes cv_hash_many by measuring both ways with a few permutations each; for cores whose vector unit is slow compared
 * with the scalar one. `clock` counts cycles or time, and must advance by a few tens or more in the 3000 instructions
 * of a permutation: rdcycle, or usually rdtime. */
void cv_hash_many_tune(uint64_t (*clock)(void));

/* The next `len` bytes of an extendable output; may be called any number of times, after all updates. The first call ends the
 * message: after that cv_hash_update has no effect, and cv_hash_final writes nothing and wipes the context. */
void cv_xof_squeeze(cv_hash *h, uint8_t *out, size_t len);

/* cSHAKE (NIST SP 800-185) with a function name and a customization string; `kind` is SHAKE128 or SHAKE256. Continue as
 * with an extendable hash. */
void cv_cshake_init(cv_hash *h, const cv_hash_kind *kind, const uint8_t *name, size_t name_len, const uint8_t *custom,
                    size_t custom_len);

/* KMAC (NIST SP 800-185); `kind` is SHAKE128 or SHAKE256. The message is passed to `cv_hash_update`. */
void cv_kmac_init(cv_hash *h, const cv_hash_kind *kind, const uint8_t *key, size_t key_len, const uint8_t *custom,
                  size_t custom_len);
/* Writes a code of `len` bytes, on which all of its bytes depend, and wipes the context, which then needs another init. */
void cv_kmac_final(cv_hash *h, uint8_t *code, size_t len);
/* KMACXOF: ends the message; continue with `cv_xof_squeeze`. */
void cv_kmac_final_xof(cv_hash *h);

/* HMAC (FIPS 198-1) with any hash that has a fixed size. */
typedef struct cv_hmac {
    cv_hash inner, outer, running;
} cv_hmac;

/* Errors: CV_ERR_LENGTH if the hash is extendable. */
int cv_hmac_init(cv_hmac *m, const cv_hash_kind *kind, const uint8_t *key, size_t len);
void cv_hmac_update(cv_hmac *m, const uint8_t *data, size_t len);
/* Writes as many bytes as a digest has, and wipes the message's state: until cv_hmac_restart or cv_hmac_init, update
 * and final have no effect. */
void cv_hmac_final(cv_hmac *m, uint8_t *code);
/* Begins another message with the same key. */
void cv_hmac_restart(cv_hmac *m);

/* ChaCha20 (RFC 8439). */
typedef struct cv_chacha20 {
    uint32_t state[16];
    uint8_t stream[64];
    uint32_t used; /* consumed bytes of `stream`; 0 if it is empty */
} cv_chacha20;

/* `counter` is the number of the first block. After 2^32 - 1 it carries into the nonce's first word, as in ciphers with
 * a 64-bit counter. */
void cv_chacha20_init(cv_chacha20 *c, const uint8_t key[32], const uint8_t nonce[12], uint32_t counter);
/* Encrypts or decrypts the next `len` bytes; any number at a time. */
void cv_chacha20_update(cv_chacha20 *c, uint8_t *out, const uint8_t *in, size_t len);

/* Poly1305 (RFC 8439). A key may be used for one message only. */
typedef struct cv_poly1305 {
    uint64_t h[3], r[2], s[2];
    uint8_t block[16];
    uint32_t held; /* used bytes of `block` */
} cv_poly1305;

void cv_poly1305_init(cv_poly1305 *p, const uint8_t key[32]);
void cv_poly1305_update(cv_poly1305 *p, const uint8_t *data, size_t len);
/* Writes the tag and wipes the context, which then needs cv_poly1305_init. */
void cv_poly1305_final(cv_poly1305 *p, uint8_t tag[16]);
/* A whole message at once. */
void cv_poly1305_message(const uint8_t key[32], uint8_t tag[16], const uint8_t *data, size_t len);

/* ChaCha20-Poly1305 (RFC 8439). A nonce may be used for one message only. Associated data comes before the text, each
 * in any number of pieces. Errors: CV_ERR_LENGTH for associated data after the text has begun, and above a total of
 * 2^38 - 64 bytes of text. */
typedef struct cv_chacha20_poly1305 {
    cv_chacha20 cipher;
    cv_poly1305 mac;
    uint64_t aad_len, text_len;
} cv_chacha20_poly1305;

void cv_chacha20_poly1305_init(cv_chacha20_poly1305 *c, const uint8_t key[32], const uint8_t nonce[12]);
int cv_chacha20_poly1305_aad(cv_chacha20_poly1305 *c, const uint8_t *aad, size_t len);
int cv_chacha20_poly1305_encrypt(cv_chacha20_poly1305 *c, uint8_t *out, const uint8_t *in, size_t len);
/* The output must not be used before `cv_chacha20_poly1305_verify`. */
int cv_chacha20_poly1305_decrypt(cv_chacha20_poly1305 *c, uint8_t *out, const uint8_t *in, size_t len);
/* Both wipe the context. After that, until cv_chacha20_poly1305_init, the calls above and making a tag return CV_ERR_LENGTH and write
 * nothing, and verifying returns CV_ERR_TAG. Errors of verifying: CV_ERR_TAG. */
int cv_chacha20_poly1305_tag(cv_chacha20_poly1305 *c, uint8_t tag[16]);
int cv_chacha20_poly1305_verify(cv_chacha20_poly1305 *c, const uint8_t tag[16]);

/* A whole message at once. Errors: CV_ERR_LENGTH; for open also CV_ERR_TAG, with the output zeroed. */
int cv_chacha20_poly1305_seal(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
                              uint8_t *out, const uint8_t *in, size_t len, uint8_t tag[16]);
int cv_chacha20_poly1305_open(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
                              uint8_t *out, const uint8_t *in, size_t len, const uint8_t tag[16]);

#if defined(__GNUC__) && !defined(_WIN32) && !defined(CV_HIDDEN)
# pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif

/* libcapvec: symmetric cryptography that uses what a RISC-V hart has.
 *
 * Nothing here allocates. Contexts belong to the caller, have a fixed size, may lie anywhere with the alignment of
 * their type, and may be copied; their fields are private. A context that holds a secret is wiped with `cv_wipe`.
 *
 * Lengths are in bytes unless they are called blocks, which have 16 bytes. Buffers may have any alignment. Output may
 * be exactly where input is; otherwise the two must not overlap. A buffer of length 0 may be NULL.
 *
 * Functions that can fail return CV_OK or a negative error and then have written nothing but what they say.
 *
 * `cv_init` chooses the code; until then all of it is portable C. The portable code is constant-time: no branch and no
 * address depends on a secret.
 *
 * Threads may use the library at the same time, each context one at a time; a key that is set up may be read by all. The first use
 * needs no care, with or without `cv_init`. */
#ifndef CAPVEC_H
#define CAPVEC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Everything else in a shared library is hidden; with CV_HIDDEN, so is this, for libraries that contain it. */
#if defined(__GNUC__) && !defined(_WIN32) && !defined(CV_HIDDEN)
# pragma GCC visibility push(default)
#endif

/* Version of the library. */
#define CV_VERSION "0.1.0"

#define CV_BLOCK 16

enum {
    CV_OK = 0,
    CV_ERR_LENGTH = -1, /* a length that the algorithm or mode does not have */
    CV_ERR_CAPS = -2,   /* a word of the capability string is no extension */
    CV_ERR_TAG = -3     /* what was to be decrypted is not authentic; the output is zeroed */
};

/* Chooses code by the hart's capabilities. Without it, or after an error, all code is portable C. Call it once, before anything else:
 * keys and GHASH keys go on with the code that was in use when they were set up. Threads may call it at the same time, with the
 * same capabilities, and while others use the library; other capabilities than in a call before only while no other thread does.
 *
 * `caps` is a capability string: words separated by `_`, each an extension, such as `rv64gc_v_zvkned_zvkb`; the first
 * may be `rv64` or `rv32` with single letters. What an extension implies is added, and M where the library is built for it;
 * the empty string is portable C. Vector code needs `v`. The hart must have all of it. NULL is the string that the library was
 * built with (CV_CAPS_FIXED), or asks the system (hwprobe on Linux, else nothing).
 *
 * Errors: CV_ERR_CAPS. */
int cv_init(const char *caps);

/* As `cv_init`, with the value of the environment variable CAPVEC_CAPS, or NULL if there is none. Only in builds with
 * an operating system. */
int cv_init_environment(void);

/* Capabilities in use, as a capability string; `room` bytes are written at most, with a final 0. Returns the length
 * that the whole has. */
size_t cv_caps(char *text, size_t room);

/* Measures what extensions do not tell, and chooses by it: from how many blocks on ChaCha20 and Poly1305 are done in lanes of vectors,
 * and what cv_hash_many_tune does. Answers are the same with any choice. `clock` counts cycles or time, by at least tens in 3000
 * instructions: rdcycle, or rdtime mostly. Some hundred thousand cycles, and 12 KiB of the stack; after cv_init, at any time.
 *
 * Without it, ChaCha20 takes lanes from 1 block on (2 without Zvkb; one more where Zbb makes scalar code fast), and Poly1305 from 96
 * blocks on where VLEN is 512 or more, else never. */
void cv_tune(uint64_t (*clock)(void));

/* Overwrites `len` bytes with zeros; the compiler does not leave that out. */
void cv_wipe(void *data, size_t len);

/* Round keys of a block cipher, AES: as FIPS 197 has them; SM4: words, and behind them the same backwards. */
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

/* Electronic codebook: every block by itself. */
void cv_ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);

/* Cipher block chaining and cipher feedback with feedback of a block (NIST SP 800-38A), of whole blocks. `iv` becomes what
 * the next call of the same message needs. */
void cv_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t iv[CV_BLOCK]);
void cv_cbc_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t iv[CV_BLOCK]);

/* Modes that take any number of bytes at a time, with `key` and where the message is. `key` must outlive it. */
typedef struct cv_stream {
    const cv_block_key *key;
    uint8_t chain[CV_BLOCK] __attribute__((aligned(16))); /* counter, or what is fed back */
    uint8_t stream[CV_BLOCK];
    uint32_t used; /* bytes of `stream` that are used up; 0 if none is there */
} cv_stream;

void cv_stream_init(cv_stream *s, const cv_block_key *key, const uint8_t iv[CV_BLOCK]);

/* Counter mode (NIST SP 800-38A): a key stream from a counter of 128 bits, big-endian, that begins at `iv`. */
void cv_ctr(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);
/* Cipher feedback with feedback of a block. */
void cv_cfb_encrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);
void cv_cfb_decrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);
/* Cipher feedback with feedback of a byte, and of a bit: there `bits` is the length in bits, from the top of each byte on, and
 * the rest of the last byte is not written. */
void cv_cfb8_encrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);
void cv_cfb8_decrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);
void cv_cfb1_encrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t bits);
void cv_cfb1_decrypt(cv_stream *s, uint8_t *out, const uint8_t *in, size_t bits);
/* Output feedback. */
void cv_ofb(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);

/* Bytes of a data unit of XTS at most: 2^20 blocks (NIST SP 800-38E). */
#define CV_XTS_MAX ((size_t)CV_BLOCK << 20)

/* XTS (IEEE 1619): a data unit of `len` bytes, with ciphertext stealing. `tweak` is the unit's number, little-endian, and
 * `tweak_key` another key than `key`, which callers check. Errors: CV_ERR_LENGTH for less than a block or more than CV_XTS_MAX. */
int cv_xts_encrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in, size_t len,
                   const uint8_t tweak[CV_BLOCK]);
int cv_xts_decrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in, size_t len,
                   const uint8_t tweak[CV_BLOCK]);

/* XTS as GB/T 17964-2021 has it for SM4: the tweak is multiplied in another field. Errors: as above. */
int cv_xts_gb_encrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in,
                      size_t len, const uint8_t tweak[CV_BLOCK]);
int cv_xts_gb_decrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in,
                      size_t len, const uint8_t tweak[CV_BLOCK]);

/* Key of GHASH. */
typedef struct cv_ghash_key {
    uint8_t h[CV_BLOCK] __attribute__((aligned(16)));
    const struct cv_ghash_ops *ops;
} cv_ghash_key;

/* Galois/counter mode (NIST SP 800-38D). One context takes message after message: cv_gcm_init, then for each
 * cv_gcm_start, cv_gcm_aad, cv_gcm_encrypt or cv_gcm_decrypt, cv_gcm_tag or cv_gcm_verify. Without a message it is GMAC.
 * After cv_gcm_init, and after a tag was made or compared, there is no message until cv_gcm_start: text, associated data and
 * cv_gcm_tag are CV_ERR_LENGTH then, with any length, and cv_gcm_verify is CV_ERR_TAG. */
typedef struct cv_gcm {
    const cv_block_key *key;
    cv_ghash_key hash;
    uint8_t y[CV_BLOCK] __attribute__((aligned(16)));
    uint8_t first[CV_BLOCK] __attribute__((aligned(16))); /* the first counter block */
    uint8_t stream[CV_BLOCK];
    uint64_t aad_len, len;
    uint32_t counter;
} cv_gcm;

/* `key` must outlive the context. A message that had begun is over. */
void cv_gcm_init(cv_gcm *gcm, const cv_block_key *key);
/* Begins a message. 12 bytes of `iv` are best; others cost more. Errors: CV_ERR_LENGTH for none or more than 2^61 - 1. */
int cv_gcm_start(cv_gcm *gcm, const uint8_t *iv, size_t len);
/* Associated data, in any number of pieces. Errors: CV_ERR_LENGTH above 2^61 - 1 bytes in all, after the text has begun, or without
 * a message. */
int cv_gcm_aad(cv_gcm *gcm, const uint8_t *aad, size_t len);
/* The text, in any number of pieces. Errors: CV_ERR_LENGTH above 2^36 - 32 bytes in all, or without a message. What is decrypted
 * must not be used before it is verified. */
int cv_gcm_encrypt(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len);
int cv_gcm_decrypt(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len);
/* The first `len` bytes of the tag, with which the message ends. Errors: CV_ERR_LENGTH for none or more than 16, or without a
 * message. */
int cv_gcm_tag(cv_gcm *gcm, uint8_t *tag, size_t len);
/* Compares with such a tag, in constant time, and ends the message in the same way. Errors: CV_ERR_TAG, also without a message;
 * CV_ERR_LENGTH for none or more than 16, after which the message goes on. */
int cv_gcm_verify(cv_gcm *gcm, const uint8_t *tag, size_t len);
/* A whole message. Errors: as above, with every length checked before anything is written; with CV_ERR_TAG the output is zeroed. */
int cv_gcm_open(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad, size_t aad_len,
                const uint8_t *iv, size_t iv_len, const uint8_t *tag, size_t tag_len);
int cv_gcm_seal(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad, size_t aad_len,
                const uint8_t *iv, size_t iv_len, uint8_t *tag, size_t tag_len);

/* Counter mode with CBC-MAC (NIST SP 800-38C): whole messages, since their length comes first. `nonce` has 7 to 13 bytes, the
 * tag 4 to 16, an even number. Errors: CV_ERR_LENGTH, also if the message is too long for the nonce; CV_ERR_TAG, with the
 * output zeroed. */
int cv_ccm_seal(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad,
                size_t aad_len, const uint8_t *nonce, size_t nonce_len, uint8_t *tag, size_t tag_len);
int cv_ccm_open(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad,
                size_t aad_len, const uint8_t *nonce, size_t nonce_len, const uint8_t *tag, size_t tag_len);

/* The same in steps, where text and tag do not come together: cv_ccm_start, then cv_ccm_encrypt or cv_ccm_decrypt once with all
 * of the message, unless that is empty, then cv_ccm_tag. Errors of these three: CV_ERR_LENGTH for another length than announced. */
typedef struct cv_ccm {
    const cv_block_key *key;
    uint8_t mac[CV_BLOCK] __attribute__((aligned(16)));
    uint8_t counter[CV_BLOCK] __attribute__((aligned(16)));
    size_t len; /* of the message, until it has come */
    uint32_t tag_len;
} cv_ccm;

/* Begins a message of `len` bytes with all of its associated data; `key` must outlive it. Errors: CV_ERR_LENGTH. */
int cv_ccm_start(cv_ccm *ccm, const cv_block_key *key, size_t len, const uint8_t *aad, size_t aad_len,
                 const uint8_t *nonce, size_t nonce_len, size_t tag_len);
int cv_ccm_encrypt(cv_ccm *ccm, uint8_t *out, const uint8_t *in, size_t len);
/* What comes out may not be used before its tag is compared. */
int cv_ccm_decrypt(cv_ccm *ccm, uint8_t *out, const uint8_t *in, size_t len);
/* Writes the tag, with as many bytes as cv_ccm_start was told, and wipes the context: then all three are errors. Errors also: the
 * message has not come. */
int cv_ccm_tag(cv_ccm *ccm, uint8_t *tag, size_t len);

/* Offset codebook mode (RFC 7253). cv_ocb_init, then for each message cv_ocb_start, cv_ocb_aad, cv_ocb_encrypt or
 * cv_ocb_decrypt, cv_ocb_tag or cv_ocb_verify. After cv_ocb_init, and after a tag was made or compared, there is no message until
 * cv_ocb_start: text, associated data and cv_ocb_tag are CV_ERR_LENGTH then, with any length, and cv_ocb_verify is CV_ERR_TAG. */
#define CV_OCB_TABLE 32
/* Whole blocks of a message, and of its associated data, are fewer. */
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

/* `key` must outlive the context. A message that had begun is over. */
void cv_ocb_init(cv_ocb *ocb, const cv_block_key *key);
/* Begins a message with a nonce of 1 to 15 bytes and a tag of 1 to 16. Errors: CV_ERR_LENGTH. */
int cv_ocb_start(cv_ocb *ocb, const uint8_t *nonce, size_t len, size_t tag_len);
/* Associated data, in any number of pieces, at any time before the end. Errors: CV_ERR_LENGTH from CV_OCB_BLOCKS whole blocks on, or
 * without a message. */
int cv_ocb_aad(cv_ocb *ocb, const uint8_t *aad, size_t len);
/* The text, in any number of pieces. Only whole blocks come out, `out_len` bytes of them: at most 15 more than go in. In
 * place, output lags behind. Errors: CV_ERR_LENGTH from CV_OCB_BLOCKS whole blocks on, or without a message. */
int cv_ocb_encrypt(cv_ocb *ocb, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len);
int cv_ocb_decrypt(cv_ocb *ocb, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len);
/* What is left of the text, at most 15 bytes, and the tag, with which the message ends. Errors, with `out_len` 0: CV_ERR_LENGTH
 * without a message; CV_ERR_TAG, also without a message: then these bytes are zeroed, and all that was decrypted before is worthless. */
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
/* The first `len` bytes of the MAC; the context begins anew. Errors: CV_ERR_LENGTH for none or more than 16. */
int cv_cmac_final(cv_cmac *cmac, uint8_t *mac, size_t len);

/* A hash. Those without a size are extendable: `cv_xof_squeeze` gives as many bytes as one wants. */
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

/* A hash of a message that comes in pieces: init, update any number of times, final. */
typedef struct cv_hash {
    union {
        uint32_t w32[8];
        uint64_t w64[25];
    } state __attribute__((aligned(8))); /* which 32-bit x86 would give 4 */
    uint8_t block[168]; /* what waits for the rest of its block */
    uint64_t length;
    const cv_hash_kind *kind;
    uint32_t held; /* bytes of `block`, or of the state, that are taken */
    uint8_t pad, squeezes; /* the rate, once output was squeezed */
} cv_hash;

void cv_hash_init(cv_hash *h, const cv_hash_kind *kind);
void cv_hash_update(cv_hash *h, const uint8_t *data, size_t len);
/* Writes the digest and wipes the context: after that only an init has an effect. Of extendable ones it writes nothing. */
void cv_hash_final(cv_hash *h, uint8_t *digest);
/* All in one. */
void cv_hash_message(const cv_hash_kind *kind, uint8_t *digest, const uint8_t *data, size_t len);

/* Hashes `count` messages of `len` bytes each: as `cv_hash_message` of each, but of SHA-3 and SHAKE several at once. An
 * extendable hash gives `size` bytes; for others that is not looked at. Takes 12 KiB of the stack. */
void cv_hash_many(const cv_hash_kind *kind, uint8_t *const *digests, size_t size, const uint8_t *const *messages,
                  size_t len, size_t count);

/* Tunes that: vectors are used where at least `least` lanes of a register have a message, and what is left is hashed one after the other.
 * 0, as at first, is what is best on most cores, by extensions: 2 with Zbb and Zvkb, 8 with Zbb and V alone, 1 and 2 without Zbb. The
 * digests are the same with any. At any time. */
void cv_hash_many_least(size_t least);

/* The same by measuring both ways, a few permutations each; for cores whose vector unit is slow beside the scalar one. `clock` counts
 * cycles or time, by at least tens in the 3000 instructions of a permutation: rdcycle, or rdtime mostly. */
void cv_hash_many_tune(uint64_t (*clock)(void));

/* The next `len` bytes of an extendable output; any number of times, after all updates. The first call ends the message: after that
 * cv_hash_update has no effect, and cv_hash_final writes nothing and wipes the context. */
void cv_xof_squeeze(cv_hash *h, uint8_t *out, size_t len);

/* cSHAKE (NIST SP 800-185) with a function's name and a customization string; `kind` is SHAKE128 or SHAKE256. Then as
 * an extendable hash. */
void cv_cshake_init(cv_hash *h, const cv_hash_kind *kind, const uint8_t *name, size_t name_len, const uint8_t *custom,
                    size_t custom_len);

/* KMAC (NIST SP 800-185); `kind` is SHAKE128 or SHAKE256. Messages go to `cv_hash_update`. */
void cv_kmac_init(cv_hash *h, const cv_hash_kind *kind, const uint8_t *key, size_t key_len, const uint8_t *custom,
                  size_t custom_len);
/* Writes a code of `len` bytes, which depends on its length, and wipes the context: after that only an init has an effect. */
void cv_kmac_final(cv_hash *h, uint8_t *code, size_t len);
/* KMACXOF: ends the message; what follows is `cv_xof_squeeze`. */
void cv_kmac_final_xof(cv_hash *h);

/* HMAC (FIPS 198-1) with any hash that has a size. */
typedef struct cv_hmac {
    cv_hash inner, outer, running;
} cv_hmac;

/* Errors: CV_ERR_LENGTH if the hash is extendable. */
int cv_hmac_init(cv_hmac *m, const cv_hash_kind *kind, const uint8_t *key, size_t len);
void cv_hmac_update(cv_hmac *m, const uint8_t *data, size_t len);
/* Writes as many bytes as a digest has, and wipes what the message left: until cv_hmac_restart or cv_hmac_init, neither of these has
 * an effect. */
void cv_hmac_final(cv_hmac *m, uint8_t *code);
/* Begins another message under the same key. */
void cv_hmac_restart(cv_hmac *m);

/* ChaCha20 (RFC 8439). */
typedef struct cv_chacha20 {
    uint32_t state[16];
    uint8_t stream[64];
    uint32_t used; /* bytes of `stream` that are used up; 0 if none is there */
} cv_chacha20;

/* `counter` is the first block's number. Behind 2^32 - 1 it carries into the nonce's first word, as in ciphers whose
 * counter has 64 bits. */
void cv_chacha20_init(cv_chacha20 *c, const uint8_t key[32], const uint8_t nonce[12], uint32_t counter);
/* Encrypts or decrypts the next `len` bytes; any number at a time. */
void cv_chacha20_update(cv_chacha20 *c, uint8_t *out, const uint8_t *in, size_t len);

/* Poly1305 (RFC 8439). A key is for one message only. */
typedef struct cv_poly1305 {
    uint64_t h[3], r[2], s[2];
    uint8_t block[16];
    uint32_t held; /* bytes of `block` that are taken */
} cv_poly1305;

void cv_poly1305_init(cv_poly1305 *p, const uint8_t key[32]);
void cv_poly1305_update(cv_poly1305 *p, const uint8_t *data, size_t len);
/* Writes the tag and wipes the context: after that only cv_poly1305_init has an effect. */
void cv_poly1305_final(cv_poly1305 *p, uint8_t tag[16]);
/* All in one. */
void cv_poly1305_message(const uint8_t key[32], uint8_t tag[16], const uint8_t *data, size_t len);

/* ChaCha20-Poly1305 (RFC 8439). A nonce is for one message only. Associated data come before the text, each in any
 * number of pieces. Errors: CV_ERR_LENGTH for associated data after the text has begun, and above 2^38 - 64 bytes of text in all. */
typedef struct cv_chacha20_poly1305 {
    cv_chacha20 cipher;
    cv_poly1305 mac;
    uint64_t aad_len, text_len;
} cv_chacha20_poly1305;

void cv_chacha20_poly1305_init(cv_chacha20_poly1305 *c, const uint8_t key[32], const uint8_t nonce[12]);
int cv_chacha20_poly1305_aad(cv_chacha20_poly1305 *c, const uint8_t *aad, size_t len);
int cv_chacha20_poly1305_encrypt(cv_chacha20_poly1305 *c, uint8_t *out, const uint8_t *in, size_t len);
/* What comes out may not be used before `cv_chacha20_poly1305_verify`. */
int cv_chacha20_poly1305_decrypt(cv_chacha20_poly1305 *c, uint8_t *out, const uint8_t *in, size_t len);
/* Both wipe the context. After that, until cv_chacha20_poly1305_init, the calls above and making a tag are errors, CV_ERR_LENGTH, which
 * write nothing, and verifying is CV_ERR_TAG. Errors of verifying: CV_ERR_TAG. */
int cv_chacha20_poly1305_tag(cv_chacha20_poly1305 *c, uint8_t tag[16]);
int cv_chacha20_poly1305_verify(cv_chacha20_poly1305 *c, const uint8_t tag[16]);

/* All in one. Errors: CV_ERR_LENGTH; of open CV_ERR_TAG, with the output zeroed. */
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

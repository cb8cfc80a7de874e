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
 * address depends on a secret. */
#ifndef CAPVEC_H
#define CAPVEC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Everything else in a shared library is hidden. */
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(default)
#endif

#define CV_BLOCK 16

enum {
    CV_OK = 0,
    CV_ERR_LENGTH = -1, /* a length that the algorithm or mode does not have */
    CV_ERR_CAPS = -2,   /* a word of the capability string is no extension */
    CV_ERR_TAG = -3     /* what was to be decrypted is not authentic; the output is zeroed */
};

/* Chooses code by the hart's capabilities. Not thread-safe: once, before anything else; without it, or after an error,
 * all code is portable C.
 *
 * `caps` is a capability string: words separated by `_`, each an extension, such as `rv64gc_v_zvkned_zvkb`; the first
 * may be `rv64` or `rv32` with single letters. What an extension implies is added. Vector code needs `v`. The hart
 * must have all of it. NULL asks the system (hwprobe on Linux, else nothing), or takes what the library was
 * built for (CV_CAPS_FIXED).
 *
 * Errors: CV_ERR_CAPS. */
int cv_init(const char *caps);

/* As `cv_init`, with the value of the environment variable CAPVEC_CAPS, or NULL if there is none. Only in builds with
 * an operating system. */
int cv_init_environment(void);

/* Capabilities in use, as a capability string; `room` bytes are written at most, with a final 0. Returns the length
 * that the whole has. */
size_t cv_caps(char *text, size_t room);

/* Overwrites `len` bytes with zeros; the compiler does not leave that out. */
void cv_wipe(void *data, size_t len);

/* Round keys of a block cipher. */
typedef struct cv_block_key {
    uint8_t round_key[16][CV_BLOCK] __attribute__((aligned(16)));
    uint32_t rounds;
    uint32_t bits;
    const struct cv_block_ops *ops;
} cv_block_key;

/* AES with a key of 16, 24 or 32 bytes (FIPS 197). Errors: CV_ERR_LENGTH. */
int cv_aes_init(cv_block_key *key, const uint8_t *bytes, size_t len);

/* Electronic codebook: every block by itself. */
void cv_ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
void cv_ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks);

/* Counter mode (NIST SP 800-38A): a key stream from a counter of 128 bits, big-endian, that begins at `iv`. */
typedef struct cv_ctr {
    const cv_block_key *key;
    uint8_t counter[CV_BLOCK];
    uint8_t stream[CV_BLOCK];
    uint32_t used; /* bytes of `stream` that are used up; 0 if none is there */
} cv_ctr;

/* `key` must outlive the context. */
void cv_ctr_init(cv_ctr *ctr, const cv_block_key *key, const uint8_t iv[CV_BLOCK]);
/* Encrypts or decrypts the next `len` bytes; any number at a time. */
void cv_ctr_update(cv_ctr *ctr, uint8_t *out, const uint8_t *in, size_t len);

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif

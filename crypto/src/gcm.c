/* Galois/counter mode (NIST SP 800-38D). */
#include "internal.h"

/* Associated data, and also a nonce, must be shorter than this number of bytes: their lengths in bits are hashed as
 * 64-bit numbers. */
#define HASHED_LIMIT (UINT64_C(1) << 61)
/* The longest text, in bytes. */
#define MAX_LEN ((UINT64_C(1) << 36) - 32)

/* Ends the message. Until the next one, `len` is a length that no text can have. */
static void end(cv_gcm *gcm)
{
    gcm->len = UINT64_MAX;
}

static int has_ended(const cv_gcm *gcm)
{
    return (int64_t)gcm->len < 0;
}

static void hash_blocks(cv_gcm *gcm, const uint8_t *in, size_t blocks)
{
    if (blocks)
        gcm->hash.ops->blocks(&gcm->hash, gcm->y, in, blocks);
}

/* Adds a block padded with zeros; `at` bytes of it have already been added. */
static void add(cv_gcm *gcm, size_t at, const uint8_t *in, size_t len)
{
    cv_xor(gcm->y + at, gcm->y + at, in, len);
}

static const uint8_t zeros[CV_BLOCK] __attribute__((aligned(16)));

/* Multiplies `y` by the hash key, after a block was added to it. */
static void close_block(cv_gcm *gcm)
{
    hash_blocks(gcm, zeros, 1);
}

void cv_gcm_init(cv_gcm *gcm, const cv_block_key *key)
{
    gcm->key = key;
    end(gcm);
    gcm->hash.ops = &cv_kernels_in_use()->ghash;
    key->ops->ecb_encrypt(key, gcm->hash.h, zeros, 1);
}

/* Adds two lengths in bytes, converted to bits. */
static void hash_lengths(cv_gcm *gcm, uint64_t first, uint64_t second)
{
    uint8_t lengths[CV_BLOCK];
    cv_store_be64(lengths, first << 3);
    cv_store_be64(lengths + 8, second << 3);
    hash_blocks(gcm, lengths, 1);
}

/* Hashes a nonce whose length is not 12 bytes. A separate function, so that other nonces need no stack. */
static __attribute__((noinline)) int hash_nonce(cv_gcm *gcm, const uint8_t *iv, size_t len)
{
    hash_blocks(gcm, iv, len / CV_BLOCK);
    if (len % CV_BLOCK) {
        add(gcm, 0, iv + len - len % CV_BLOCK, len % CV_BLOCK);
        close_block(gcm);
    }
    hash_lengths(gcm, 0, len);
    memcpy(gcm->first, gcm->y, CV_BLOCK);
    memset(gcm->y, 0, CV_BLOCK);
    gcm->counter = cv_load_be32(gcm->first + 12) + 1;
    return CV_OK;
}

static int is_nonce_length(uint64_t len)
{
    return len > 0 && len < HASHED_LIMIT;
}

int cv_gcm_start(cv_gcm *gcm, const uint8_t *iv, size_t len)
{
    uint8_t *first = __builtin_assume_aligned(gcm->first, 16);
    if (!is_nonce_length(len))
        return CV_ERR_LENGTH;
    cv_zero_block(gcm->y);
    gcm->aad_len = gcm->len = 0;
    if (len != 12)
        return hash_nonce(gcm, iv, len);
    cv_store_le32(first, cv_load_le32(iv));
    cv_store_le32(first + 4, cv_load_le32(iv + 4));
    cv_store_le32(first + 8, cv_load_le32(iv + 8));
    cv_store_le32(first + 12, UINT32_C(1) << 24);
    gcm->counter = 2;
    return CV_OK;
}

int cv_gcm_aad(cv_gcm *gcm, const uint8_t *aad, size_t len)
{
    size_t at = gcm->aad_len % CV_BLOCK;
    if (gcm->len || len >= HASHED_LIMIT - gcm->aad_len)
        return CV_ERR_LENGTH;
    if (len == 0)
        return CV_OK;
    gcm->aad_len += len;
    if (at) {
        size_t n = len < CV_BLOCK - at ? len : CV_BLOCK - at;
        add(gcm, at, aad, n);
        aad += n, len -= n;
        if (at + n < CV_BLOCK)
            return CV_OK;
        close_block(gcm);
    }
    hash_blocks(gcm, aad, len / CV_BLOCK);
    add(gcm, 0, aad + len - len % CV_BLOCK, len % CV_BLOCK);
    return CV_OK;
}

/* Bytes of an unfinished block. */
static void partial(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t at, size_t len, int encrypt)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t from = in[i], to = from ^ gcm->stream[at + i];
        gcm->y[at + i] ^= encrypt ? to : from;
        out[i] = to;
    }
    if (at + len == CV_BLOCK)
        close_block(gcm);
}

static int crypt(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len, int encrypt)
{
    const struct cv_block_ops *ops = gcm->key->ops;
    size_t at = gcm->len % CV_BLOCK, blocks;
    if (has_ended(gcm) || len > MAX_LEN - gcm->len)
        return CV_ERR_LENGTH;
    if (len == 0)
        return CV_OK;
    if (gcm->len == 0 && gcm->aad_len % CV_BLOCK)
        close_block(gcm);
    gcm->len += len;
    if (at) {
        size_t n = len < CV_BLOCK - at ? len : CV_BLOCK - at;
        partial(gcm, out, in, at, n, encrypt);
        out += n, in += n, len -= n;
    }
    blocks = len / CV_BLOCK;
    if (blocks) {
        (encrypt ? ops->gcm_encrypt : ops->gcm_decrypt)(gcm->key, out, in, blocks, gcm->first, gcm->counter, &gcm->hash,
                                                        gcm->y);
        gcm->counter += (uint32_t)blocks;
        out += blocks * CV_BLOCK, in += blocks * CV_BLOCK, len -= blocks * CV_BLOCK;
    }
    if (len) {
        memset(gcm->stream, 0, CV_BLOCK);
        ops->ctr32(gcm->key, gcm->stream, gcm->stream, 1, gcm->first, gcm->counter++);
        partial(gcm, out, in, 0, len, encrypt);
    }
    return CV_OK;
}

int cv_gcm_encrypt(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len)
{
    return crypt(gcm, out, in, len, 1);
}

int cv_gcm_decrypt(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len)
{
    return crypt(gcm, out, in, len, 0);
}

int cv_gcm_tag(cv_gcm *gcm, uint8_t *tag, size_t len)
{
    uint8_t block[CV_BLOCK] __attribute__((aligned(16)));
    if (has_ended(gcm) || len == 0 || len > CV_BLOCK)
        return CV_ERR_LENGTH;
    if ((gcm->len ? gcm->len : gcm->aad_len) % CV_BLOCK)
        close_block(gcm);
    hash_lengths(gcm, gcm->aad_len, gcm->len);
    end(gcm);
    gcm->key->ops->ecb_encrypt(gcm->key, block, gcm->first, 1);
    cv_xor_block(block, block, gcm->y);
    cv_copy(tag, block, len);
    cv_wipe_block(block);
    return CV_OK;
}

int cv_gcm_verify(cv_gcm *gcm, const uint8_t *tag, size_t len)
{
    uint8_t own[CV_BLOCK] __attribute__((aligned(16)));
    int error;
    if (has_ended(gcm))
        return CV_ERR_TAG;
    error = cv_gcm_tag(gcm, own, len);
    if (error == CV_OK && !cv_same(own, tag, len))
        error = CV_ERR_TAG;
    cv_wipe_block(own);
    return error;
}

/* Checked before anything is written. */
static int are_valid_lengths(uint64_t len, uint64_t aad_len, uint64_t iv_len, uint64_t tag_len)
{
    return len <= MAX_LEN && aad_len < HASHED_LIMIT && is_nonce_length(iv_len) && tag_len > 0 && tag_len <= CV_BLOCK;
}

int cv_gcm_seal(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad, size_t aad_len,
                const uint8_t *iv, size_t iv_len, uint8_t *tag, size_t tag_len)
{
    if (!are_valid_lengths(len, aad_len, iv_len, tag_len))
        return CV_ERR_LENGTH;
    cv_gcm_start(gcm, iv, iv_len);
    cv_gcm_aad(gcm, aad, aad_len);
    cv_gcm_encrypt(gcm, out, in, len);
    return cv_gcm_tag(gcm, tag, tag_len);
}

int cv_gcm_open(cv_gcm *gcm, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad, size_t aad_len,
                const uint8_t *iv, size_t iv_len, const uint8_t *tag, size_t tag_len)
{
    int error;
    if (!are_valid_lengths(len, aad_len, iv_len, tag_len))
        return CV_ERR_LENGTH;
    cv_gcm_start(gcm, iv, iv_len);
    cv_gcm_aad(gcm, aad, aad_len);
    cv_gcm_decrypt(gcm, out, in, len);
    error = cv_gcm_verify(gcm, tag, tag_len);
    if (error != CV_OK)
        cv_wipe(out, len);
    return error;
}

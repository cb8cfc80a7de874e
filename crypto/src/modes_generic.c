/* Modes on top of a cipher's ECB, where no kernel replaces them. Modes that can process many blocks at once do so in
 * batches, large enough for any kernel of ECB to work in parallel. */
#include "internal.h"

#define BATCH 32

static size_t batch(size_t blocks)
{
    return blocks < BATCH ? blocks : BATCH;
}

static void cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
{
    uint8_t state[CV_BLOCK] __attribute__((aligned(16)));
    memcpy(state, iv, CV_BLOCK);
    for (; blocks; blocks--, in += CV_BLOCK, out += CV_BLOCK) {
        cv_xor(state, state, in, CV_BLOCK);
        key->ops->ecb_encrypt(key, state, state, 1);
        memcpy(out, state, CV_BLOCK);
    }
}

static void cbc_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
{
    uint8_t plain[BATCH * CV_BLOCK] __attribute__((aligned(16))), last[CV_BLOCK], previous[CV_BLOCK];
    memcpy(previous, iv, CV_BLOCK);
    while (blocks) {
        size_t n = batch(blocks), len = n * CV_BLOCK;
        key->ops->ecb_decrypt(key, plain, in, n);
        cv_xor(plain, plain, previous, CV_BLOCK);
        cv_xor(plain + CV_BLOCK, plain + CV_BLOCK, in, len - CV_BLOCK);
        memcpy(last, in + len - CV_BLOCK, CV_BLOCK);
        memcpy(out, plain, len);
        memcpy(previous, last, CV_BLOCK);
        out += len, in += len, blocks -= n;
    }
    cv_wipe(plain, sizeof plain);
}

static void cfb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
{
    uint8_t state[CV_BLOCK] __attribute__((aligned(16)));
    memcpy(state, iv, CV_BLOCK);
    for (; blocks; blocks--, in += CV_BLOCK, out += CV_BLOCK) {
        key->ops->ecb_encrypt(key, state, state, 1);
        cv_xor(state, state, in, CV_BLOCK);
        memcpy(out, state, CV_BLOCK);
    }
}

static void cfb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
{
    uint8_t stream[BATCH * CV_BLOCK] __attribute__((aligned(16))), previous[CV_BLOCK];
    memcpy(previous, iv, CV_BLOCK);
    while (blocks) {
        size_t n = batch(blocks), len = n * CV_BLOCK;
        memcpy(stream, previous, CV_BLOCK);
        memcpy(stream + CV_BLOCK, in, len - CV_BLOCK);
        memcpy(previous, in + len - CV_BLOCK, CV_BLOCK);
        key->ops->ecb_encrypt(key, stream, stream, n);
        cv_xor(out, in, stream, len);
        out += len, in += len, blocks -= n;
    }
    cv_wipe(stream, sizeof stream);
}

static void ctr32(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv,
                  uint32_t counter)
{
    uint8_t stream[BATCH * CV_BLOCK] __attribute__((aligned(16)));
    while (blocks) {
        size_t n = batch(blocks), len = n * CV_BLOCK;
        for (size_t i = 0; i < len; i += CV_BLOCK) {
            uint8_t *block = __builtin_assume_aligned(stream + i, 16);
            memcpy(block, __builtin_assume_aligned(iv, 4), 12);
            cv_store_be32(block + 12, counter++);
        }
        key->ops->ecb_encrypt(key, stream, stream, n);
        cv_xor(out, in, stream, len);
        out += len, in += len, blocks -= n;
    }
    cv_wipe(stream, sizeof stream);
}

static void xts(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak,
                void (*next)(uint8_t *out, const uint8_t *tweak),
                void (*crypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks))
{
    uint8_t tweaks[(BATCH + 1) * CV_BLOCK] __attribute__((aligned(16))), text[BATCH * CV_BLOCK];
    memcpy(tweaks, tweak, CV_BLOCK);
    while (blocks) {
        size_t n = batch(blocks), len = n * CV_BLOCK;
        for (size_t i = 0; i < len; i += CV_BLOCK)
            next(tweaks + i + CV_BLOCK, tweaks + i);
        cv_xor(text, in, tweaks, len);
        crypt(key, text, text, n);
        cv_xor(out, text, tweaks, len);
        memcpy(tweaks, tweaks + len, CV_BLOCK);
        out += len, in += len, blocks -= n;
    }
    memcpy(tweak, tweaks, CV_BLOCK);
    cv_wipe(tweaks, sizeof tweaks);
    cv_wipe(text, sizeof text);
}

static void xts_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak)
{
    xts(key, out, in, blocks, tweak, cv_next_tweak, key->ops->ecb_encrypt);
}

static void xts_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak)
{
    xts(key, out, in, blocks, tweak, cv_next_tweak, key->ops->ecb_decrypt);
}

static void xts_gb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak)
{
    xts(key, out, in, blocks, tweak, cv_next_tweak_gb, key->ops->ecb_encrypt);
}

static void xts_gb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak)
{
    xts(key, out, in, blocks, tweak, cv_next_tweak_gb, key->ops->ecb_decrypt);
}

static void gcm_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv,
                        uint32_t counter, const cv_ghash_key *hash, uint8_t *y)
{
    key->ops->ctr32(key, out, in, blocks, iv, counter);
    hash->ops->blocks(hash, y, out, blocks);
}

static void gcm_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv,
                        uint32_t counter, const cv_ghash_key *hash, uint8_t *y)
{
    hash->ops->blocks(hash, y, in, blocks);
    key->ops->ctr32(key, out, in, blocks, iv, counter);
}

static void mac(const cv_block_key *key, uint8_t *mac, const uint8_t *in, size_t blocks)
{
    for (; blocks; blocks--, in += CV_BLOCK) {
        cv_xor(mac, mac, in, CV_BLOCK);
        key->ops->ecb_encrypt(key, mac, mac, 1);
    }
}

const struct cv_block_ops cv_portable_modes = {
    .cbc_encrypt = cbc_encrypt,
    .cbc_decrypt = cbc_decrypt,
    .cfb_encrypt = cfb_encrypt,
    .cfb_decrypt = cfb_decrypt,
    .ctr32 = ctr32,
    .xts_encrypt = xts_encrypt,
    .xts_decrypt = xts_decrypt,
    .xts_gb_encrypt = xts_gb_encrypt,
    .xts_gb_decrypt = xts_gb_decrypt,
    .gcm_encrypt = gcm_encrypt,
    .gcm_decrypt = gcm_decrypt,
    .mac = mac,
#ifndef CV_NO_OCB
    .ocb_encrypt = cv_generic_ocb_encrypt,
    .ocb_decrypt = cv_generic_ocb_decrypt,
#endif
};

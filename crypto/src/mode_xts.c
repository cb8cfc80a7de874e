/* XTS, with ciphertext stealing. */
#include "internal.h"

/* The block function, and the update of tweaks. */
struct xts {
    void (*crypt)(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak);
    void (*next)(uint8_t *out, const uint8_t *tweak);
    int encrypt;
};

/* The bytes after the last whole block change places with the beginning of that block's ciphertext: IEEE 1619-2007,
 * 5.3.2 and 5.4.2. In decryption, the last two tweaks change places. */
static void steal(const struct xts *xts, const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t rest,
                  uint8_t *tweak)
{
    uint8_t first[CV_BLOCK], second[CV_BLOCK];
    uint8_t later[CV_BLOCK] __attribute__((aligned(16)));
    xts->next(later, tweak);
    xts->crypt(key, first, in, 1, xts->encrypt ? tweak : later);
    memcpy(second, in + CV_BLOCK, rest);
    memcpy(second + rest, first + rest, CV_BLOCK - rest);
    xts->crypt(key, second, second, 1, tweak);
    memcpy(out, second, CV_BLOCK);
    memcpy(out + CV_BLOCK, first, rest);
    cv_wipe(first, sizeof first);
    cv_wipe(second, sizeof second);
    cv_wipe_block(later);
}

static int unit(const struct xts *xts, const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out,
                const uint8_t *in, size_t len, const uint8_t tweak[CV_BLOCK])
{
    uint8_t t[CV_BLOCK] __attribute__((aligned(16)));
    size_t rest = len % CV_BLOCK, blocks = len / CV_BLOCK - (rest != 0);
    if (len < CV_BLOCK || len > CV_XTS_MAX)
        return CV_ERR_LENGTH;
    tweak_key->ops->ecb_encrypt(tweak_key, t, tweak, 1);
    if (blocks)
        xts->crypt(key, out, in, blocks, t);
    if (rest)
        steal(xts, key, out + blocks * CV_BLOCK, in + blocks * CV_BLOCK, rest, t);
    cv_wipe_block(t);
    return CV_OK;
}

int cv_xts_encrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in, size_t len,
                   const uint8_t tweak[CV_BLOCK])
{
    const struct xts xts = { key->ops->xts_encrypt, cv_next_tweak, 1 };
    return unit(&xts, key, tweak_key, out, in, len, tweak);
}

int cv_xts_decrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in, size_t len,
                   const uint8_t tweak[CV_BLOCK])
{
    const struct xts xts = { key->ops->xts_decrypt, cv_next_tweak, 0 };
    return unit(&xts, key, tweak_key, out, in, len, tweak);
}

int cv_xts_gb_encrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in,
                      size_t len, const uint8_t tweak[CV_BLOCK])
{
    const struct xts xts = { key->ops->xts_gb_encrypt, cv_next_tweak_gb, 1 };
    return unit(&xts, key, tweak_key, out, in, len, tweak);
}

int cv_xts_gb_decrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in,
                      size_t len, const uint8_t tweak[CV_BLOCK])
{
    const struct xts xts = { key->ops->xts_gb_decrypt, cv_next_tweak_gb, 0 };
    return unit(&xts, key, tweak_key, out, in, len, tweak);
}

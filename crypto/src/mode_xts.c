/* XTS, with ciphertext stealing. */
#include "internal.h"

/* What is behind the last whole block takes the place of the beginning of what that would be, which becomes the end:
 * IEEE 1619-2007, 5.3.2 and 5.4.2. Decrypting, the last two tweaks change places. */
static void steal(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t rest, uint8_t *tweak, int encrypt)
{
    void (*crypt)(const cv_block_key *, uint8_t *, const uint8_t *, size_t, uint8_t *) =
        encrypt ? key->ops->xts_encrypt : key->ops->xts_decrypt;
    uint8_t first[CV_BLOCK], second[CV_BLOCK];
    uint8_t later[CV_BLOCK] __attribute__((aligned(16)));
    cv_next_tweak(later, tweak);
    crypt(key, first, in, 1, encrypt ? tweak : later);
    memcpy(second, in + CV_BLOCK, rest);
    memcpy(second + rest, first + rest, CV_BLOCK - rest);
    crypt(key, second, second, 1, tweak);
    memcpy(out, second, CV_BLOCK);
    memcpy(out + CV_BLOCK, first, rest);
    cv_wipe(first, sizeof first);
    cv_wipe(second, sizeof second);
}

static int xts(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in, size_t len,
               const uint8_t tweak[CV_BLOCK], int encrypt)
{
    uint8_t t[CV_BLOCK] __attribute__((aligned(16)));
    size_t rest = len % CV_BLOCK, blocks = len / CV_BLOCK - (rest != 0);
    if (len < CV_BLOCK)
        return CV_ERR_LENGTH;
    tweak_key->ops->ecb_encrypt(tweak_key, t, tweak, 1);
    if (blocks)
        (encrypt ? key->ops->xts_encrypt : key->ops->xts_decrypt)(key, out, in, blocks, t);
    if (rest)
        steal(key, out + blocks * CV_BLOCK, in + blocks * CV_BLOCK, rest, t, encrypt);
    cv_wipe(t, sizeof t);
    return CV_OK;
}

int cv_xts_encrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in, size_t len,
                   const uint8_t tweak[CV_BLOCK])
{
    return xts(key, tweak_key, out, in, len, tweak, 1);
}

int cv_xts_decrypt(const cv_block_key *key, const cv_block_key *tweak_key, uint8_t *out, const uint8_t *in, size_t len,
                   const uint8_t tweak[CV_BLOCK])
{
    return xts(key, tweak_key, out, in, len, tweak, 0);
}

/* Counter mode with CBC-MAC (NIST SP 800-38C). */
#include "internal.h"

/* Adds bytes to a MAC whose open block contains `at` bytes; a block that is not full stays open. */
static size_t add(cv_ccm *c, size_t at, const uint8_t *in, size_t len)
{
    while (len) {
        if (at == 0 && len >= CV_BLOCK) {
            size_t blocks = len / CV_BLOCK;
            c->key->ops->mac(c->key, c->mac, in, blocks);
            in += blocks * CV_BLOCK, len -= blocks * CV_BLOCK;
            continue;
        }
        size_t n = CV_BLOCK - at < len ? CV_BLOCK - at : len;
        cv_xor(c->mac + at, c->mac + at, in, n);
        at += n, in += n, len -= n;
        if (at == CV_BLOCK) {
            c->key->ops->ecb_encrypt(c->key, c->mac, c->mac, 1);
            at = 0;
        }
    }
    return at;
}

static void close_block(cv_ccm *c, size_t at)
{
    if (at)
        c->key->ops->ecb_encrypt(c->key, c->mac, c->mac, 1);
}

/* SP 800-38C, A.2.1 to A.2.3: the first block and the associated data. */
int cv_ccm_start(cv_ccm *c, const cv_block_key *key, size_t len, const uint8_t *aad, size_t aad_len,
                 const uint8_t *nonce, size_t nonce_len, size_t tag_len)
{
    static const uint8_t nothing[1];
    size_t q = 15 - nonce_len, at;
    uint8_t prefix[10] = { 0xff, 0xff };
    if (nonce_len < 7 || nonce_len > 13 || tag_len < 4 || tag_len > 16 || tag_len % 2
        || (q < 8 && (uint64_t)len >> 8 * q))
        return CV_ERR_LENGTH;
    c->key = key;
    c->len = len;
    c->tag_len = (uint32_t)tag_len;
    cv_zero_block(c->counter);
    c->counter[0] = (uint8_t)(q - 1);
    cv_copy(c->counter + 1, nonce, nonce_len);
    cv_copy(c->mac, c->counter, CV_BLOCK);
    c->mac[0] |= (uint8_t)((aad_len ? 0x40 : 0) | (tag_len - 2) / 2 << 3);
    for (size_t i = 0; i < q && i < 8; i++)
        c->mac[15 - i] = (uint8_t)((uint64_t)len >> 8 * i);
    c->key->ops->ecb_encrypt(c->key, c->mac, c->mac, 1);
    if (aad_len == 0)
        return CV_OK;
    if (aad_len < 0xff00) {
        prefix[0] = (uint8_t)(aad_len >> 8), prefix[1] = (uint8_t)aad_len;
        at = add(c, 0, prefix, 2);
    } else {
        int wide = (uint64_t)aad_len >> 32 != 0;
        prefix[1] = wide ? 0xff : 0xfe;
        for (int i = 0; i < (wide ? 8 : 4); i++)
            prefix[2 + i] = (uint8_t)((uint64_t)aad_len >> 8 * ((wide ? 7 : 3) - i));
        at = add(c, 0, prefix, wide ? 10 : 6);
    }
    close_block(c, add(c, at, aad ? aad : nothing, aad_len));
    return CV_OK;
}

/* Encrypts with counter blocks from 1 on. */
static void crypt(cv_ccm *c, uint8_t *out, const uint8_t *in, size_t len)
{
    cv_stream s;
    cv_stream_init(&s, c->key, c->counter);
    s.chain[15] = 1;
    cv_ctr(&s, out, in, len);
    cv_wipe(&s, sizeof s);
}

/* Whether `len` is the length announced to cv_ccm_start; the message is then marked as processed. */
static int is_message(cv_ccm *c, size_t len)
{
    if (cv_has_ended(c->key) || len != c->len)
        return 0;
    c->len = 0;
    return 1;
}

int cv_ccm_encrypt(cv_ccm *c, uint8_t *out, const uint8_t *in, size_t len)
{
    if (!is_message(c, len))
        return CV_ERR_LENGTH;
    close_block(c, add(c, 0, in, len));
    crypt(c, out, in, len);
    return CV_OK;
}

int cv_ccm_decrypt(cv_ccm *c, uint8_t *out, const uint8_t *in, size_t len)
{
    if (!is_message(c, len))
        return CV_ERR_LENGTH;
    crypt(c, out, in, len);
    close_block(c, add(c, 0, out, len));
    return CV_OK;
}

/* The tag is the MAC encrypted with counter block 0. */
int cv_ccm_tag(cv_ccm *c, uint8_t *tag, size_t len)
{
    if (cv_has_ended(c->key) || c->len || len != c->tag_len)
        return CV_ERR_LENGTH;
    c->key->ops->ecb_encrypt(c->key, c->counter, c->counter, 1);
    cv_xor_block(c->mac, c->mac, c->counter);
    cv_copy(tag, c->mac, len);
    cv_wipe(c, sizeof *c);
    return CV_OK;
}

int cv_ccm_seal(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad,
                size_t aad_len, const uint8_t *nonce, size_t nonce_len, uint8_t *tag, size_t tag_len)
{
    cv_ccm c;
    int error = cv_ccm_start(&c, key, len, aad, aad_len, nonce, nonce_len, tag_len);
    if (error != CV_OK)
        return error;
    cv_ccm_encrypt(&c, out, in, len);
    return cv_ccm_tag(&c, tag, tag_len);
}

int cv_ccm_open(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *aad,
                size_t aad_len, const uint8_t *nonce, size_t nonce_len, const uint8_t *tag, size_t tag_len)
{
    cv_ccm c;
    uint8_t own[CV_BLOCK];
    int error = cv_ccm_start(&c, key, len, aad, aad_len, nonce, nonce_len, tag_len);
    if (error != CV_OK)
        return error;
    cv_ccm_decrypt(&c, out, in, len);
    cv_ccm_tag(&c, own, tag_len);
    if (!cv_same(own, tag, tag_len)) {
        cv_wipe(out, len);
        error = CV_ERR_TAG;
    }
    cv_wipe(own, sizeof own);
    return error;
}

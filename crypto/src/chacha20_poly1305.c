/* ChaCha20-Poly1305 (RFC 8439, 2.8). */
#include "internal.h"

/* Maximum bytes of text: the 32-bit counter begins at 1 and must not return to the block that provided Poly1305's key. */
#define MAX_TEXT ((UINT64_C(1) << 38) - 64)

void cv_chacha20_poly1305_init(cv_chacha20_poly1305 *c, const uint8_t key[32], const uint8_t nonce[12])
{
    uint8_t first[64] = { 0 };
    cv_chacha20_init(&c->cipher, key, nonce, 0);
    cv_chacha20_update(&c->cipher, first, first, sizeof first);
    cv_poly1305_init(&c->mac, first);
    c->aad_len = c->text_len = 0;
    cv_wipe(first, sizeof first);
}

/* Whether the tag was computed: a state that is not wiped begins with the constant of RFC 8439, 2.3. A wiped state
 * would encrypt with a known key stream. */
static int has_ended(const cv_chacha20_poly1305 *c)
{
    return c->cipher.state[0] == 0;
}

int cv_chacha20_poly1305_aad(cv_chacha20_poly1305 *c, const uint8_t *aad, size_t len)
{
    if (has_ended(c) || c->text_len)
        return CV_ERR_LENGTH;
    cv_poly1305_update(&c->mac, aad, len);
    c->aad_len += len;
    return CV_OK;
}

/* Whether `len` more bytes are too many. */
static int too_long(uint64_t text_len, uint64_t len)
{
    return len > MAX_TEXT - text_len;
}

/* Pads with zeros to a whole block. */
static void pad(cv_chacha20_poly1305 *c, uint64_t len)
{
    static const uint8_t zeros[16];
    if (len % 16)
        cv_poly1305_update(&c->mac, zeros, 16 - (size_t)(len % 16));
}

static void authenticate(cv_chacha20_poly1305 *c, const uint8_t *text, size_t len)
{
    if (len == 0)
        return;
    if (c->text_len == 0)
        pad(c, c->aad_len);
    cv_poly1305_update(&c->mac, text, len);
    c->text_len += len;
}

int cv_chacha20_poly1305_encrypt(cv_chacha20_poly1305 *c, uint8_t *out, const uint8_t *in, size_t len)
{
    if (has_ended(c) || too_long(c->text_len, len))
        return CV_ERR_LENGTH;
    cv_chacha20_update(&c->cipher, out, in, len);
    authenticate(c, out, len);
    return CV_OK;
}

int cv_chacha20_poly1305_decrypt(cv_chacha20_poly1305 *c, uint8_t *out, const uint8_t *in, size_t len)
{
    if (has_ended(c) || too_long(c->text_len, len))
        return CV_ERR_LENGTH;
    authenticate(c, in, len);
    cv_chacha20_update(&c->cipher, out, in, len);
    return CV_OK;
}

int cv_chacha20_poly1305_tag(cv_chacha20_poly1305 *c, uint8_t tag[16])
{
    uint8_t lengths[16];
    if (has_ended(c))
        return CV_ERR_LENGTH;
    pad(c, c->text_len ? c->text_len : c->aad_len);
    cv_store_le64(lengths, c->aad_len);
    cv_store_le64(lengths + 8, c->text_len);
    cv_poly1305_update(&c->mac, lengths, sizeof lengths);
    cv_poly1305_final(&c->mac, tag);
    cv_wipe(c, sizeof *c);
    return CV_OK;
}

int cv_chacha20_poly1305_verify(cv_chacha20_poly1305 *c, const uint8_t tag[16])
{
    uint8_t own[16];
    if (has_ended(c))
        return CV_ERR_TAG;
    cv_chacha20_poly1305_tag(c, own);
    return cv_same(own, tag, sizeof own) ? CV_OK : CV_ERR_TAG;
}

int cv_chacha20_poly1305_seal(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
                              uint8_t *out, const uint8_t *in, size_t len, uint8_t tag[16])
{
    cv_chacha20_poly1305 c;
    if (too_long(0, len))
        return CV_ERR_LENGTH;
    cv_chacha20_poly1305_init(&c, key, nonce);
    cv_chacha20_poly1305_aad(&c, aad, aad_len);
    cv_chacha20_poly1305_encrypt(&c, out, in, len);
    return cv_chacha20_poly1305_tag(&c, tag);
}

int cv_chacha20_poly1305_open(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *aad, size_t aad_len,
                              uint8_t *out, const uint8_t *in, size_t len, const uint8_t tag[16])
{
    cv_chacha20_poly1305 c;
    int result;
    if (too_long(0, len))
        return CV_ERR_LENGTH;
    cv_chacha20_poly1305_init(&c, key, nonce);
    cv_chacha20_poly1305_aad(&c, aad, aad_len);
    cv_chacha20_poly1305_decrypt(&c, out, in, len);
    result = cv_chacha20_poly1305_verify(&c, tag);
    if (result != CV_OK)
        cv_wipe(out, len);
    return result;
}

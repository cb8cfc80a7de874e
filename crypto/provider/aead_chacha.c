/* ChaCha20-Poly1305 (RFC 8439), and its records in TLS 1.2 (RFC 7905): the nonce combines the fixed one and the
 * record's number. */
#include "aead.h"

#define KEY_LEN 32
#define NONCE 12

struct chacha {
    struct pv_aead aead;
    uint8_t key[KEY_LEN], fixed[NONCE];
    cv_chacha20_poly1305 state;
};

static int chacha_set(void *ctx, const OSSL_PARAM params[]);

static void begin(void *ctx)
{
    struct chacha *c = ctx;
    c->aead.nonce_len = NONCE;
}

static int init(void *ctx, const uint8_t *key, size_t key_len, const uint8_t *iv, size_t iv_len,
                const OSSL_PARAM params[], int encrypt)
{
    struct chacha *c = ctx;
    struct pv_aead *a = &c->aead;
    pv_aead_direction(a, encrypt);
    if (iv) {
        if (!pv_aead_nonce(a, iv, iv_len, NONCE, NONCE))
            return 0;
        memcpy(c->fixed, iv, NONCE);
    }
    if (key) {
        if (key_len != KEY_LEN)
            return pv_fail(PROV_R_INVALID_KEY_LENGTH);
        memcpy(c->key, key, KEY_LEN);
        a->base.key_set = 1;
    }
    if (iv || key) {
        a->tls_aad_len = 0;
        a->state = a->state == PV_NONCE_NONE ? PV_NONCE_NONE : PV_NONCE_SET;
    }
    return chacha_set(c, params);
}

PV_INITS(chacha, init)

/* Begins the message if it has not begun. As in OpenSSL, a nonce that was not set is zero, and a spent one is reused:
 * callers must not use the same nonce twice. */
static int ready(struct chacha *c)
{
    if (!c->aead.base.key_set)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (c->aead.state != PV_NONCE_USED)
        cv_chacha20_poly1305_init(&c->state, c->key, c->aead.nonce);
    c->aead.state = PV_NONCE_USED;
    return 1;
}

/* Whether the tag of the finished message begins with the `len` bytes at `tag`. */
static int matches(struct chacha *c, const uint8_t *tag, size_t len)
{
    uint8_t own[PV_TAG];
    int made = cv_chacha20_poly1305_tag(&c->state, own) == CV_OK;
    c->aead.state = PV_NONCE_SPENT;
    int same = made && len && CRYPTO_memcmp(own, tag, len) == 0;
    OPENSSL_cleanse(own, sizeof own);
    return same;
}

static void seal(struct chacha *c)
{
    cv_chacha20_poly1305_tag(&c->state, c->aead.tag);
    c->aead.state = PV_NONCE_SPENT;
}

/* A record: text, tag. */
static int tls_update(struct chacha *c, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len)
{
    struct pv_aead *a = &c->aead;
    size_t text_len = (size_t)a->tls_aad[PV_TLS_AAD - 2] << 8 | a->tls_aad[PV_TLS_AAD - 1];
    a->tls_aad_len = 0;
    if (len != text_len + PV_TAG || !ready(c))
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    cv_chacha20_poly1305_aad(&c->state, a->tls_aad, PV_TLS_AAD);
    if (a->base.encrypt) {
        cv_chacha20_poly1305_encrypt(&c->state, out, in, text_len);
        seal(c);
        memcpy(out + text_len, a->tag, PV_TAG);
    } else {
        uint8_t came[PV_TAG];
        memcpy(came, in + text_len, PV_TAG);
        cv_chacha20_poly1305_decrypt(&c->state, out, in, text_len);
        if (!matches(c, came, PV_TAG)) {
            OPENSSL_cleanse(out, text_len);
            return 0;
        }
    }
    *out_len = a->base.encrypt ? len : text_len;
    return 1;
}

static int chacha_update(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in,
                         size_t len)
{
    struct chacha *c = ctx;
    int error;
    *out_len = 0;
    if (len == 0)
        return 1;
    if (room < len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    if (c->aead.tls_aad_len && out)
        return tls_update(c, out, out_len, in, len);
    if (!ready(c))
        return 0;
    error = out == NULL             ? cv_chacha20_poly1305_aad(&c->state, in, len)
        : c->aead.base.encrypt != 0 ? cv_chacha20_poly1305_encrypt(&c->state, out, in, len)
                                    : cv_chacha20_poly1305_decrypt(&c->state, out, in, len);
    if (error != CV_OK)
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    *out_len = len;
    return 1;
}

static int chacha_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct chacha *c = ctx;
    (void)out, (void)room;
    *out_len = 0;
    if (!ready(c))
        return 0;
    if (!c->aead.base.encrypt)
        return matches(c, c->aead.tag, c->aead.tag_len);
    seal(c);
    return 1;
}

/* For EVP_Cipher: without input, finishes the message. */
static int chacha_cipher(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in,
                         size_t len)
{
    return in ? chacha_update(ctx, out, out_len, room, in, len) : chacha_final(ctx, out, out_len, room);
}

static int set_tag(struct pv_aead *a, const uint8_t *tag, size_t len)
{
    if (len == 0 || (tag && a->base.encrypt))
        return 0;
    if (tag)
        memcpy(a->tag, tag, len);
    a->tag_len = len;
    return 1;
}

static int get_tag(struct pv_aead *a, uint8_t *tag, size_t len)
{
    if (len == 0 || len > PV_TAG || a->state != PV_NONCE_SPENT)
        return 0;
    memcpy(tag, a->tag, len);
    return 1;
}

static int set_nonce_len(struct pv_aead *a, size_t len)
{
    (void)a;
    return len == NONCE;
}

static int tls_aad(struct pv_aead *a, const uint8_t *aad)
{
    struct chacha *c = (struct chacha *)a;
    if (!pv_aead_tls_aad(a, aad, 0, PV_TAG))
        return 0;
    memcpy(a->nonce, c->fixed, NONCE);
    for (size_t i = 0; i < 8; i++)
        a->nonce[NONCE - 8 + i] ^= aad[i];
    a->state = PV_NONCE_SET;
    return 1;
}

static int set_fixed(struct pv_aead *a, const uint8_t *fixed, size_t len)
{
    struct chacha *c = (struct chacha *)a;
    if (len != NONCE)
        return 0;
    memcpy(c->fixed, fixed, NONCE);
    return 1;
}

static const struct pv_aead_params own = {
    .set_tag = set_tag,
    .get_tag = get_tag,
    .set_nonce_len = set_nonce_len,
    .tls_aad = tls_aad,
    .tls_fixed = set_fixed,
};

static int chacha_set(void *ctx, const OSSL_PARAM params[])
{
    return pv_aead_set(ctx, &own, params);
}

static int chacha_get(void *ctx, OSSL_PARAM params[])
{
    return pv_aead_get(ctx, &own, params);
}

PV_CIPHER(chacha20_poly1305, chacha, chacha, pv_aead, .mode = 0, .flags = PV_AEAD | PV_CUSTOM_IV, .key_len = KEY_LEN,
          .iv_len = NONCE, .block = 1, .size = sizeof(struct chacha), .begin = begin)

/* CCM: the length of a message comes first, as an update without input and output, unless there is no associated data.
 * Associated data comes in one piece, and so does the message. Records of TLS 1.2 as in RFC 6655. */
#include "aead.h"

#define FIXED 4
#define EXPLICIT 8
/* OpenSSL's default lengths. */
#define NONCE 7
#define TAG 12

struct ccm {
    struct pv_aead aead;
    cv_ccm ccm;
    size_t len; /* of the message, if known */
    unsigned len_set;
    unsigned started; /* associated data has been processed */
    unsigned tag_set; /* a tag has been received for comparison, or computed */
};

static int ccm_set(void *ctx, const OSSL_PARAM params[]);

static void begin(void *ctx)
{
    struct ccm *c = ctx;
    c->aead.nonce_len = NONCE;
    c->aead.tag_len = TAG;
}

static void relink(void *ctx)
{
    struct ccm *c = ctx;
    c->ccm.key = &c->aead.base.key;
}

static void over(struct ccm *c)
{
    c->aead.state = PV_NONCE_SPENT;
    c->started = c->len_set = c->tag_set = 0;
}

static int init(void *ctx, const uint8_t *key, size_t key_len, const uint8_t *iv, size_t iv_len,
                const OSSL_PARAM params[], int encrypt)
{
    struct ccm *c = ctx;
    if (c->aead.base.encrypt != (unsigned)encrypt) {
        c->tag_set = 0;
        if (c->started)
            over(c);
    }
    c->aead.base.encrypt = (unsigned)encrypt;
    if (iv) {
        if (iv_len != c->aead.nonce_len)
            return pv_fail(PROV_R_INVALID_IV_LENGTH);
        if (!pv_aead_nonce(&c->aead, iv, iv_len, iv_len, iv_len))
            return 0;
        c->started = c->len_set = 0;
        c->tag_set &= !encrypt;
    }
    if (key) {
        if (!pv_cipher_key(&c->aead.base, key, key_len))
            return 0;
        /* A message with the previous key cannot continue. */
        if (c->started || (encrypt && c->tag_set))
            over(c);
    }
    return ccm_set(c, params);
}

PV_INITS(ccm, init)

static int start(struct ccm *c, size_t len, const uint8_t *aad, size_t aad_len)
{
    const struct pv_aead *a = &c->aead;
    int error = cv_ccm_start(&c->ccm, &a->base.key, len, aad, aad_len, a->nonce, a->nonce_len, a->tag_len);
    c->started = error == CV_OK;
    return c->started;
}

static int open_text(struct ccm *c, uint8_t *out, const uint8_t *in, size_t len, const uint8_t *tag)
{
    uint8_t own[PV_TAG];
    int same;
    same = cv_ccm_decrypt(&c->ccm, out, in, len) == CV_OK && cv_ccm_tag(&c->ccm, own, c->aead.tag_len) == CV_OK
        && CRYPTO_memcmp(own, tag, c->aead.tag_len) == 0;
    if (!same)
        OPENSSL_cleanse(out, len);
    OPENSSL_cleanse(own, sizeof own);
    return same;
}

/* A record in place: explicit part of the nonce, text, tag. The explicit part is the record's number. */
static int tls_update(struct ccm *c, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len)
{
    struct pv_aead *a = &c->aead;
    uint8_t *text = out + EXPLICIT;
    size_t text_len;
    if (in == NULL || out != in || len < EXPLICIT + a->tag_len)
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    text_len = len - EXPLICIT - a->tag_len;
    if (a->base.encrypt)
        memcpy(out, a->tls_aad, EXPLICIT);
    memcpy(a->nonce + FIXED, out, EXPLICIT);
    if (a->nonce_len != FIXED + EXPLICIT || !start(c, text_len, a->tls_aad, PV_TLS_AAD))
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    if (a->base.encrypt) {
        if (cv_ccm_encrypt(&c->ccm, text, text, text_len) != CV_OK
            || cv_ccm_tag(&c->ccm, text + text_len, a->tag_len) != CV_OK)
            return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    } else if (!open_text(c, text, text, text_len, text + text_len)) {
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    }
    *out_len = a->base.encrypt ? len : text_len;
    return 1;
}

/* The length of the message, or its associated data. */
static int before_text(struct ccm *c, const uint8_t *in, size_t len)
{
    if (in == NULL) {
        /* A nonce that was used for sealing is not used again. */
        if (c->aead.base.encrypt && c->tag_set)
            return 0;
        c->len = len;
        c->started = 0;
        return c->len_set = 1;
    }
    /* Empty associated data is the same as none. */
    return len == 0
        || (c->len_set && !c->started && !(c->aead.base.encrypt && c->tag_set) && start(c, c->len, in, len));
}

static int whole_text(struct ccm *c, uint8_t *out, const uint8_t *in, size_t len)
{
    struct pv_aead *a = &c->aead;
    int encrypt = a->base.encrypt != 0, ok;
    if ((c->len_set && len != c->len) || encrypt == (int)c->tag_set || (!c->started && !start(c, len, NULL, 0)))
        return 0;
    if (!encrypt) {
        ok = open_text(c, out, in, len, a->tag);
        over(c);
        return ok;
    }
    ok = cv_ccm_encrypt(&c->ccm, out, in, len) == CV_OK && cv_ccm_tag(&c->ccm, a->tag, a->tag_len) == CV_OK;
    c->started = 0;
    c->tag_set = (unsigned)ok;
    return ok;
}

static int ccm_update(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, size_t len)
{
    struct ccm *c = ctx;
    *out_len = 0;
    if (room < len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    if (!c->aead.base.key_set)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (c->aead.tls_aad_len)
        return tls_update(c, out, out_len, in, len);
    if (out && in == NULL)
        return 1;
    if (c->aead.state != PV_NONCE_SET || !(out ? whole_text(c, out, in, len) : before_text(c, in, len)))
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    *out_len = len;
    return 1;
}

/* Nothing is left to do. */
static int ccm_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    const struct ccm *c = ctx;
    (void)out, (void)room;
    *out_len = 0;
    return c->aead.base.key_set || pv_fail(PROV_R_NO_KEY_SET);
}

static int ccm_cipher(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, size_t len)
{
    return ccm_update(ctx, out, out_len, room, in, len);
}

/* Sets a length, for the tag to compute or to receive; or a received tag. */
static int set_tag(struct pv_aead *a, const uint8_t *tag, size_t len)
{
    struct ccm *c = (struct ccm *)a;
    if (len % 2 || len < 4 || (tag && a->base.encrypt))
        return 0;
    /* The data that has been hashed depends on the tag's length. */
    if (len != a->tag_len && (c->started || (a->base.encrypt && c->tag_set)))
        return 0;
    if (tag) {
        memcpy(a->tag, tag, len);
        c->tag_set = 1;
    }
    a->tag_len = len;
    return 1;
}

/* The tag can be read once: the message is then over. */
static int get_tag(struct pv_aead *a, uint8_t *tag, size_t len)
{
    struct ccm *c = (struct ccm *)a;
    if (!c->tag_set || len != a->tag_len)
        return 0;
    memcpy(tag, a->tag, len);
    over(c);
    return 1;
}

static int set_nonce_len(struct pv_aead *a, size_t len)
{
    if (len < 7 || len > 13)
        return 0;
    if (len != a->nonce_len)
        a->state = PV_NONCE_NONE;
    a->nonce_len = len;
    return 1;
}

static int tls_aad(struct pv_aead *a, const uint8_t *aad)
{
    return pv_aead_tls_aad(a, aad, EXPLICIT, a->tag_len);
}

static int set_fixed(struct pv_aead *a, const uint8_t *fixed, size_t len)
{
    if (len != FIXED)
        return 0;
    memcpy(a->nonce, fixed, FIXED);
    return 1;
}

static const struct pv_aead_params own = {
    .set_tag = set_tag,
    .get_tag = get_tag,
    .set_nonce_len = set_nonce_len,
    .tls_aad = tls_aad,
    .tls_fixed = set_fixed,
};

static int ccm_set(void *ctx, const OSSL_PARAM params[])
{
    return pv_aead_set(ctx, &own, params);
}

static int ccm_get(void *ctx, OSSL_PARAM params[])
{
    return pv_aead_get(ctx, &own, params);
}

#define CCM(id, bytes, family) \
    PV_CIPHER(id##_ccm, ccm, ccm, pv_aead, .mode = EVP_CIPH_CCM_MODE, .flags = PV_AEAD | PV_CUSTOM_IV, \
              .key_len = bytes, .iv_len = 12, .block = 1, .size = sizeof(struct ccm), .expand = pv_expand_##family, \
              .begin = begin, .relink = relink)

CCM(aes_128, 16, aes)
CCM(aes_192, 24, aes)
CCM(aes_256, 32, aes)
CCM(sm4, 16, sm4)

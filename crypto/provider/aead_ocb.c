/* OCB (RFC 7253): whole blocks are output as they are completed, the rest at the end. */
#include "aead.h"

/* Maximum length of a nonce in bytes (RFC 7253, 4.2). */
#define MAX_NONCE 15

struct ocb {
    struct pv_aead aead;
    cv_ocb ocb;
};

static int ocb_set(void *ctx, const OSSL_PARAM params[]);

static void begin(void *ctx)
{
    struct ocb *o = ctx;
    o->aead.nonce_len = o->aead.base.cipher->iv_len;
    o->aead.tag_len = PV_TAG;
}

static void relink(void *ctx)
{
    struct ocb *o = ctx;
    o->ocb.key = &o->aead.base.key;
}

static int init(void *ctx, const uint8_t *key, size_t key_len, const uint8_t *iv, size_t iv_len,
                const OSSL_PARAM params[], int encrypt)
{
    struct ocb *o = ctx;
    pv_aead_direction(&o->aead, encrypt);
    if (iv && !pv_aead_nonce(&o->aead, iv, iv_len, 1, MAX_NONCE))
        return 0;
    if (key) {
        if (!pv_cipher_key(&o->aead.base, key, key_len))
            return 0;
        cv_ocb_init(&o->ocb, &o->aead.base.key);
        pv_aead_new_key(&o->aead);
    }
    return ocb_set(o, params);
}

PV_INITS(ocb, init)

/* Begins the message if it has not begun. */
static int ready(struct ocb *o)
{
    struct pv_aead *a = &o->aead;
    if (!a->base.key_set)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (a->state == PV_NONCE_SET && cv_ocb_start(&o->ocb, a->nonce, a->nonce_len, a->tag_len) == CV_OK)
        a->state = PV_NONCE_USED;
    return a->state == PV_NONCE_USED || pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
}

static int ocb_update(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, size_t len)
{
    struct ocb *o = ctx;
    size_t came = 0;
    int error;
    *out_len = 0;
    if (!ready(o))
        return 0;
    if (len == 0)
        return 1;
    if (out && room < (o->ocb.held + len) / CV_BLOCK * CV_BLOCK)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    if (out == NULL) {
        /* OpenSSL reports whole blocks of associated data as it does those of text. */
        came = (o->ocb.aad_held + len) / CV_BLOCK * CV_BLOCK;
        error = cv_ocb_aad(&o->ocb, in, len);
    } else {
        error = (o->aead.base.encrypt ? cv_ocb_encrypt : cv_ocb_decrypt)(&o->ocb, out, &came, in, len);
    }
    *out_len = came;
    return error == CV_OK || pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
}

static int ocb_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct ocb *o = ctx;
    struct pv_aead *a = &o->aead;
    int error;
    *out_len = 0;
    if (!ready(o))
        return 0;
    if (room < o->ocb.held)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    error = a->base.encrypt ? cv_ocb_tag(&o->ocb, out, out_len, a->tag) : cv_ocb_verify(&o->ocb, out, out_len, a->tag);
    a->state = PV_NONCE_SPENT;
    return error == CV_OK;
}

/* For EVP_Cipher: without input, finishes the message. */
static int ocb_cipher(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, size_t len)
{
    return in ? ocb_update(ctx, out, out_len, room, in, len) : ocb_final(ctx, out, out_len, room);
}

/* Sets a length, for the tag to compute or to receive; or a tag of that length. */
static int set_tag(struct pv_aead *a, const uint8_t *tag, size_t len)
{
    if (tag == NULL) {
        /* The block that is made from the nonce contains the tag's length. */
        if (len != a->tag_len && a->state == PV_NONCE_USED)
            return 0;
        if (len != a->tag_len && a->state == PV_NONCE_SPENT)
            a->state = PV_NONCE_LOST;
        a->tag_len = len;
        return 1;
    }
    if (a->base.encrypt || len != a->tag_len)
        return 0;
    memcpy(a->tag, tag, len);
    return 1;
}

static int get_tag(struct pv_aead *a, uint8_t *tag, size_t len)
{
    if (len != a->tag_len || a->state != PV_NONCE_SPENT)
        return 0;
    memcpy(tag, a->tag, len);
    return 1;
}

static int set_nonce_len(struct pv_aead *a, size_t len)
{
    if (len == 0 || len > MAX_NONCE)
        return 0;
    if (len != a->nonce_len)
        a->state = PV_NONCE_NONE;
    a->nonce_len = len;
    return 1;
}

static const struct pv_aead_params own = {
    .set_tag = set_tag,
    .get_tag = get_tag,
    .set_nonce_len = set_nonce_len,
};

static int ocb_set(void *ctx, const OSSL_PARAM params[])
{
    return pv_aead_set(ctx, &own, params);
}

static int ocb_get(void *ctx, OSSL_PARAM params[])
{
    return pv_aead_get(ctx, &own, params);
}

static const OSSL_PARAM *ocb_gettable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TAGLEN, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

static const OSSL_PARAM *ocb_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_IVLEN, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

#define OCB(id, bytes) \
    PV_CIPHER(id##_ocb, ocb, ocb, ocb, .mode = EVP_CIPH_OCB_MODE, .flags = PV_AEAD | PV_CUSTOM_IV, .key_len = bytes, \
              .iv_len = 12, .block = CV_BLOCK, .size = sizeof(struct ocb), .expand = pv_expand_aes, .begin = begin, \
              .relink = relink)

OCB(aes_128, 16)
OCB(aes_192, 24)
OCB(aes_256, 32)

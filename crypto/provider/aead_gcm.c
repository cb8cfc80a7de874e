/* GCM, and its records in TLS 1.2 (RFC 5288): fixed part of the nonce, explicit part, text, tag. */
#include "aead.h"

#include <openssl/rand.h>

#define FIXED 4
#define EXPLICIT 8

struct gcm {
    struct pv_aead aead;
    cv_gcm gcm;
    unsigned makes_nonces, random;
    uint64_t records; /* number sealed with this key */
};

static int gcm_set(void *ctx, const OSSL_PARAM params[]);

static void begin(void *ctx)
{
    struct gcm *g = ctx;
    g->aead.nonce_len = g->aead.base.cipher->iv_len;
}

static void relink(void *ctx)
{
    struct gcm *g = ctx;
    g->gcm.key = &g->aead.base.key;
}

static int init(void *ctx, const uint8_t *key, size_t key_len, const uint8_t *iv, size_t iv_len,
                const OSSL_PARAM params[], int encrypt)
{
    struct gcm *g = ctx;
    pv_aead_direction(&g->aead, encrypt);
    if (iv && !pv_aead_nonce(&g->aead, iv, iv_len, 1, PV_MAX_NONCE))
        return 0;
    if (key) {
        if (!pv_cipher_key(&g->aead.base, key, key_len))
            return 0;
        cv_gcm_init(&g->gcm, &g->aead.base.key);
        g->records = 0;
        pv_aead_new_key(&g->aead);
    }
    return gcm_set(g, params);
}

PV_INITS(gcm, init)

static int random_nonce(struct gcm *g, size_t from)
{
    struct pv_aead *a = &g->aead;
    if (RAND_bytes_ex(a->base.provider->library, a->nonce + from, a->nonce_len - from, 0) <= 0)
        return 0;
    g->random = 1;
    a->state = PV_NONCE_SET;
    return 1;
}

static int start(struct gcm *g)
{
    g->aead.state = PV_NONCE_USED;
    return cv_gcm_start(&g->gcm, g->aead.nonce, g->aead.nonce_len) == CV_OK;
}

/* The last `len` bytes of the nonce that is used next, or all of it for 0. Then increments its last 8 bytes. */
static int make_explicit(struct pv_aead *a, uint8_t *out, size_t len)
{
    struct gcm *g = (struct gcm *)a;
    if (!g->makes_nonces || !a->base.key_set || !start(g))
        return 0;
    if (len == 0 || len > a->nonce_len)
        len = a->nonce_len;
    memcpy(out, a->nonce + a->nonce_len - len, len);
    for (size_t i = 1; i <= EXPLICIT && ++a->nonce[a->nonce_len - i] == 0; i++)
        ;
    return 1;
}

static int take_explicit(struct pv_aead *a, const uint8_t *in, size_t len)
{
    struct gcm *g = (struct gcm *)a;
    if (!g->makes_nonces || !a->base.key_set || a->base.encrypt || len > a->nonce_len)
        return 0;
    memcpy(a->nonce + a->nonce_len - len, in, len);
    return start(g);
}

/* Sets the fixed part; `len` is -1 to set the whole nonce. A nonce shorter than its explicit part has no counter. */
static int set_fixed(struct pv_aead *a, const uint8_t *fixed, size_t len)
{
    struct gcm *g = (struct gcm *)a;
    if (len == (size_t)-1) {
        memcpy(a->nonce, fixed, a->nonce_len);
    } else {
        if (len < FIXED || a->nonce_len < len + EXPLICIT)
            return 0;
        memcpy(a->nonce, fixed, len);
        if (a->base.encrypt && !random_nonce(g, len))
            return 0;
    }
    g->makes_nonces = a->nonce_len >= EXPLICIT;
    a->state = PV_NONCE_SET;
    return 1;
}

static int tls_aad(struct pv_aead *a, const uint8_t *aad)
{
    return pv_aead_tls_aad(a, aad, EXPLICIT, PV_TAG);
}

static int seal_record(struct gcm *g, uint8_t *record, size_t len)
{
    uint8_t *text = record + EXPLICIT;
    size_t text_len = len - EXPLICIT - PV_TAG;
    if (++g->records == 0)
        return pv_fail(PROV_R_TOO_MANY_RECORDS);
    return make_explicit(&g->aead, record, EXPLICIT) && cv_gcm_aad(&g->gcm, g->aead.tls_aad, PV_TLS_AAD) == CV_OK
        && cv_gcm_encrypt(&g->gcm, text, text, text_len) == CV_OK
        && cv_gcm_tag(&g->gcm, text + text_len, PV_TAG) == CV_OK;
}

static int open_record(struct gcm *g, uint8_t *record, size_t len)
{
    uint8_t *text = record + EXPLICIT;
    size_t text_len = len - EXPLICIT - PV_TAG;
    if (!take_explicit(&g->aead, record, EXPLICIT) || cv_gcm_aad(&g->gcm, g->aead.tls_aad, PV_TLS_AAD) != CV_OK
        || cv_gcm_decrypt(&g->gcm, text, text, text_len) != CV_OK)
        return 0;
    if (cv_gcm_verify(&g->gcm, text + text_len, PV_TAG) == CV_OK)
        return 1;
    OPENSSL_cleanse(text, text_len);
    return 0;
}

/* A record of TLS in place. Sealing outputs the whole record; opening outputs its text, which stays where it is. */
static int tls_update(struct gcm *g, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len)
{
    int encrypt = g->aead.base.encrypt != 0;
    int ok = g->aead.base.key_set && out == in && len >= EXPLICIT + PV_TAG
        && (encrypt ? seal_record : open_record)(g, out, len);
    g->aead.state = PV_NONCE_SPENT;
    g->aead.tls_aad_len = 0;
    *out_len = !ok ? 0 : encrypt ? len : len - EXPLICIT - PV_TAG;
    return ok || pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
}

/* Begins the message if it has not begun; encryption without a nonce generates one. */
static int ready(struct gcm *g)
{
    struct pv_aead *a = &g->aead;
    if (!a->base.key_set)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (a->state == PV_NONCE_NONE && !(a->base.encrypt && a->nonce_len >= FIXED + EXPLICIT && random_nonce(g, 0)))
        return 0;
    return a->state == PV_NONCE_USED || (a->state == PV_NONCE_SET && start(g));
}

static int gcm_update(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, size_t len)
{
    struct gcm *g = ctx;
    int error;
    *out_len = 0;
    if (len == 0)
        return 1;
    if (room < len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    if (g->aead.tls_aad_len)
        return tls_update(g, out, out_len, in, len);
    if (!ready(g))
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    error = out == NULL             ? cv_gcm_aad(&g->gcm, in, len)
        : g->aead.base.encrypt != 0 ? cv_gcm_encrypt(&g->gcm, out, in, len)
                                    : cv_gcm_decrypt(&g->gcm, out, in, len);
    if (error != CV_OK)
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    *out_len = len;
    return 1;
}

static int gcm_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    struct gcm *g = ctx;
    struct pv_aead *a = &g->aead;
    (void)out, (void)room;
    *out_len = 0;
    if (a->tls_aad_len)
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    if (!ready(g) || (!a->base.encrypt && a->tag_len == 0))
        return 0;
    if (a->base.encrypt)
        a->tag_len = PV_TAG;
    a->state = PV_NONCE_SPENT;
    return (a->base.encrypt ? cv_gcm_tag(&g->gcm, a->tag, PV_TAG) : cv_gcm_verify(&g->gcm, a->tag, a->tag_len))
        == CV_OK;
}

/* For EVP_Cipher: without input, finishes the message. */
static int gcm_cipher(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, size_t len)
{
    return in ? gcm_update(ctx, out, out_len, room, in, len) : gcm_final(ctx, out, out_len, room);
}

static int set_tag(struct pv_aead *a, const uint8_t *tag, size_t len)
{
    if (len == 0 || a->base.encrypt || tag == NULL)
        return 0;
    memcpy(a->tag, tag, len);
    a->tag_len = len;
    return 1;
}

static int get_tag(struct pv_aead *a, uint8_t *tag, size_t len)
{
    if (len == 0 || len > PV_TAG || a->tag_len == 0 || a->state != PV_NONCE_SPENT)
        return 0;
    memcpy(tag, a->tag, len);
    return 1;
}

/* Another length invalidates a nonce, or a part of one, that was set. */
static int set_nonce_len(struct pv_aead *a, size_t len)
{
    if (len == 0 || len > PV_MAX_NONCE)
        return 0;
    if (len != a->nonce_len) {
        if (a->state != PV_NONCE_NONE)
            a->state = PV_NONCE_LOST;
        ((struct gcm *)a)->makes_nonces = 0;
    }
    a->nonce_len = len;
    return 1;
}

static const struct pv_aead_params own = {
    set_tag, get_tag, set_nonce_len, tls_aad, set_fixed, make_explicit, take_explicit, PV_TAG,
};

static int gcm_set(void *ctx, const OSSL_PARAM params[])
{
    return pv_aead_set(ctx, &own, params);
}

static int gcm_get(void *ctx, OSSL_PARAM params[])
{
#ifdef OSSL_CIPHER_PARAM_AEAD_IV_GENERATED
    const struct gcm *g = ctx;
    if (!pv_put_uint(params, OSSL_CIPHER_PARAM_AEAD_IV_GENERATED, g->random))
        return 0;
#endif
    return pv_aead_get(ctx, &own, params);
}

#define GCM(id, bytes, family) \
    PV_CIPHER(id##_gcm, gcm, gcm, pv_aead, .mode = EVP_CIPH_GCM_MODE, .flags = PV_AEAD | PV_CUSTOM_IV, \
              .key_len = bytes, .iv_len = 12, .block = 1, .size = sizeof(struct gcm), .expand = pv_expand_##family, \
              .begin = begin, .relink = relink)

GCM(aes_128, 16, aes)
GCM(aes_192, 24, aes)
GCM(aes_256, 32, aes)
GCM(sm4, 16, sm4)

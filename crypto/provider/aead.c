/* Parameters of authenticated ciphers. They are set for every message, so each list is traversed only once. */
#include "aead.h"

static int is(const char *key, const char *name)
{
    return strcmp(key, name) == 0;
}

const OSSL_PARAM *pv_aead_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_IVLEN, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

static int set_tls(struct pv_aead *a, const struct pv_aead_params *own, const OSSL_PARAM *p)
{
    if (is(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD)) {
        if (own->tls_aad == NULL || p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size != PV_TLS_AAD
            || !own->tls_aad(a, p->data))
            return pv_fail(PROV_R_INVALID_AAD);
    } else if (is(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED)) {
        if (own->tls_fixed == NULL || p->data_type != OSSL_PARAM_OCTET_STRING
            || !own->tls_fixed(a, p->data, p->data_size))
            return pv_fail(PROV_R_INVALID_IV_LENGTH);
    } else if (is(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV)) {
        return own->tls_came && p->data && p->data_type == OSSL_PARAM_OCTET_STRING
            && own->tls_came(a, p->data, p->data_size);
    }
    return 1;
}

int pv_aead_set(struct pv_aead *a, const struct pv_aead_params *own, const OSSL_PARAM params[])
{
    for (const OSSL_PARAM *p = params; p && p->key; p++) {
        size_t len;
        if (is(p->key, OSSL_CIPHER_PARAM_AEAD_TAG)) {
            if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size > PV_TAG)
                return pv_fail(PROV_R_FAILED_TO_GET_PARAMETER);
            if (!own->set_tag(a, p->data, p->data_size))
                return pv_fail(PROV_R_INVALID_TAG);
        } else if (is(p->key, OSSL_CIPHER_PARAM_AEAD_IVLEN)) {
            if (!OSSL_PARAM_get_size_t(p, &len))
                return pv_fail(PROV_R_FAILED_TO_GET_PARAMETER);
            if (!own->set_nonce_len(a, len))
                return pv_fail(PROV_R_INVALID_IV_LENGTH);
        } else if (is(p->key, OSSL_CIPHER_PARAM_KEYLEN)) {
            if (!OSSL_PARAM_get_size_t(p, &len))
                return pv_fail(PROV_R_FAILED_TO_GET_PARAMETER);
            if (len != a->base.cipher->key_len)
                return pv_fail(PROV_R_INVALID_KEY_LENGTH);
        } else if (!set_tls(a, own, p)) {
            return 0;
        }
    }
    return 1;
}

const OSSL_PARAM *pv_aead_gettable(void *ctx, void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TAGLEN, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, NULL),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx, (void)provider;
    return known;
}

int pv_aead_get(struct pv_aead *a, const struct pv_aead_params *own, OSSL_PARAM params[])
{
    for (OSSL_PARAM *p = params; p && p->key; p++) {
        int ok = 1;
        if (is(p->key, OSSL_CIPHER_PARAM_AEAD_TAG)) {
            if (p->data == NULL || p->data_type != OSSL_PARAM_OCTET_STRING || !a->base.encrypt
                || !own->get_tag(a, p->data, p->data_size))
                return pv_fail(PROV_R_INVALID_TAG);
            p->return_size = p->data_size;
        } else if (is(p->key, OSSL_CIPHER_PARAM_IVLEN)) {
            ok = OSSL_PARAM_set_size_t(p, a->nonce_len);
        } else if (is(p->key, OSSL_CIPHER_PARAM_KEYLEN)) {
            ok = OSSL_PARAM_set_size_t(p, a->base.cipher->key_len);
        } else if (is(p->key, OSSL_CIPHER_PARAM_AEAD_TAGLEN)) {
            ok = OSSL_PARAM_set_size_t(p, a->tag_len ? a->tag_len : own->usual_tag);
        } else if (is(p->key, OSSL_CIPHER_PARAM_IV) || is(p->key, OSSL_CIPHER_PARAM_UPDATED_IV)) {
            if (a->state == PV_NONCE_NONE)
                return 0;
            ok = OSSL_PARAM_set_octet_string(p, a->nonce, a->nonce_len)
                || OSSL_PARAM_set_octet_ptr(p, a->nonce, a->nonce_len);
        } else if (is(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD)) {
            ok = OSSL_PARAM_set_size_t(p, a->tls_pad);
        } else if (is(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN)) {
            if (own->tls_make == NULL || p->data == NULL || p->data_type != OSSL_PARAM_OCTET_STRING
                || !own->tls_make(a, p->data, p->data_size))
                return 0;
        }
        if (!ok)
            return pv_fail(PROV_R_FAILED_TO_SET_PARAMETER);
    }
    return 1;
}

int pv_aead_tls_aad(struct pv_aead *a, const uint8_t *aad, size_t explicit_len, size_t tag_len)
{
    size_t len = (size_t)aad[PV_TLS_AAD - 2] << 8 | aad[PV_TLS_AAD - 1];
    size_t other = explicit_len + (a->base.encrypt ? 0 : tag_len);
    if (len < other)
        return 0;
    len -= other;
    memcpy(a->tls_aad, aad, PV_TLS_AAD);
    a->tls_aad[PV_TLS_AAD - 2] = (uint8_t)(len >> 8);
    a->tls_aad[PV_TLS_AAD - 1] = (uint8_t)len;
    a->tls_aad_len = PV_TLS_AAD;
    a->tls_pad = tag_len;
    return 1;
}

void pv_aead_direction(struct pv_aead *a, int encrypt)
{
    if (a->base.encrypt != (unsigned)encrypt && (a->state == PV_NONCE_USED || a->state == PV_NONCE_SPENT))
        a->state = PV_NONCE_LOST;
    a->base.encrypt = (unsigned)encrypt;
}

void pv_aead_new_key(struct pv_aead *a)
{
    if (a->state == PV_NONCE_USED)
        a->state = PV_NONCE_LOST;
}

int pv_aead_nonce(struct pv_aead *a, const uint8_t *nonce, size_t len, size_t min, size_t max)
{
    if (len < min || len > max)
        return pv_fail(PROV_R_INVALID_IV_LENGTH);
    memcpy(a->nonce, nonce, len);
    a->nonce_len = len;
    a->state = PV_NONCE_SET;
    return 1;
}

/* ChaCha20 with a 32-bit counter and a 96-bit nonce: the IV is the counter, little-endian, followed by the nonce. */
#include "cipher.h"

#define KEY_LEN 32

struct chacha20 {
    struct pv_ctx base;
    uint8_t key[KEY_LEN];
    cv_chacha20 state;
};

static int chacha_set(void *ctx, const OSSL_PARAM params[]);

/* Continues at the counter and nonce in `iv`. */
static void begin(struct chacha20 *c, const uint8_t iv[CV_BLOCK])
{
    uint32_t counter = iv[0] | (uint32_t)iv[1] << 8 | (uint32_t)iv[2] << 16 | (uint32_t)iv[3] << 24;
    cv_chacha20_init(&c->state, c->key, iv + 4, counter);
}

static int init(void *ctx, const uint8_t *key, size_t key_len, const uint8_t *iv, size_t iv_len,
                const OSSL_PARAM params[], int encrypt)
{
    struct chacha20 *c = ctx;
    uint8_t at[CV_BLOCK];
    c->base.encrypt = (unsigned)encrypt;
    /* A new key alone keeps the counter. */
    for (size_t i = 0; i < CV_BLOCK; i++)
        at[i] = (uint8_t)(c->state.state[12 + i / 4] >> 8 * (i % 4));
    if (iv) {
        if (iv_len != CV_BLOCK)
            return pv_fail(PROV_R_INVALID_IV_LENGTH);
        memcpy(at, iv, CV_BLOCK);
    }
    if (key) {
        if (key_len != KEY_LEN)
            return pv_fail(PROV_R_INVALID_KEY_LENGTH);
        memcpy(c->key, key, KEY_LEN);
        c->base.key_set = 1;
    }
    if (key || iv)
        begin(c, at);
    return chacha_set(c, params);
}

PV_INITS(chacha, init)

static int chacha_update(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in,
                         size_t len)
{
    struct chacha20 *c = ctx;
    if (!c->base.key_set)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (room < len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    if (len)
        cv_chacha20_update(&c->state, out, in, len);
    *out_len = len;
    return 1;
}

static int chacha_cipher(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in,
                         size_t len)
{
    return chacha_update(ctx, out, out_len, room, in, len);
}

static int chacha_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    const struct pv_ctx *base = ctx;
    (void)out, (void)room;
    *out_len = 0;
    return base->key_set || pv_fail(PROV_R_NO_KEY_SET);
}

static const OSSL_PARAM lengths[] = {
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
    OSSL_PARAM_END,
};

static const OSSL_PARAM *chacha_gettable(void *ctx, void *provider)
{
    (void)ctx, (void)provider;
    return lengths;
}

static const OSSL_PARAM *chacha_settable(void *ctx, void *provider)
{
    return chacha_gettable(ctx, provider);
}

static int chacha_get(void *ctx, OSSL_PARAM params[])
{
    const struct pv_ctx *base = ctx;
    return pv_put_size(params, OSSL_CIPHER_PARAM_IVLEN, base->cipher->iv_len)
        && pv_put_size(params, OSSL_CIPHER_PARAM_KEYLEN, base->cipher->key_len);
}

/* No length can be changed. */
static int chacha_set(void *ctx, const OSSL_PARAM params[])
{
    const struct pv_ctx *base = ctx;
    size_t key_len = base->cipher->key_len, iv_len = base->cipher->iv_len;
    if (params == NULL || params->key == NULL)
        return 1;
    if (!pv_take_size(params, OSSL_CIPHER_PARAM_KEYLEN, &key_len)
        || !pv_take_size(params, OSSL_CIPHER_PARAM_IVLEN, &iv_len))
        return 0;
    if (key_len != base->cipher->key_len)
        return pv_fail(PROV_R_INVALID_KEY_LENGTH);
    return iv_len == base->cipher->iv_len || pv_fail(PROV_R_INVALID_IV_LENGTH);
}

PV_CIPHER(chacha20, chacha, chacha, chacha, .mode = 0, .flags = PV_CUSTOM_IV, .key_len = KEY_LEN, .iv_len = CV_BLOCK,
          .block = 1, .size = sizeof(struct chacha20))

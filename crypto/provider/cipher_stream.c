/* CTR, OFB and CFB: any number of bytes at a time. */
#include "basic.h"

typedef void crypt_fn(cv_stream *s, uint8_t *out, const uint8_t *in, size_t len);

/* `forth` and `back` count in units of which `per_byte` make a byte; if these are bits, EVP_CIPH_FLAG_LENGTH_BITS says
 * that `len` is in bits, too. */
static inline int update(struct pv_basic *b, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in, size_t len,
                         crypt_fn *forth, crypt_fn *back, size_t per_byte)
{
    if (!b->base.key_set)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (room < len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    if (len)
        (b->base.encrypt ? forth : back)(&b->stream, out, in, b->in_bits && per_byte > 1 ? len : len * per_byte);
    *out_len = len;
    return 1;
}

/* Nothing is left after the last update. */
static int stream_final(void *ctx, unsigned char *out, size_t *out_len, size_t room)
{
    const struct pv_ctx *base = ctx;
    (void)out, (void)room;
    *out_len = 0;
    return base->key_set || pv_fail(PROV_R_NO_KEY_SET);
}

#define MODE(mode, forth, back, per_byte) \
    PV_INITS(mode, pv_basic_init) \
    static int mode##_final(void *ctx, unsigned char *out, size_t *out_len, size_t room) \
    { \
        return stream_final(ctx, out, out_len, room); \
    } \
    static int mode##_update(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, \
                             size_t len) \
    { \
        return update(ctx, out, out_len, room, in, len, forth, back, per_byte); \
    } \
    static int mode##_cipher(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, \
                             size_t len) \
    { \
        return update(ctx, out, out_len, room, in, len, forth, back, per_byte); \
    }

MODE(ctr, cv_ctr, cv_ctr, 1)
MODE(ofb, cv_ofb, cv_ofb, 1)
MODE(cfb, cv_cfb_encrypt, cv_cfb_decrypt, 1)
MODE(cfb8, cv_cfb8_encrypt, cv_cfb8_decrypt, 1)
MODE(cfb1, cv_cfb1_encrypt, cv_cfb1_decrypt, 8)

#define STREAM(id, bytes, family, name, MODE) \
    PV_CIPHER(id##_##name, name, pv_basic, pv_basic, .mode = EVP_CIPH_##MODE##_MODE, .key_len = bytes, \
              .iv_len = CV_BLOCK, .block = 1, .size = sizeof(struct pv_basic), .expand = pv_expand_##family, \
              .begin = pv_basic_begin, .relink = pv_basic_relink)
#define THREE(id, bytes, family) \
    STREAM(id, bytes, family, ctr, CTR) STREAM(id, bytes, family, ofb, OFB) STREAM(id, bytes, family, cfb, CFB)
#define ALL(id, bytes) THREE(id, bytes, aes) STREAM(id, bytes, aes, cfb8, CFB) STREAM(id, bytes, aes, cfb1, CFB)

ALL(aes_128, 16)
ALL(aes_192, 24)
ALL(aes_256, 32)
THREE(sm4, 16, sm4)

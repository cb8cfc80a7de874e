/* ECB and CBC: whole blocks, with PKCS #7 padding unless it is switched off. */
#include "basic.h"

typedef void crypt_fn(struct pv_basic *b, uint8_t *out, const uint8_t *in, size_t len);

static void ecb_crypt(struct pv_basic *b, uint8_t *out, const uint8_t *in, size_t len)
{
    (b->base.encrypt ? cv_ecb_encrypt : cv_ecb_decrypt)(&b->base.key, out, in, len / CV_BLOCK);
}

static void cbc_crypt(struct pv_basic *b, uint8_t *out, const uint8_t *in, size_t len)
{
    (b->base.encrypt ? cv_cbc_encrypt : cv_cbc_decrypt)(&b->base.key, out, in, len / CV_BLOCK, b->base.iv);
}

/* When decrypting with padding, the last whole block is held back: it may contain the padding. */
static inline int update(struct pv_basic *b, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in, size_t len,
                         crypt_fn *crypt)
{
    int keeps = !b->base.encrypt && b->pad;
    size_t came = 0, whole;
    if (!b->base.key_set)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (b->tls_version)
        return pv_tls_cbc(b, out, out_len, room, in, len, crypt);
    if (b->held_len) {
        size_t n = CV_BLOCK - b->held_len < len ? CV_BLOCK - b->held_len : len;
        memcpy(b->held + b->held_len, in, n);
        b->held_len += n, in += n, len -= n;
        if (b->held_len == CV_BLOCK && (!keeps || len)) {
            if (room < CV_BLOCK)
                return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
            crypt(b, out, b->held, CV_BLOCK);
            b->held_len = 0;
            came = CV_BLOCK;
        }
    }
    whole = len / CV_BLOCK * CV_BLOCK;
    if (keeps && whole && whole == len)
        whole -= CV_BLOCK;
    if (whole) {
        if (room < came + whole)
            return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        crypt(b, out + came, in, whole);
        came += whole, in += whole, len -= whole;
    }
    if (len) {
        memcpy(b->held + b->held_len, in, len);
        b->held_len += len;
    }
    *out_len = came;
    return 1;
}

/* Length of the text in a last block; CV_BLOCK if it does not end with valid padding. */
static size_t unpadded(const uint8_t block[CV_BLOCK])
{
    size_t pad = block[CV_BLOCK - 1];
    if (pad == 0 || pad > CV_BLOCK)
        return CV_BLOCK;
    for (size_t i = CV_BLOCK - pad; i < CV_BLOCK; i++)
        if (block[i] != pad)
            return CV_BLOCK;
    return CV_BLOCK - pad;
}

static int final(struct pv_basic *b, uint8_t *out, size_t *out_len, size_t room, crypt_fn *crypt)
{
    size_t len = CV_BLOCK;
    if (!b->base.key_set)
        return pv_fail(PROV_R_NO_KEY_SET);
    /* Records consist of whole blocks. */
    if (b->tls_version)
        return pv_fail(PROV_R_CIPHER_OPERATION_FAILED);
    *out_len = 0;
    if (b->base.encrypt && b->pad) {
        memset(b->held + b->held_len, (int)(CV_BLOCK - b->held_len), CV_BLOCK - b->held_len);
    } else if (b->held_len == 0 && !b->pad) {
        return 1;
    } else if (b->held_len != CV_BLOCK) {
        return pv_fail(PROV_R_WRONG_FINAL_BLOCK_LENGTH);
    }
    if (b->base.encrypt && room < CV_BLOCK)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    crypt(b, b->held, b->held, CV_BLOCK);
    if (!b->base.encrypt && b->pad) {
        len = unpadded(b->held);
        if (len == CV_BLOCK)
            return pv_fail(PROV_R_BAD_DECRYPT);
    }
    if (room < len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    memcpy(out, b->held, len);
    b->held_len = 0;
    *out_len = len;
    return 1;
}

/* Whole blocks at once, for EVP_Cipher. */
static int whole(struct pv_basic *b, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in, size_t len,
                 crypt_fn *crypt)
{
    if (!b->base.key_set)
        return pv_fail(PROV_R_NO_KEY_SET);
    if (room < len)
        return pv_fail(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    crypt(b, out, in, len);
    *out_len = len;
    return 1;
}

#define MODE(mode) \
    PV_INITS(mode, pv_basic_init) \
    static int mode##_update(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, \
                             size_t len) \
    { \
        return update(ctx, out, out_len, room, in, len, mode##_crypt); \
    } \
    static int mode##_final(void *ctx, unsigned char *out, size_t *out_len, size_t room) \
    { \
        return final(ctx, out, out_len, room, mode##_crypt); \
    } \
    static int mode##_cipher(void *ctx, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, \
                             size_t len) \
    { \
        return whole(ctx, out, out_len, room, in, len, mode##_crypt); \
    }

MODE(ecb)
MODE(cbc)

#define BLOCK(id, bytes, family, name, MODE, iv) \
    PV_CIPHER(id##_##name, name, pv_basic, pv_basic, .mode = EVP_CIPH_##MODE##_MODE, .key_len = bytes, .iv_len = iv, \
              .block = CV_BLOCK, .size = sizeof(struct pv_basic), .expand = pv_expand_##family, \
              .begin = pv_basic_begin, .relink = pv_basic_relink)
#define BOTH(id, bytes, family) BLOCK(id, bytes, family, ecb, ECB, 0) BLOCK(id, bytes, family, cbc, CBC, CV_BLOCK)

BOTH(aes_128, 16, aes)
BOTH(aes_192, 24, aes)
BOTH(aes_256, 32, aes)
BOTH(sm4, 16, sm4)

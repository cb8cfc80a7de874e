/* CCM and CCM* for Mbed TLS, implemented with libcapvec, in steps: for AES only. CCM* without a tag is counter mode. */
#include "mbedtls/ccm.h"
#include "mbedtls/constant_time.h"
#include "mbedtls/error.h"
#include <string.h>

/* What has been set in a context. */
enum { STARTED = 1, LENGTHS = 2, AD_BEGUN = 4, READY = STARTED | LENGTHS };

/* Number of blocks that the CBC-MAC processes at once; CBC's output for them is discarded. */
#define BATCH 16

void mbedtls_ccm_init(mbedtls_ccm_context *ctx)
{
    memset(ctx, 0, sizeof *ctx);
}

void mbedtls_ccm_free(mbedtls_ccm_context *ctx)
{
    if (ctx)
        cv_wipe(ctx, sizeof *ctx);
}

int mbedtls_ccm_setkey(mbedtls_ccm_context *ctx, mbedtls_cipher_id_t cipher, const unsigned char *key,
                       unsigned int keybits)
{
    if (cipher != MBEDTLS_CIPHER_ID_AES)
        return MBEDTLS_ERR_PLATFORM_FEATURE_UNSUPPORTED;
    return keybits % 8 || cv_aes_init(&ctx->key, key, keybits / 8) != CV_OK ? MBEDTLS_ERR_CCM_BAD_INPUT : 0;
}

/* Adds bytes to the MAC, whose open block already contains `at` bytes. */
static void absorb(mbedtls_ccm_context *ctx, size_t at, const unsigned char *in, size_t len)
{
    uint8_t unused[BATCH * CV_BLOCK];
    size_t used = 0;
    while (len) {
        size_t n = CV_BLOCK - at < len ? CV_BLOCK - at : len;
        if (at == 0 && len >= CV_BLOCK) {
            n = len < sizeof unused ? len - len % CV_BLOCK : sizeof unused;
            cv_cbc_encrypt(&ctx->key, unused, in, n / CV_BLOCK, ctx->mac);
            used = n > used ? n : used;
        } else {
            for (size_t i = 0; i < n; i++)
                ctx->mac[at + i] ^= in[i];
            if (at + n == CV_BLOCK)
                cv_ecb_encrypt(&ctx->key, ctx->mac, ctx->mac, 1);
            at = (at + n) % CV_BLOCK;
        }
        in += n;
        len -= n;
    }
    cv_wipe(unused, used);
}

/* Pads the open block with zeros, if there is one. */
static void close_block(mbedtls_ccm_context *ctx, size_t at)
{
    if (at % CV_BLOCK)
        cv_ecb_encrypt(&ctx->key, ctx->mac, ctx->mac, 1);
}

/* An unfinished message is abandoned: the next one does not inherit its settings. */
static void leave(mbedtls_ccm_context *ctx)
{
    if (ctx->state & AD_BEGUN || ctx->done)
        ctx->state = 0;
    ctx->done = 0;
}

/* Makes the first block (NIST SP 800-38C, A.2.1) as soon as nonce and lengths are known, whichever comes first. */
static int begin(mbedtls_ccm_context *ctx)
{
    const int star = ctx->mode == MBEDTLS_CCM_STAR_ENCRYPT || ctx->mode == MBEDTLS_CCM_STAR_DECRYPT;
    const size_t q = (size_t)ctx->first[0] + 1;
    if ((ctx->state & READY) != READY)
        return 0;
    if (ctx->tag_len ? q < 8 && (uint64_t)ctx->text_len >> 8 * q : !star) {
        /* From now on, text is refused: CCM with an empty tag would be counter mode. */
        ctx->state = 0;
        return MBEDTLS_ERR_CCM_BAD_INPUT;
    }
    if (ctx->tag_len == 0)
        return 0;
    memcpy(ctx->mac, ctx->first, CV_BLOCK);
    ctx->mac[0] |= (uint8_t)((ctx->ad_len ? 0x40 : 0) | (ctx->tag_len - 2) / 2 << 3);
    for (size_t i = 0; i < q && i < 8; i++)
        ctx->mac[15 - i] = (uint8_t)((uint64_t)ctx->text_len >> 8 * i);
    cv_ecb_encrypt(&ctx->key, ctx->mac, ctx->mac, 1);
    return 0;
}

int mbedtls_ccm_starts(mbedtls_ccm_context *ctx, int mode, const unsigned char *iv, size_t iv_len)
{
    if (iv_len < 7 || iv_len > 13)
        return MBEDTLS_ERR_CCM_BAD_INPUT;
    leave(ctx);
    ctx->mode = mode;
    memset(ctx->first, 0, CV_BLOCK);
    ctx->first[0] = (uint8_t)(14 - iv_len);
    memcpy(ctx->first + 1, iv, iv_len);
    ctx->first[15] = 1;
    cv_stream_init(&ctx->counter, &ctx->key, ctx->first);
    ctx->first[15] = 0;
    ctx->state |= STARTED;
    return begin(ctx);
}

int mbedtls_ccm_set_lengths(mbedtls_ccm_context *ctx, size_t total_ad_len, size_t plaintext_len, size_t tag_len)
{
    /* Longer associated data is encoded in another way, which Mbed TLS does not support. */
    if (tag_len == 2 || tag_len > CV_BLOCK || tag_len % 2 || total_ad_len >= 0xff00)
        return MBEDTLS_ERR_CCM_BAD_INPUT;
    leave(ctx);
    ctx->ad_len = total_ad_len;
    ctx->text_len = plaintext_len;
    ctx->tag_len = tag_len;
    ctx->state |= LENGTHS;
    return begin(ctx);
}

/* Whether all associated data has been processed: then `done` counts text. */
static int ad_is_done(const mbedtls_ccm_context *ctx)
{
    return ctx->ad_len == 0;
}

int mbedtls_ccm_update_ad(mbedtls_ccm_context *ctx, const unsigned char *ad, size_t ad_len)
{
    uint8_t length[2];
    if (ad_len == 0)
        return 0;
    if ((ctx->state & READY) != READY || ad_is_done(ctx) || ad_len > ctx->ad_len - ctx->done)
        return MBEDTLS_ERR_CCM_BAD_INPUT;
    if (!(ctx->state & AD_BEGUN)) {
        length[0] = (uint8_t)(ctx->ad_len >> 8);
        length[1] = (uint8_t)ctx->ad_len;
        absorb(ctx, 0, length, 2);
        ctx->state |= AD_BEGUN;
    }
    absorb(ctx, (2 + ctx->done) % CV_BLOCK, ad, ad_len);
    ctx->done += ad_len;
    if (ctx->done == ctx->ad_len) {
        close_block(ctx, 2 + ctx->done);
        ctx->ad_len = ctx->done = 0;
    }
    return 0;
}

int mbedtls_ccm_update(mbedtls_ccm_context *ctx, const unsigned char *input, size_t input_len, unsigned char *output,
                       size_t output_size, size_t *output_len)
{
    const int encrypts = ctx->mode == MBEDTLS_CCM_ENCRYPT || ctx->mode == MBEDTLS_CCM_STAR_ENCRYPT;
    if ((ctx->state & READY) != READY || output_size < input_len)
        return MBEDTLS_ERR_CCM_BAD_INPUT;
    if (ctx->tag_len && (!ad_is_done(ctx) || input_len > ctx->text_len - ctx->done))
        return MBEDTLS_ERR_CCM_BAD_INPUT;
    *output_len = input_len;
    /* The context may have been moved. */
    ctx->counter.key = &ctx->key;
    if (ctx->tag_len && encrypts)
        absorb(ctx, ctx->done % CV_BLOCK, input, input_len);
    cv_ctr(&ctx->counter, output, input, input_len);
    if (ctx->tag_len && !encrypts)
        absorb(ctx, ctx->done % CV_BLOCK, output, input_len);
    ctx->done += input_len;
    if (ctx->tag_len && ctx->done == ctx->text_len && input_len)
        close_block(ctx, ctx->done);
    return 0;
}

int mbedtls_ccm_finish(mbedtls_ccm_context *ctx, unsigned char *tag, size_t tag_len)
{
    if ((ctx->state & READY) != READY || tag_len > ctx->tag_len || !ad_is_done(ctx)
        || (ctx->tag_len && ctx->done != ctx->text_len))
        return MBEDTLS_ERR_CCM_BAD_INPUT;
    cv_ecb_encrypt(&ctx->key, ctx->first, ctx->first, 1);
    for (size_t i = 0; tag && i < tag_len; i++)
        tag[i] = ctx->mac[i] ^ ctx->first[i];
    cv_wipe(ctx->mac, sizeof ctx->mac);
    cv_wipe(ctx->first, sizeof ctx->first);
    cv_wipe(&ctx->counter, sizeof ctx->counter);
    ctx->state = 0;
    return 0;
}

static int whole(mbedtls_ccm_context *ctx, int mode, size_t length, const unsigned char *iv, size_t iv_len,
                 const unsigned char *ad, size_t ad_len, const unsigned char *input, unsigned char *output,
                 unsigned char *tag, size_t tag_len)
{
    size_t written;
    int error;
    ctx->state = 0;
    error = mbedtls_ccm_starts(ctx, mode, iv, iv_len);
    if (error == 0)
        error = mbedtls_ccm_set_lengths(ctx, ad_len, length, tag_len);
    if (error == 0)
        error = mbedtls_ccm_update_ad(ctx, ad, ad_len);
    if (error == 0)
        error = mbedtls_ccm_update(ctx, input, length, output, length, &written);
    return error ? error : mbedtls_ccm_finish(ctx, tag, tag_len);
}

static int opened(mbedtls_ccm_context *ctx, int mode, size_t length, const unsigned char *iv, size_t iv_len,
                  const unsigned char *ad, size_t ad_len, const unsigned char *input, unsigned char *output,
                  const unsigned char *tag, size_t tag_len)
{
    uint8_t own[CV_BLOCK];
    int error = whole(ctx, mode, length, iv, iv_len, ad, ad_len, input, output, own, tag_len);
    if (error == 0 && mbedtls_ct_memcmp(own, tag, tag_len) != 0) {
        cv_wipe(output, length);
        error = MBEDTLS_ERR_CCM_AUTH_FAILED;
    }
    cv_wipe(own, sizeof own);
    return error;
}

int mbedtls_ccm_encrypt_and_tag(mbedtls_ccm_context *ctx, size_t length, const unsigned char *iv, size_t iv_len,
                                const unsigned char *ad, size_t ad_len, const unsigned char *input,
                                unsigned char *output, unsigned char *tag, size_t tag_len)
{
    return whole(ctx, MBEDTLS_CCM_ENCRYPT, length, iv, iv_len, ad, ad_len, input, output, tag, tag_len);
}

int mbedtls_ccm_star_encrypt_and_tag(mbedtls_ccm_context *ctx, size_t length, const unsigned char *iv, size_t iv_len,
                                     const unsigned char *ad, size_t ad_len, const unsigned char *input,
                                     unsigned char *output, unsigned char *tag, size_t tag_len)
{
    return whole(ctx, MBEDTLS_CCM_STAR_ENCRYPT, length, iv, iv_len, ad, ad_len, input, output, tag, tag_len);
}

int mbedtls_ccm_auth_decrypt(mbedtls_ccm_context *ctx, size_t length, const unsigned char *iv, size_t iv_len,
                             const unsigned char *ad, size_t ad_len, const unsigned char *input, unsigned char *output,
                             const unsigned char *tag, size_t tag_len)
{
    return opened(ctx, MBEDTLS_CCM_DECRYPT, length, iv, iv_len, ad, ad_len, input, output, tag, tag_len);
}

int mbedtls_ccm_star_auth_decrypt(mbedtls_ccm_context *ctx, size_t length, const unsigned char *iv, size_t iv_len,
                                  const unsigned char *ad, size_t ad_len, const unsigned char *input,
                                  unsigned char *output, const unsigned char *tag, size_t tag_len)
{
    return opened(ctx, MBEDTLS_CCM_STAR_DECRYPT, length, iv, iv_len, ad, ad_len, input, output, tag, tag_len);
}

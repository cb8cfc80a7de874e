/* What GCM of Mbed TLS with libcapvec must refuse: everything after the tag, until another message starts. */
#include "gcm_refused.h"
#include "mbedtls/gcm.h"
#include <string.h>

static const uint8_t key[16] = "the key is this", nonce[12] = "nonce of 12", text[20] = "text of all that is";

/* Whether the message is over: every step is refused, even an empty one. */
static int is_over(mbedtls_gcm_context *ctx)
{
    uint8_t out[sizeof text], tag[16];
    size_t written;
    for (size_t n = 0; n <= sizeof text; n += sizeof text)
        if (mbedtls_gcm_update_ad(ctx, text, n) != MBEDTLS_ERR_GCM_BAD_INPUT
            || mbedtls_gcm_update(ctx, text, n, out, n, &written) != MBEDTLS_ERR_GCM_BAD_INPUT)
            return 0;
    return mbedtls_gcm_finish(ctx, NULL, 0, &written, tag, sizeof tag) == MBEDTLS_ERR_GCM_BAD_INPUT;
}

const char *gcm_refused(void)
{
    mbedtls_gcm_context ctx;
    uint8_t out[sizeof text], tag[2][16];
    size_t written;
    mbedtls_gcm_init(&ctx);
    if (mbedtls_gcm_setkey(&ctx, MBEDTLS_CIPHER_ID_AES, key, 128) || !is_over(&ctx))
        return "GCM before its first message";
    for (int i = 0; i < 2; i++) {
        if (mbedtls_gcm_starts(&ctx, MBEDTLS_GCM_ENCRYPT, nonce, sizeof nonce) || mbedtls_gcm_update_ad(&ctx, text, 5)
            || mbedtls_gcm_update(&ctx, text, sizeof text, out, sizeof out, &written)
            || mbedtls_gcm_finish(&ctx, NULL, 0, &written, tag[i], sizeof tag[i]))
            return "a message of GCM";
        if (!is_over(&ctx))
            return "GCM after its tag";
    }
    mbedtls_gcm_free(&ctx);
    return memcmp(tag[0], tag[1], sizeof tag[0]) ? "two tags of one message of GCM" : NULL;
}

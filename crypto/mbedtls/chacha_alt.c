/* ChaCha20 and Poly1305 for Mbed TLS, implemented with libcapvec. */
#include "mbedtls/chacha20.h"
#include "mbedtls/poly1305.h"
#include <string.h>

void mbedtls_chacha20_init(mbedtls_chacha20_context *ctx)
{
    memset(ctx, 0, sizeof *ctx);
}

void mbedtls_chacha20_free(mbedtls_chacha20_context *ctx)
{
    if (ctx)
        cv_wipe(ctx, sizeof *ctx);
}

int mbedtls_chacha20_setkey(mbedtls_chacha20_context *ctx, const unsigned char key[32])
{
    memcpy(ctx->key, key, sizeof ctx->key);
    return 0;
}

int mbedtls_chacha20_starts(mbedtls_chacha20_context *ctx, const unsigned char nonce[12], uint32_t counter)
{
    cv_chacha20_init(&ctx->cipher, ctx->key, nonce, counter);
    return 0;
}

int mbedtls_chacha20_update(mbedtls_chacha20_context *ctx, size_t size, const unsigned char *input,
                            unsigned char *output)
{
    cv_chacha20_update(&ctx->cipher, output, input, size);
    return 0;
}

int mbedtls_chacha20_crypt(const unsigned char key[32], const unsigned char nonce[12], uint32_t counter, size_t size,
                           const unsigned char *input, unsigned char *output)
{
    cv_chacha20 cipher;
    cv_chacha20_init(&cipher, key, nonce, counter);
    cv_chacha20_update(&cipher, output, input, size);
    cv_wipe(&cipher, sizeof cipher);
    return 0;
}

void mbedtls_poly1305_init(mbedtls_poly1305_context *ctx)
{
    memset(ctx, 0, sizeof *ctx);
}

void mbedtls_poly1305_free(mbedtls_poly1305_context *ctx)
{
    if (ctx)
        cv_wipe(ctx, sizeof *ctx);
}

int mbedtls_poly1305_starts(mbedtls_poly1305_context *ctx, const unsigned char key[32])
{
    cv_poly1305_init(&ctx->mac, key);
    return 0;
}

int mbedtls_poly1305_update(mbedtls_poly1305_context *ctx, const unsigned char *input, size_t ilen)
{
    cv_poly1305_update(&ctx->mac, input, ilen);
    return 0;
}

int mbedtls_poly1305_finish(mbedtls_poly1305_context *ctx, unsigned char mac[16])
{
    cv_poly1305_final(&ctx->mac, mac);
    return 0;
}

int mbedtls_poly1305_mac(const unsigned char key[32], const unsigned char *input, size_t ilen, unsigned char mac[16])
{
    cv_poly1305_message(key, mac, input, ilen);
    return 0;
}

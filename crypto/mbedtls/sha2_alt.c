/* SHA-2 for Mbed TLS, implemented with libcapvec. */
#include "mbedtls/sha256.h"
#include "mbedtls/sha512.h"
#include <string.h>

/* All functions of one word size: `name` is its name, `small` and `whole` are its two hashes. */
#define SHA2(name, small, whole, block) \
    void mbedtls_##name##_init(mbedtls_##name##_context *ctx) \
    { \
        memset(ctx, 0, sizeof *ctx); \
    } \
    void mbedtls_##name##_free(mbedtls_##name##_context *ctx) \
    { \
        if (ctx) \
            cv_wipe(ctx, sizeof *ctx); \
    } \
    void mbedtls_##name##_clone(mbedtls_##name##_context *dst, const mbedtls_##name##_context *src) \
    { \
        *dst = *src; \
    } \
    int mbedtls_##name##_starts(mbedtls_##name##_context *ctx, int is_small) \
    { \
        if (is_small != 0 && is_small != 1) \
            return BAD_##name; \
        cv_hash_init(&ctx->hash, is_small ? &small : &whole); \
        return 0; \
    } \
    int mbedtls_##name##_update(mbedtls_##name##_context *ctx, const unsigned char *input, size_t ilen) \
    { \
        cv_hash_update(&ctx->hash, input, ilen); \
        return 0; \
    } \
    int mbedtls_internal_##name##_process(mbedtls_##name##_context *ctx, const unsigned char data[block]) \
    { \
        cv_hash_update(&ctx->hash, data, block); \
        return 0; \
    } \
    int mbedtls_##name##_finish(mbedtls_##name##_context *ctx, unsigned char *output) \
    { \
        cv_hash_final(&ctx->hash, output); \
        return 0; \
    }

#define BAD_sha256 MBEDTLS_ERR_SHA256_BAD_INPUT_DATA
#define BAD_sha512 MBEDTLS_ERR_SHA512_BAD_INPUT_DATA

SHA2(sha256, cv_sha224, cv_sha256, 64)
SHA2(sha512, cv_sha384, cv_sha512, 128)

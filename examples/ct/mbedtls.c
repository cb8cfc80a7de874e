/* Operations of Mbed TLS for `capvec ct`. Link with -lmbedcrypto. */
#include "secret.h"
#include <mbedtls/chachapoly.h>
#include <mbedtls/ecdsa.h>
#include <mbedtls/gcm.h>
#include <mbedtls/md.h>

static int aes_128_gcm(void)
{
    mbedtls_gcm_context ctx;
    mbedtls_gcm_init(&ctx);
    make_secret(key, 16);
    make_secret(message, MESSAGE);
    return mbedtls_gcm_setkey(&ctx, MBEDTLS_CIPHER_ID_AES, key, 128)
        || mbedtls_gcm_crypt_and_tag(&ctx, MBEDTLS_GCM_ENCRYPT, MESSAGE, nonce, 12, NULL, 0, message, out, 16, tag);
}

static int chacha20_poly1305(void)
{
    mbedtls_chachapoly_context ctx;
    mbedtls_chachapoly_init(&ctx);
    make_secret(key, 32);
    make_secret(message, MESSAGE);
    return mbedtls_chachapoly_setkey(&ctx, key)
        || mbedtls_chachapoly_encrypt_and_tag(&ctx, MESSAGE, nonce, NULL, 0, message, out, tag);
}

static int hmac_sha256(void)
{
    make_secret(key, 32);
    make_secret(message, MESSAGE);
    return mbedtls_md_hmac(mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), key, 32, message, MESSAGE, tag);
}

/* The blinding of points is secret, too. */
static int fill(void *ctx, unsigned char *to, size_t bytes)
{
    (void)ctx;
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(11 * i + 3);
    make_secret(to, bytes);
    return 0;
}

static int load(mbedtls_ecp_group_id curve, mbedtls_ecp_group *group, mbedtls_mpi *number)
{
    mbedtls_ecp_group_init(group);
    mbedtls_mpi_init(number);
    key[0] &= 248;
    key[31] = (unsigned char)((key[31] & 127) | 64);
    if (mbedtls_ecp_group_load(group, curve))
        return 1;
    make_secret(key, 32);
    /* For Curve25519, bytes in the order of RFC 7748. */
    return curve == MBEDTLS_ECP_DP_CURVE25519 ? mbedtls_mpi_read_binary_le(number, key, 32)
                                              : mbedtls_mpi_read_binary(number, key, 32);
}

static int x25519(void)
{
    mbedtls_ecp_group group;
    mbedtls_ecp_point result;
    mbedtls_mpi number;
    mbedtls_ecp_point_init(&result);
    return load(MBEDTLS_ECP_DP_CURVE25519, &group, &number)
        || mbedtls_ecp_mul(&group, &result, &number, &group.G, fill, NULL);
}

static int ecdsa_p256(void)
{
    mbedtls_ecp_group group;
    mbedtls_mpi number, r, s;
    mbedtls_mpi_init(&r);
    mbedtls_mpi_init(&s);
    return load(MBEDTLS_ECP_DP_SECP256R1, &group, &number)
        || mbedtls_ecdsa_sign_det_ext(&group, &r, &s, &number, message, 32, MBEDTLS_MD_SHA256, fill, NULL);
}

static const struct operation operations[] = {
    { "aes-128-gcm", aes_128_gcm }, { "chacha20-poly1305", chacha20_poly1305 },
    { "hmac-sha256", hmac_sha256 }, { "x25519", x25519 },
    { "ecdsa-p256", ecdsa_p256 },
};

MAIN(operations)

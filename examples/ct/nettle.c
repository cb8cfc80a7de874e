/* Operations of nettle for `capvec ct`. Link with -lhogweed -lnettle -lgmp. */
#include "secret.h"
#include <nettle/chacha-poly1305.h>
#include <nettle/curve25519.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecdsa.h>
#include <nettle/eddsa.h>
#include <nettle/gcm.h>
#include <nettle/hmac.h>

static int aes_128_gcm(void)
{
    static struct gcm_aes128_ctx ctx;
    make_secret(key, 16);
    make_secret(message, MESSAGE);
    gcm_aes128_set_key(&ctx, key);
    gcm_aes128_set_iv(&ctx, 12, nonce);
    gcm_aes128_encrypt(&ctx, MESSAGE, out, message);
    gcm_aes128_digest(&ctx, 16, tag);
    return 0;
}

static int chacha20_poly1305(void)
{
    static struct chacha_poly1305_ctx ctx;
    make_secret(key, 32);
    make_secret(message, MESSAGE);
    chacha_poly1305_set_key(&ctx, key);
    chacha_poly1305_set_nonce(&ctx, nonce);
    chacha_poly1305_encrypt(&ctx, MESSAGE, out, message);
    chacha_poly1305_digest(&ctx, 16, tag);
    return 0;
}

static int hmac_sha256(void)
{
    static struct hmac_sha256_ctx ctx;
    make_secret(key, 32);
    make_secret(message, MESSAGE);
    hmac_sha256_set_key(&ctx, 32, key);
    hmac_sha256_update(&ctx, MESSAGE, message);
    hmac_sha256_digest(&ctx, 32, tag);
    return 0;
}

static int x25519(void)
{
    curve25519_mul_g(out, key);
    make_secret(key, 32);
    curve25519_mul(tag, key, out);
    return 0;
}

static int ed25519(void)
{
    unsigned char public[32];
    ed25519_sha512_public_key(public, key);
    make_secret(key, 32);
    ed25519_sha512_sign(public, key, MESSAGE, message, out);
    return 0;
}

static void fill(void *ctx, size_t bytes, uint8_t *to)
{
    (void)ctx;
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(11 * i + 3);
    make_secret(to, bytes);
}

static int ecdsa_p256(void)
{
    struct ecc_scalar scalar;
    struct dsa_signature signature;
    mpz_t number;
    mpz_init(number);
    mpz_import(number, 32, 1, 1, 0, 0, key);
    ecc_scalar_init(&scalar, nettle_get_secp_256r1());
    dsa_signature_init(&signature);
    if (!ecc_scalar_set(&scalar, number))
        return 1;
    make_secret(scalar.p, 32);
    ecdsa_sign(&scalar, NULL, fill, 32, message, &signature);
    return 0;
}

static const struct operation operations[] = {
    { "aes-128-gcm", aes_128_gcm }, { "chacha20-poly1305", chacha20_poly1305 },
    { "hmac-sha256", hmac_sha256 }, { "x25519", x25519 },
    { "ed25519", ed25519 },         { "ecdsa-p256", ecdsa_p256 },
};

MAIN(operations)

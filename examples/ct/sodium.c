/* Operations of libsodium for `capvec ct`. Link with -lsodium. */
#include "secret.h"
#include <sodium.h>

static int chacha20_poly1305(void)
{
    make_secret(key, 32);
    make_secret(message, MESSAGE);
    return crypto_aead_chacha20poly1305_ietf_encrypt(out, NULL, message, MESSAGE, NULL, 0, NULL, nonce, key);
}

static int hmac_sha256(void)
{
    make_secret(key, 32);
    make_secret(message, MESSAGE);
    return crypto_auth_hmacsha256(tag, message, MESSAGE, key);
}

static int x25519(void)
{
    if (crypto_scalarmult_base(out, key))
        return 1;
    make_secret(key, 32);
    return crypto_scalarmult(tag, key, out);
}

static int ed25519(void)
{
    unsigned char public[32], secret[64];
    crypto_sign_seed_keypair(public, secret, key);
    make_secret(secret, 32);
    return crypto_sign_detached(out, NULL, message, MESSAGE, secret);
}

static const struct operation operations[] = {
    { "chacha20-poly1305", chacha20_poly1305 },
    { "hmac-sha256", hmac_sha256 },
    { "x25519", x25519 },
    { "ed25519", ed25519 },
};

MAIN(operations)

/* Operations of GnuTLS for `capvec ct`. Link with -lgnutls. */
#include "secret.h"
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>

static int aead(gnutls_cipher_algorithm_t algorithm, unsigned bytes)
{
    gnutls_aead_cipher_hd_t h;
    gnutls_datum_t datum = { key, bytes };
    size_t written = sizeof out;
    make_secret(key, bytes);
    make_secret(message, MESSAGE);
    return gnutls_aead_cipher_init(&h, algorithm, &datum)
        || gnutls_aead_cipher_encrypt(h, nonce, 12, NULL, 0, 16, message, MESSAGE, out, &written);
}

static int aes_128_gcm(void)
{
    return aead(GNUTLS_CIPHER_AES_128_GCM, 16);
}

static int chacha20_poly1305(void)
{
    return aead(GNUTLS_CIPHER_CHACHA20_POLY1305, 32);
}

static int hmac_sha256(void)
{
    make_secret(key, 32);
    make_secret(message, MESSAGE);
    return gnutls_hmac_fast(GNUTLS_MAC_SHA256, key, 32, message, MESSAGE, tag);
}

static int ed25519(void)
{
    gnutls_privkey_t private;
    gnutls_datum_t x = { out, 32 }, k = { key, 32 }, data = { message, MESSAGE }, signature;
    /* The public key is an input of the signature; which one is of no importance here. */
    if (gnutls_privkey_init(&private))
        return 1;
    make_secret(key, 32);
    return gnutls_privkey_import_ecc_raw(private, GNUTLS_ECC_CURVE_ED25519, &x, NULL, &k)
        || gnutls_privkey_sign_data2(private, GNUTLS_SIGN_EDDSA_ED25519, 0, &data, &signature);
}

static const struct operation operations[] = {
    { "aes-128-gcm", aes_128_gcm },
    { "chacha20-poly1305", chacha20_poly1305 },
    { "hmac-sha256", hmac_sha256 },
    { "ed25519", ed25519 },
};

MAIN(operations)

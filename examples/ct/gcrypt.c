/* Operations of libgcrypt for `capvec ct`. Link with -lgcrypt. */
#include "secret.h"
#include <gcrypt.h>

static int aead(int algorithm, int mode, size_t key_bytes)
{
    gcry_cipher_hd_t h;
    if (gcry_cipher_open(&h, algorithm, mode, 0))
        return 1;
    make_secret(key, key_bytes);
    make_secret(message, MESSAGE);
    return gcry_cipher_setkey(h, key, key_bytes) || gcry_cipher_setiv(h, nonce, 12)
        || gcry_cipher_encrypt(h, out, MESSAGE, message, MESSAGE) || gcry_cipher_gettag(h, tag, 16);
}

static int aes_128_gcm(void)
{
    return aead(GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_GCM, 16);
}

static int chacha20_poly1305(void)
{
    return aead(GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_POLY1305, 32);
}

static int hmac_sha256(void)
{
    gcry_md_hd_t h;
    if (gcry_md_open(&h, GCRY_MD_SHA256, GCRY_MD_FLAG_HMAC))
        return 1;
    make_secret(key, 32);
    make_secret(message, MESSAGE);
    if (gcry_md_setkey(h, key, 32))
        return 1;
    gcry_md_write(h, message, MESSAGE);
    return gcry_md_read(h, 0) == NULL;
}

static int x25519(void)
{
    static unsigned char public[32], secret[32];
    if (gcry_kem_keypair(GCRY_KEM_RAW_X25519, public, 32, secret, 32))
        return 1;
    make_secret(secret, 32);
    return gcry_kem_decap(GCRY_KEM_RAW_X25519, secret, 32, public, 32, tag, 32, NULL, 0) != 0;
}

/* Signs with a private key in the library's secure memory: libgcrypt uses other arithmetic for numbers from there. */
static int sign(const char *curve, const char *secret, const char *data)
{
    gcry_sexp_t private, signature, hash;
    unsigned char *secure;
    gcry_check_version(NULL);
    gcry_control(GCRYCTL_INIT_SECMEM, 1 << 16, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    secure = gcry_xmalloc_secure(32);
    memcpy(secure, key, 32);
    make_secret(secure, 32);
    return gcry_sexp_build(&private, NULL, secret, curve, 32, secure) || gcry_sexp_build(&hash, NULL, data, 32, message)
        || gcry_pk_sign(&signature, hash, private);
}

static int ed25519(void)
{
    return sign("Ed25519", "(private-key(ecc(curve %s)(flags eddsa)(d %b)))",
                "(data(flags eddsa)(hash-algo sha512)(value %b))");
}

static int ecdsa_p256(void)
{
    return sign("NIST P-256", "(private-key(ecc(curve %s)(d %b)))", "(data(flags rfc6979)(hash sha256 %b))");
}

static int ml_kem_768(void)
{
    static unsigned char public[GCRY_KEM_MLKEM768_PUBKEY_LEN], secret[GCRY_KEM_MLKEM768_SECKEY_LEN];
    static unsigned char ciphertext[GCRY_KEM_MLKEM768_ENCAPS_LEN];
    if (gcry_kem_keypair(GCRY_KEM_MLKEM768, public, sizeof public, secret, sizeof secret)
        || gcry_kem_encap(GCRY_KEM_MLKEM768, public, sizeof public, ciphertext, sizeof ciphertext, out, 32, NULL, 0))
        return 1;
    /* FIPS 203, algorithm 16: the secret vector, and z at the end; between them are public values. */
    make_secret(secret, 1152);
    make_secret(secret + sizeof secret - 32, 32);
    return gcry_kem_decap(GCRY_KEM_MLKEM768, secret, sizeof secret, ciphertext, sizeof ciphertext, tag, 32, NULL, 0)
        != 0;
}

static const struct operation operations[] = {
    { "aes-128-gcm", aes_128_gcm }, { "chacha20-poly1305", chacha20_poly1305 },
    { "hmac-sha256", hmac_sha256 }, { "x25519", x25519 },
    { "ed25519", ed25519 },         { "ecdsa-p256", ecdsa_p256 },
    { "ml-kem-768", ml_kem_768 },
};

MAIN(operations)

/* The ten symmetric cases of README.md with libgcrypt, for `capvec measure`: docs/libraries.md. Keys are set once, as capvec bench does. */
#include "answers.h"
#include <capvec/measure.h>
#include <gcrypt.h>

static uint8_t *data, out[128];
static gcry_cipher_hd_t aes, ctr, gcm, xts, sm4, chacha;
static gcry_mac_hd_t gmac;

static gcry_cipher_hd_t cipher(int algorithm, int mode, const uint8_t *key, size_t bytes)
{
    gcry_cipher_hd_t c = NULL;
    if (gcry_cipher_open(&c, algorithm, mode, 0) || gcry_cipher_setkey(c, key, bytes))
        return NULL;
    return c;
}

/* Once in each process. */
static void keys(void)
{
    if (aes)
        return;
    gcry_check_version(NULL);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    aes = cipher(GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_ECB, aes_key, 16);
    ctr = cipher(GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_CTR, ctr_key, 16);
    gcm = cipher(GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_GCM, zeros, 16);
    xts = cipher(GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_XTS, zeros, 32);
    sm4 = cipher(GCRY_CIPHER_SM4, GCRY_CIPHER_MODE_ECB, sm4_key, 16);
    chacha = cipher(GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_STREAM, zeros, 32);
    gcry_mac_open(&gmac, GCRY_MAC_GMAC_AES, 0, NULL);
    gcry_mac_setkey(gmac, zeros, 16);
    if (chacha)
        gcry_cipher_setiv(chacha, zeros, 8);
}

static void prepare(size_t n)
{
    data = capvec_buffer(n, 16);
    keys();
}
CAPVEC_SETUP(prepare)

static void crypt(gcry_cipher_hd_t c, size_t n, uint8_t *to, const uint8_t *from)
{
    if (gcry_cipher_encrypt(c, to, n, from, n))
        __builtin_trap();
}

static void crypt_ctr(size_t n, uint8_t *to, const uint8_t *from)
{
    gcry_cipher_setctr(ctr, ctr_iv, 16);
    crypt(ctr, n, to, from);
}

static void crypt_xts(size_t n, uint8_t *to, const uint8_t *from)
{
    gcry_cipher_setiv(xts, zeros, 16);
    crypt(xts, n, to, from);
}

static void seal(size_t n, uint8_t *to, const uint8_t *from, uint8_t *tag)
{
    gcry_cipher_reset(gcm);
    gcry_cipher_setiv(gcm, zeros, 12);
    gcry_cipher_final(gcm);
    crypt(gcm, n, to, from);
    gcry_cipher_gettag(gcm, tag, 16);
}

static void ghash(size_t n, const uint8_t *from, uint8_t *tag)
{
    size_t bytes = 16;
    gcry_mac_reset(gmac);
    gcry_mac_setiv(gmac, zeros, 12);
    gcry_mac_write(gmac, from, n);
    gcry_mac_read(gmac, tag, &bytes);
}

#define HASH(algorithm, bytes, from) gcry_md_hash_buffer(algorithm, out, from, bytes)
CAPVEC_CHECK("aes-128-ecb", (keys(), crypt(aes, 16, out, aes_text), is(out, ANSWER_ECB)))
CAPVEC_CHECK("aes-128-ctr", (keys(), crypt_ctr(16, out, ctr_text), is(out, ANSWER_CTR)))
CAPVEC_CHECK("aes-128-gcm",
             (keys(), seal(16, out, zeros, out + 16), is(out, ANSWER_GCM) && is(out + 16, ANSWER_GCM_TAG)))
CAPVEC_CHECK("aes-128-xts", (keys(), crypt_xts(32, out, zeros), is(out, ANSWER_XTS)))
CAPVEC_CHECK("ghash", (keys(), ghash(16, zeros, out), is(out, ANSWER_GHASH)))
CAPVEC_CHECK("sha256", (keys(), HASH(GCRY_MD_SHA256, 3, "abc"), is(out, ANSWER_SHA256)))
CAPVEC_CHECK("sha512", (keys(), HASH(GCRY_MD_SHA512, 3, "abc"), is(out, ANSWER_SHA512)))
CAPVEC_CHECK("sm3", (keys(), HASH(GCRY_MD_SM3, 3, "abc"), is(out, ANSWER_SM3)))
CAPVEC_CHECK("sm4-ecb", (keys(), crypt(sm4, 16, out, sm4_key), is(out, ANSWER_SM4)))
CAPVEC_CHECK("chacha20", (keys(), crypt(chacha, 64, out, zeros), is(out, ANSWER_CHACHA20)))

CAPVEC_MEASURE("aes-128-ecb", n, crypt(aes, n, data, data))
CAPVEC_MEASURE("aes-128-ctr", n, crypt_ctr(n, data, data))
CAPVEC_MEASURE("aes-128-gcm", n, seal(n, data, data, out))
CAPVEC_MEASURE("aes-128-xts", n, crypt_xts(n, data, data))
CAPVEC_MEASURE("ghash", n, ghash(n, data, out))
CAPVEC_MEASURE("sha256", n, HASH(GCRY_MD_SHA256, n, data))
CAPVEC_MEASURE("sha512", n, HASH(GCRY_MD_SHA512, n, data))
CAPVEC_MEASURE("sm3", n, HASH(GCRY_MD_SM3, n, data))
CAPVEC_MEASURE("sm4-ecb", n, crypt(sm4, n, data, data))
CAPVEC_MEASURE("chacha20", n, crypt(chacha, n, data, data))

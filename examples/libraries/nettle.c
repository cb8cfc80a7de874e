/* The ten symmetric cases of README.md with nettle, for `capvec measure`: docs/libraries.md. Keys are set once, as capvec bench does. */
#include "answers.h"
#include <capvec/measure.h>
#include <nettle/aes.h>
#include <nettle/chacha.h>
#include <nettle/ctr.h>
#include <nettle/gcm.h>
#include <nettle/sha2.h>
#include <nettle/sm3.h>
#include <nettle/sm4.h>
#include <nettle/xts.h>

static uint8_t *data, out[128];
static struct aes128_ctx aes;
static struct gcm_aes128_ctx gcm;
static struct xts_aes128_key xts;
static struct sm4_ctx sm4;
static struct chacha_ctx chacha;

static void keys(const uint8_t *aes_bytes)
{
    aes128_set_encrypt_key(&aes, aes_bytes);
    gcm_aes128_set_key(&gcm, zeros);
    xts_aes128_set_encrypt_key(&xts, zeros);
    sm4_set_encrypt_key(&sm4, sm4_key);
    chacha_set_key(&chacha, zeros);
    chacha_set_nonce(&chacha, zeros);
}

static void prepare(size_t n)
{
    data = capvec_buffer(n, 16);
    keys(aes_key);
}
CAPVEC_SETUP(prepare)

static void ecb(size_t n, uint8_t *to, const uint8_t *from)
{
    aes128_encrypt(&aes, n, to, from);
}

static void ctr(size_t n, uint8_t *to, const uint8_t *from)
{
    uint8_t counter[16];
    memcpy(counter, ctr_iv, 16);
    ctr_crypt(&aes, (nettle_cipher_func *)aes128_encrypt, 16, counter, n, to, from);
}

static void seal(size_t n, uint8_t *to, const uint8_t *from, uint8_t *tag)
{
    gcm_aes128_set_iv(&gcm, 12, zeros);
    gcm_aes128_encrypt(&gcm, n, to, from);
    gcm_aes128_digest(&gcm, 16, tag);
}

static void ghash(size_t n, const uint8_t *from, uint8_t *tag)
{
    gcm_aes128_set_iv(&gcm, 12, zeros);
    gcm_aes128_update(&gcm, n, from);
    gcm_aes128_digest(&gcm, 16, tag);
}

static void sha256(size_t n, const uint8_t *from, uint8_t *to)
{
    struct sha256_ctx c;
    sha256_init(&c);
    sha256_update(&c, n, from);
    sha256_digest(&c, 32, to);
}

static void sha512(size_t n, const uint8_t *from, uint8_t *to)
{
    struct sha512_ctx c;
    sha512_init(&c);
    sha512_update(&c, n, from);
    sha512_digest(&c, 64, to);
}

static void sm3(size_t n, const uint8_t *from, uint8_t *to)
{
    struct sm3_ctx c;
    sm3_init(&c);
    sm3_update(&c, n, from);
    sm3_digest(&c, 32, to);
}

#define ABC ((const uint8_t *)"abc")
CAPVEC_CHECK("aes-128-ecb", (keys(aes_key), ecb(16, out, aes_text), is(out, ANSWER_ECB)))
CAPVEC_CHECK("aes-128-ctr", (keys(ctr_key), ctr(16, out, ctr_text), is(out, ANSWER_CTR)))
CAPVEC_CHECK("aes-128-gcm",
             (keys(aes_key), seal(16, out, zeros, out + 16), is(out, ANSWER_GCM) && is(out + 16, ANSWER_GCM_TAG)))
CAPVEC_CHECK("aes-128-xts",
             (keys(aes_key), xts_aes128_encrypt_message(&xts, zeros, 32, out, zeros), is(out, ANSWER_XTS)))
CAPVEC_CHECK("ghash", (keys(aes_key), ghash(16, zeros, out), is(out, ANSWER_GHASH)))
CAPVEC_CHECK("sha256", (sha256(3, ABC, out), is(out, ANSWER_SHA256)))
CAPVEC_CHECK("sha512", (sha512(3, ABC, out), is(out, ANSWER_SHA512)))
CAPVEC_CHECK("sm3", (sm3(3, ABC, out), is(out, ANSWER_SM3)))
CAPVEC_CHECK("sm4-ecb", (keys(aes_key), sm4_crypt(&sm4, 16, out, sm4_key), is(out, ANSWER_SM4)))
CAPVEC_CHECK("chacha20", (keys(aes_key), chacha_crypt(&chacha, 64, out, zeros), is(out, ANSWER_CHACHA20)))

CAPVEC_MEASURE("aes-128-ecb", n, ecb(n, data, data))
CAPVEC_MEASURE("aes-128-ctr", n, ctr(n, data, data))
CAPVEC_MEASURE("aes-128-gcm", n, seal(n, data, data, out))
CAPVEC_MEASURE("aes-128-xts", n, xts_aes128_encrypt_message(&xts, zeros, n, data, data))
CAPVEC_MEASURE("ghash", n, ghash(n, data, out))
CAPVEC_MEASURE("sha256", n, sha256(n, data, out))
CAPVEC_MEASURE("sha512", n, sha512(n, data, out))
CAPVEC_MEASURE("sm3", n, sm3(n, data, out))
CAPVEC_MEASURE("sm4-ecb", n, sm4_crypt(&sm4, n, data, data))
CAPVEC_MEASURE("chacha20", n, chacha_crypt(&chacha, n, data, data))

/* Ciphers, modes and one-time authenticators for secrets.c. Keys and messages are secret; nonces, ciphertexts and tags are
 * public. What is decrypted is what was encrypted before, so that every tag is right. */
#include "secrets_bare.h"

enum { MOST = 2048 };

static uint8_t out[MOST], tag[16];
static cv_block_key block, tweak;
static cv_stream stream;

typedef void stream_function(cv_stream *, uint8_t *, const uint8_t *, size_t);

static void check_streams(const uint8_t *text, size_t len)
{
    static stream_function *const modes[] = { cv_ctr,          cv_cfb_encrypt, cv_cfb_decrypt,  cv_cfb8_encrypt,
                                              cv_cfb8_decrypt, cv_ofb,         cv_cfb1_encrypt, cv_cfb1_decrypt };
    uint8_t iv[CV_BLOCK] = { 0 };
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        cv_stream_init(&stream, &block, iv);
        modes[m](&stream, out, text, len < 64 || m < 3 ? len : 64);
    }
    cv_ecb_encrypt(&block, out, text, len / CV_BLOCK);
    cv_ecb_decrypt(&block, out, out, len / CV_BLOCK);
    cv_cbc_encrypt(&block, out, text, len / CV_BLOCK, iv);
    cv_cbc_decrypt(&block, out, out, len / CV_BLOCK, iv);
}

static void check_gcm(const uint8_t *text, size_t len)
{
    static cv_gcm gcm;
    static const uint8_t nonce[12], aad[20];
    cv_gcm_init(&gcm, &block);
    require(cv_gcm_seal(&gcm, out, text, len, aad, sizeof aad, nonce, sizeof nonce, tag, 16) == CV_OK, "GCM");
    CV_PUBLIC(out, len);
    CV_PUBLIC(tag, 16);
    (void)cv_gcm_open(&gcm, out, out, len, aad, sizeof aad, nonce, sizeof nonce, tag, 16);
}

static void check_ccm(const uint8_t *text, size_t len)
{
    static const uint8_t nonce[12], aad[20];
    require(cv_ccm_seal(&block, out, text, len, aad, sizeof aad, nonce, sizeof nonce, tag, 16) == CV_OK, "CCM");
    CV_PUBLIC(out, len);
    CV_PUBLIC(tag, 16);
    (void)cv_ccm_open(&block, out, out, len, aad, sizeof aad, nonce, sizeof nonce, tag, 16);
}

static void check_ocb(const uint8_t *text, size_t len)
{
    static cv_ocb ocb;
    static const uint8_t nonce[12], aad[20];
    size_t written, rest;
    cv_ocb_init(&ocb, &block);
    require(cv_ocb_start(&ocb, nonce, sizeof nonce, 16) == CV_OK, "OCB");
    (void)cv_ocb_aad(&ocb, aad, sizeof aad);
    (void)cv_ocb_encrypt(&ocb, out, &written, text, len);
    (void)cv_ocb_tag(&ocb, out + written, &rest, tag);
    CV_PUBLIC(out, len);
    CV_PUBLIC(tag, 16);
    (void)cv_ocb_start(&ocb, nonce, sizeof nonce, 16);
    (void)cv_ocb_aad(&ocb, aad, sizeof aad);
    (void)cv_ocb_decrypt(&ocb, out, &written, out, len);
    (void)cv_ocb_verify(&ocb, out + written, &rest, tag);
}

static void check_block(const uint8_t *text, size_t len)
{
    static cv_cmac cmac;
    static const uint8_t number[CV_BLOCK] = { 1 };
    check_streams(text, len);
    check_gcm(text, len);
    check_ccm(text, len);
    check_ocb(text, len);
    (void)cv_xts_encrypt(&block, &tweak, out, text, len, number);
    (void)cv_xts_decrypt(&block, &tweak, out, out, len, number);
    (void)cv_xts_gb_encrypt(&block, &tweak, out, text, len, number);
    (void)cv_xts_gb_decrypt(&block, &tweak, out, out, len, number);
    cv_cmac_init(&cmac, &block);
    cv_cmac_update(&cmac, text, len);
    (void)cv_cmac_final(&cmac, tag, 16);
}

static void check_chacha20(const uint8_t *key, const uint8_t *text, size_t len)
{
    static cv_chacha20 cipher;
    static const uint8_t nonce[12], aad[20];
    cv_chacha20_init(&cipher, key, nonce, 1);
    cv_chacha20_update(&cipher, out, text, len);
    cv_poly1305_message(key, tag, text, len);
    (void)cv_chacha20_poly1305_seal(key, nonce, aad, sizeof aad, out, text, len, tag);
    CV_PUBLIC(out, len);
    CV_PUBLIC(tag, 16);
    (void)cv_chacha20_poly1305_open(key, nonce, aad, sizeof aad, out, out, len, tag);
}

void check_ciphers(const uint8_t *key, const uint8_t *text, size_t len)
{
    require(len <= MOST, "length");
    for (size_t bytes = 16; bytes <= 32; bytes += 16) {
        (void)cv_aes_init(&block, key, bytes);
        (void)cv_aes_init(&tweak, key + 32, bytes);
        check_block(text, len);
    }
    cv_sm4_init(&block, key);
    cv_sm4_init(&tweak, key + 16);
    check_block(text, len);
    check_chacha20(key, text, len);
}

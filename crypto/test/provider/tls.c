/* Records of TLS up to 1.2: one implementation seals, the other opens, and both must judge tampered records alike. */
#include "pair.h"

#include <openssl/prov_ssl.h>
#include <openssl/rand.h>

#define HEADER 13
#define FIXED 4
#define EXPLICIT 8
#define TAG 16

/* What TLS adds to a record of `len` bytes. */
static void header(uint8_t out[HEADER], size_t len)
{
    random_bytes(out, HEADER);
    out[HEADER - 4] = 3, out[HEADER - 3] = 3;
    out[HEADER - 2] = (uint8_t)(len >> 8), out[HEADER - 1] = (uint8_t)len;
}

/* Initialises `ctx` for a direction with a key and the fixed part of nonces. */
static int keyed(EVP_CIPHER_CTX *ctx, int encrypt, uint8_t *key, uint8_t *fixed, size_t fixed_len)
{
    int mode = EVP_CIPHER_CTX_get_mode(ctx), ok = EVP_CipherInit_ex2(ctx, NULL, NULL, NULL, encrypt, NULL) > 0;
    if (mode == EVP_CIPH_CCM_MODE)
        ok = ok && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL) > 0
            && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, TAG, NULL) > 0;
    return ok && EVP_CipherInit_ex2(ctx, NULL, key, NULL, encrypt, NULL) > 0
        && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IV_FIXED, (int)fixed_len, fixed) > 0;
}

/* A record in place; returns the output length, or -1. */
static int record(EVP_CIPHER_CTX *ctx, uint8_t *aad, uint8_t *data, size_t len)
{
    uint8_t copy[HEADER];
    int came = 0, pad;
    memcpy(copy, aad, HEADER);
    pad = EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_TLS1_AAD, HEADER, copy);
    if (pad != TAG)
        return -1;
    return EVP_CipherUpdate(ctx, data, &came, data, (int)len) > 0 ? came : -1;
}

static void sealed(const char *name, int ours_seals)
{
    static uint8_t text[ROOM], data[ROOM], first[ROOM], second[ROOM];
    struct ciphers seals = new_ciphers(name), opens = new_ciphers(name);
    int chacha = EVP_CIPHER_CTX_get_mode(seals.a) == EVP_CIPH_STREAM_CIPHER;
    size_t explicit_len = chacha ? 0 : EXPLICIT, fixed_len = chacha ? 12 : FIXED;
    uint8_t key[32], fixed[12], aad[HEADER];
    EVP_CIPHER_CTX *sealer = ours_seals ? seals.b : seals.a;
    random_bytes(key, sizeof key);
    random_bytes(fixed, sizeof fixed);
    doing = "records of TLS";
    must(keyed(sealer, 1, key, fixed, fixed_len) && keyed(opens.a, 0, key, fixed, fixed_len)
             && keyed(opens.b, 0, key, fixed, fixed_len),
         "keys");
    for (int i = 0; i < 4; i++) {
        size_t len = below(8) ? random_length() : 0, all = explicit_len + len + TAG;
        int came;
        random_bytes(text, len);
        memcpy(data + explicit_len, text, len);
        header(aad, explicit_len + len);
        /* In CCM, nonces begin with the record's number, which TLS writes there. */
        memcpy(data, aad, explicit_len);
        came = record(sealer, aad, data, all);
        must(came == (int)all, "sealed");
        aad[HEADER - 2] = (uint8_t)((len + explicit_len + TAG) >> 8);
        aad[HEADER - 1] = (uint8_t)(len + explicit_len + TAG);
        if (below(3) == 0)
            data[below(all)] ^= (uint8_t)(1 << below(8));
        memcpy(first, data, all);
        memcpy(second, data, all);
        came = record(opens.a, aad, first, all);
        same_result(came + 1, record(opens.b, aad, second, all) + 1, "opened");
        if (came >= 0) {
            must(came == (int)len, "length");
            same_bytes(text, first + explicit_len, len, "OpenSSL's text");
            same_bytes(text, second + explicit_len, len, "our text");
        }
    }
    free_ciphers(&seals);
    free_ciphers(&opens);
}

static int tls_parameters(EVP_CIPHER_CTX *ctx, unsigned version, size_t mac_len)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
        OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &mac_len),
        OSSL_PARAM_construct_end(),
    };
    return EVP_CIPHER_CTX_set_params(ctx, params);
}

static uint8_t *mac_of(EVP_CIPHER_CTX *ctx, size_t mac_len)
{
    void *mac = NULL;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_TLS_MAC, &mac, mac_len),
        OSSL_PARAM_construct_end(),
    };
    must(EVP_CIPHER_CTX_get_params(ctx, params), "MAC taken");
    return mac;
}

/* Records in CBC. Padding usually has a length that only other implementations use, and is sometimes wrong. */
static void chained(const char *name)
{
    static const size_t macs[] = { 0, 20, 32, 48 };
    static uint8_t plain[ROOM + 512], data[2][ROOM + 512];
    struct ciphers c = new_ciphers(name), d = new_ciphers(name), raw = new_ciphers(name);
    static const unsigned versions[] = { TLS1_VERSION, TLS1_1_VERSION, TLS1_2_VERSION, DTLS1_2_VERSION };
    unsigned version = versions[below(4)];
    size_t iv_len = version == TLS1_VERSION ? 0 : 16, mac_len = macs[below(4)];
    size_t len = iv_len + mac_len + below(LONGEST - 80), pad = 15 - len % 16, all;
    uint8_t key[32], iv[16];
    int came[2] = { 0, 0 }, result;
    doing = "records of TLS in CBC";
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    random_bytes(plain, len);
    /* Sealed by both. */
    must(both_init(&c, key, iv, 1) && tls_parameters(c.a, version, mac_len) && tls_parameters(c.b, version, mac_len),
         "set");
    for (int i = 0; i < 2; i++) {
        memcpy(data[i], plain, len);
        must(EVP_CipherUpdate(i ? c.b : c.a, data[i], &came[i], data[i], (int)len), "sealed");
    }
    must(came[0] == came[1] && came[0] == (int)(len + pad + 1), "length");
    same_bytes(data[0], data[1], (size_t)came[0], "record");
    /* Opened by both. */
    pad += 16 * below((256 - pad) / 16);
    all = len + pad + 1;
    memset(plain + len, (int)pad, pad + 1);
    int wrong = below(4) == 0;
    if (wrong)
        plain[all - 1 - below(pad + 1)] ^= (uint8_t)(1 << below(8));
    must(both_init(&raw, key, iv, 1) && EVP_CIPHER_CTX_set_padding(raw.a, 0)
             && EVP_CipherUpdate(raw.a, data[0], &came[0], plain, (int)all),
         "made");
    memcpy(data[1], data[0], all);
    must(both_init(&d, key, iv, 0) && tls_parameters(d.a, version, mac_len) && tls_parameters(d.b, version, mac_len),
         "set");
    result = EVP_CipherUpdate(d.a, data[0], &came[0], data[0], (int)all);
    same_result(result, EVP_CipherUpdate(d.b, data[1], &came[1], data[1], (int)all), "opened");
    if (result > 0) {
        same_result(came[0], came[1], "length");
        same_bytes(data[0] + iv_len, data[1] + iv_len, (size_t)came[0], "text");
        /* The MAC of a wrong record is random. */
        if (!wrong && mac_len) {
            same_bytes(mac_of(d.a, mac_len), plain + len - mac_len, mac_len, "OpenSSL's MAC");
            same_bytes(mac_of(d.b, mac_len), plain + len - mac_len, mac_len, "our MAC");
        }
    }
    free_ciphers(&c);
    free_ciphers(&d);
    free_ciphers(&raw);
}

/* GCM's nonce has a counter in its last 8 bytes; a shorter nonce has no room for it, and OpenSSL's own code then writes
 * before the nonce. */
static void explicit_parts(const char *name)
{
    uint8_t key[32] = { 0 }, nonce[16], out[16];
    doing = "explicit part of a nonce";
    for (int len = 1; len <= 16; len++) {
        struct ciphers c = new_ciphers(name);
        memset(nonce, 0xff, sizeof nonce);
        must(EVP_CipherInit_ex2(c.b, NULL, key, NULL, 1, NULL)
                 && EVP_CIPHER_CTX_ctrl(c.b, EVP_CTRL_AEAD_SET_IVLEN, len, NULL) > 0
                 && EVP_CIPHER_CTX_ctrl(c.b, EVP_CTRL_AEAD_SET_IV_FIXED, -1, nonce) > 0,
             "nonce");
        for (int again = 0; again < 2; again++) {
            must((EVP_CIPHER_CTX_ctrl(c.b, EVP_CTRL_GCM_IV_GEN, len, out) > 0) == (len >= EXPLICIT), "made");
            must(len < EXPLICIT || memcmp(out, nonce, (size_t)len) == 0, "counted");
            if (len >= EXPLICIT)
                memset(nonce + len - EXPLICIT, 0, EXPLICIT);
        }
        free_ciphers(&c);
    }
}

void check_tls(const char *name, size_t rounds)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(stock, name, NULL);
    int mode = EVP_CIPHER_get_mode(cipher), aead = (EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
    EVP_CIPHER_free(cipher);
    if (mode == EVP_CIPH_GCM_MODE)
        explicit_parts(name);
    for (size_t i = 0; i < rounds; i++) {
        if (mode == EVP_CIPH_CBC_MODE)
            chained(name);
        else if (aead && mode != EVP_CIPH_OCB_MODE)
            sealed(name, (int)below(2));
    }
}

/* Hashes and message authentication codes. */
#include "pair.h"

/* Longest code that is requested. */
#define CODE 200

struct hashes {
    EVP_MD_CTX *a, *b;
};

static void copy_hashes(struct hashes *h)
{
    struct hashes copy = { EVP_MD_CTX_new(), EVP_MD_CTX_new() };
    /* Sometimes into contexts that are in use. */
    if (below(2))
        must(EVP_DigestInit_ex2(copy.a, EVP_MD_CTX_get0_md(h->a), NULL)
                 && EVP_DigestInit_ex2(copy.b, EVP_MD_CTX_get0_md(h->b), NULL),
             "begin");
    must(EVP_MD_CTX_copy_ex(copy.a, h->a) && EVP_MD_CTX_copy_ex(copy.b, h->b), "copied");
    EVP_MD_CTX_free(h->a);
    EVP_MD_CTX_free(h->b);
    *h = copy;
}

/* The end of a hash: with its own length, another length, or in parts. */
static void end(struct hashes *h, int xof)
{
    uint8_t out[2][CODE] = { { 0 } };
    unsigned len[2] = { 0, 0 };
    int result;
    size_t n = 1 + below(CODE - 1);
    if (!xof || below(4) == 0) {
        result = EVP_DigestFinal_ex(h->a, out[0], &len[0]);
        same_result(result, EVP_DigestFinal_ex(h->b, out[1], &len[1]), "end");
        same_result((int)len[0], (int)len[1], "length");
#if OPENSSL_VERSION_PREREQ(3, 3)
    } else if (below(2)) {
        for (size_t done = 0; done < CODE; done += n) {
            n = 1 + below(CODE - done);
            result = EVP_DigestSqueeze(h->a, out[0] + done, n);
            same_result(result, EVP_DigestSqueeze(h->b, out[1] + done, n), "squeeze");
            if (below(8) == 0)
                copy_hashes(h);
        }
        /* OpenSSL accepts that and ignores it. */
        must(!EVP_DigestUpdate(h->b, out[0], 1), "update after the end");
#endif
    } else {
        result = EVP_DigestFinalXOF(h->a, out[0], n);
        same_result(result, EVP_DigestFinalXOF(h->b, out[1], n), "end");
    }
    same_bytes(out[0], out[1], CODE, "digest");
}

void check_digest(const char *name, size_t rounds)
{
    static uint8_t in[ROOM];
    EVP_MD *a = EVP_MD_fetch(stock, name, NULL), *b = EVP_MD_fetch(ours, name, "provider=capvec");
    doing = "hash";
    for (size_t i = 0; i < rounds; i++) {
        struct hashes h = { EVP_MD_CTX_new(), EVP_MD_CTX_new() };
        for (int again = 0; again < 2; again++) {
            size_t len = random_length();
            random_bytes(in, len);
            must(EVP_DigestInit_ex2(h.a, a, NULL) && EVP_DigestInit_ex2(h.b, b, NULL), "begin");
            for (size_t done = 0; done < len;) {
                size_t n = part(len - done);
                same_result(EVP_DigestUpdate(h.a, in + done, n), EVP_DigestUpdate(h.b, in + done, n), "update");
                done += n;
                if (below(10) == 0)
                    copy_hashes(&h);
            }
            end(&h, (EVP_MD_get_flags(a) & EVP_MD_FLAG_XOF) != 0);
        }
        EVP_MD_CTX_free(h.a);
        EVP_MD_CTX_free(h.b);
    }
    EVP_MD_free(a);
    EVP_MD_free(b);
}

struct codes {
    EVP_MAC_CTX *a, *b;
};

static int get(void *ctx, OSSL_PARAM params[])
{
    return EVP_MAC_CTX_get_params(ctx, params);
}

static void copy_codes(struct codes *m)
{
    struct codes copy = { EVP_MAC_CTX_dup(m->a), EVP_MAC_CTX_dup(m->b) };
    must(copy.a && copy.b, "copied");
    EVP_MAC_CTX_free(m->a);
    EVP_MAC_CTX_free(m->b);
    *m = copy;
}

static void code(struct codes *m)
{
    static uint8_t in[ROOM];
    uint8_t out[2][CODE] = { { 0 } };
    size_t len = random_length(), came[2] = { 0, 0 };
    int result;
    random_bytes(in, len);
    for (size_t done = 0; done < len;) {
        size_t n = part(len - done);
        result = EVP_MAC_update(m->a, in + done, n);
        same_result(result, EVP_MAC_update(m->b, in + done, n), "update");
        if (result <= 0)
            return;
        done += n;
        if (below(10) == 0)
            copy_codes(m);
    }
    result = EVP_MAC_final(m->a, out[0], &came[0], CODE);
    same_result(result, EVP_MAC_final(m->b, out[1], &came[1], CODE), "end");
    same_result((int)came[0], (int)came[1], "length");
    same_bytes(out[0], out[1], CODE, "code");
}

/* Random parameters for a kind of code; returns the length of the key. */
static size_t parameters(const char *name, const char *inner, OSSL_PARAM *p, uint8_t *bytes)
{
    static size_t size;
    static int xof;
    size_t len = below(200);
    if (strcmp(name, "HMAC") == 0) {
        *p++ = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)inner, 0);
    } else if (strcmp(name, "CMAC") == 0 || strcmp(name, "GMAC") == 0) {
        *p++ = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, (char *)inner, 0);
        len = strstr(inner, "256") ? 32 : strstr(inner, "192") || strstr(inner, "DES") ? 24 : 16;
        if (strcmp(name, "GMAC") == 0)
            *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, bytes, below(2) ? 12 : 1 + below(64));
    } else if (strncmp(name, "KMAC", 4) == 0) {
        size = 1 + below(CODE - 1);
        xof = (int)below(2);
        if (below(2))
            *p++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size);
        if (below(2))
            *p++ = OSSL_PARAM_construct_int(OSSL_MAC_PARAM_XOF, &xof);
        if (below(2))
            *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, bytes, below(100));
    } else {
        len = 32;
    }
    *p = OSSL_PARAM_construct_end();
    /* Sometimes a key of a wrong length. */
    return below(30) ? len : below(64);
}

void check_mac(const char *name, const char *inner, size_t rounds)
{
    EVP_MAC *a = EVP_MAC_fetch(stock, name, NULL), *b = EVP_MAC_fetch(ours, name, "provider=capvec");
    doing = inner ? inner : "code";
    for (size_t i = 0; i < rounds; i++) {
        struct codes m = { EVP_MAC_CTX_new(a), EVP_MAC_CTX_new(b) };
        uint8_t key[200], bytes[128];
        OSSL_PARAM params[5];
        size_t len;
        random_bytes(key, sizeof key);
        random_bytes(bytes, sizeof bytes);
        len = parameters(name, inner, params, bytes);
        int result = EVP_MAC_init(m.a, key, len, params);
        same_result(result, EVP_MAC_init(m.b, key, len, params), "begin");
        if (result > 0) {
            same_parameter(get, m.a, m.b, "size", OSSL_PARAM_UNSIGNED_INTEGER);
            same_parameter(get, m.a, m.b, "block-size", OSSL_PARAM_UNSIGNED_INTEGER);
            code(&m);
            /* Another message with the existing key; GMAC and Poly1305 need a new nonce or key. */
            const OSSL_PARAM *again = strcmp(name, "GMAC") == 0 ? &params[1] : NULL;
            result = EVP_MAC_init(m.a, NULL, 0, again);
            same_result(result, EVP_MAC_init(m.b, NULL, 0, again), "again");
            if (result > 0)
                code(&m);
        }
        EVP_MAC_CTX_free(m.a);
        EVP_MAC_CTX_free(m.b);
    }
    EVP_MAC_free(a);
    EVP_MAC_free(b);
}

/* HMAC of a record in CBC, which takes the same time for every padding: the answer is that of plain HMAC. */
void check_tls_hmac(const char *digest, size_t rounds)
{
    static uint8_t data[ROOM];
    EVP_MAC *a = EVP_MAC_fetch(stock, "HMAC", NULL), *b = EVP_MAC_fetch(ours, "HMAC", "provider=capvec");
    subject = digest;
    doing = "HMAC of records";
    for (size_t i = 0; i < rounds; i++) {
        struct codes m = { EVP_MAC_CTX_new(a), EVP_MAC_CTX_new(b) };
        uint8_t key[64], header[13], out[2][64] = { { 0 } };
        OSSL_PARAM params[2] = { OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
                                 OSSL_PARAM_construct_end() };
        size_t len = random_length() % (LONGEST - 320), came[2] = { 0, 0 }, all;
        random_bytes(key, sizeof key);
        random_bytes(header, sizeof header);
        random_bytes(data, sizeof data);
        must(EVP_MAC_init(m.a, key, sizeof key, params) && EVP_MAC_init(m.b, key, sizeof key, params), "begin");
        all = len + EVP_MAC_CTX_get_mac_size(m.a) + 1 + below(256);
        params[0] = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_TLS_DATA_SIZE, &all);
        must(EVP_MAC_CTX_set_params(m.b, params), "length");
        must(EVP_MAC_update(m.a, header, sizeof header) && EVP_MAC_update(m.a, data, len)
                 && EVP_MAC_update(m.b, header, sizeof header) && EVP_MAC_update(m.b, data, len),
             "update");
        must(EVP_MAC_final(m.a, out[0], &came[0], 64) && EVP_MAC_final(m.b, out[1], &came[1], 64) && came[0] == came[1],
             "end");
        same_bytes(out[0], out[1], sizeof out[0], "code");
        EVP_MAC_CTX_free(m.a);
        EVP_MAC_CTX_free(m.b);
    }
    EVP_MAC_free(a);
    EVP_MAC_free(b);
}

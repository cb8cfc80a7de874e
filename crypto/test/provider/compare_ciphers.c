/* Ciphers without authentication. */
#include "pair.h"

static int get(void *ctx, OSSL_PARAM params[])
{
    return EVP_CIPHER_CTX_get_params(ctx, params);
}

static void same_state(struct ciphers *c)
{
    static const char *const numbers[] = { "ivlen", "keylen", "num", "padding" };
    int stream = EVP_CIPHER_CTX_get_mode(c->a) == EVP_CIPH_STREAM_CIPHER;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        same_parameter(get, c->a, c->b, numbers[i], OSSL_PARAM_UNSIGNED_INTEGER);
    if (!stream && EVP_CIPHER_CTX_get_iv_length(c->a) > 0) {
        same_parameter(get, c->a, c->b, "iv", OSSL_PARAM_OCTET_STRING);
        if (EVP_CIPHER_CTX_get_mode(c->a) != EVP_CIPH_XTS_MODE)
            same_parameter(get, c->a, c->b, "updated-iv", OSSL_PARAM_OCTET_STRING);
    }
}

/* One call of update. Returns the output length, -1 if both refuse. */
static int update(struct ciphers *c, uint8_t *a, uint8_t *b, const uint8_t *in, size_t len, int in_place)
{
    static uint8_t copy[2][ROOM];
    int came[2] = { 0, 0 }, result[2];
    memcpy(copy[0], in, len);
    memcpy(copy[1], in, len);
    result[0] = EVP_CipherUpdate(c->a, in_place ? copy[0] : a, &came[0], in_place ? copy[0] : in, (int)len);
    result[1] = EVP_CipherUpdate(c->b, in_place ? copy[1] : b, &came[1], in_place ? copy[1] : in, (int)len);
    same_result(result[0], result[1], "update");
    if (result[0] <= 0)
        return -1;
    same_result(came[0], came[1], "length");
    if (in_place) {
        memcpy(a, copy[0], (size_t)came[0]);
        memcpy(b, copy[1], (size_t)came[1]);
    }
    return came[0];
}

/* A message in parts. XTS treats each as a unit of its own. */
static void message(struct ciphers *c, const uint8_t *in, size_t len)
{
    static uint8_t a[ROOM], b[ROOM];
    int came, last[2] = { 0, 0 }, out = 0, mode = EVP_CIPHER_CTX_get_mode(c->a);
    int blocks = mode == EVP_CIPH_ECB_MODE || mode == EVP_CIPH_CBC_MODE;
    for (size_t done = 0; done < len;) {
        size_t n = part(len - done);
        /* Held-back data would be written over input that is still to be read. */
        int in_place = below(2) && (!blocks || done == 0);
        came = update(c, a + out, b + out, in + done, n, in_place);
        if (came < 0)
            return;
        same_bytes(a + out, b + out, (size_t)came, "output");
        same_state(c);
        done += n, out += came;
        if (below(10) == 0)
            copy_ciphers(c);
    }
    int result = EVP_CipherFinal_ex(c->a, a + out, &last[0]);
    same_result(result, EVP_CipherFinal_ex(c->b, b + out, &last[1]), "end");
    if (result <= 0)
        return;
    same_result(last[0], last[1], "length at the end");
    same_bytes(a + out, b + out, (size_t)last[0], "output at the end");
}

/* Provides ciphertext with valid padding: OpenSSL's encryption of `in`. */
static size_t encrypted(struct ciphers *c, const uint8_t *key, const uint8_t *iv, uint8_t *text, const uint8_t *in,
                        size_t len)
{
    int came = 0, last = 0;
    EVP_CIPHER_CTX *one = EVP_CIPHER_CTX_new();
    must(EVP_CipherInit_ex2(one, EVP_CIPHER_CTX_get0_cipher(c->a), key, iv, 1, NULL)
             && EVP_CipherUpdate(one, text, &came, in, (int)len),
         "made");
    EVP_CipherFinal_ex(one, text + came, &last);
    EVP_CIPHER_CTX_free(one);
    return (size_t)(came + last);
}

void check_cipher(const char *name, size_t rounds)
{
    static uint8_t in[ROOM], text[ROOM];
    for (size_t i = 0; i < rounds; i++) {
        struct ciphers c = new_ciphers(name);
        uint8_t key[64], iv[16];
        int encrypt = (int)below(2), whole = EVP_CIPHER_CTX_get_mode(c.a) == EVP_CIPH_XTS_MODE;
        size_t len = random_length();
        doing = encrypt ? "encryption" : "decryption";
        random_bytes(key, sizeof key);
        random_bytes(iv, sizeof iv);
        random_bytes(in, len);
        if (below(20) == 0)
            memset(key, 7, sizeof key);
        /* Without a key, everything must fail. */
        if (below(20) == 0)
            message(&c, in, len);
        if (below(3))
            (void)both_init(&c, key, iv, encrypt);
        else
            (void)(both_init(&c, below(2) ? key : NULL, NULL, encrypt) && both_init(&c, key, iv, encrypt));
        if (below(3) == 0)
            same_result(EVP_CIPHER_CTX_set_padding(c.a, 0), EVP_CIPHER_CTX_set_padding(c.b, 0), "padding");
        if (!encrypt && !whole && below(4)) {
            len = encrypted(&c, key, iv, text, in, len < LONGEST - 16 ? len : LONGEST - 16);
            memcpy(in, text, len);
        }
        message(&c, in, len);
        /* Another message: the key and the IV are each set anew or kept. The direction changes only with the key. */
        int same_key = (int)below(2);
        /* Whether OpenSSL's ChaCha20 counts a block that a new key interrupts depends on how the text was split. */
        int new_iv = below(2) || (!same_key && EVP_CIPHER_CTX_get_mode(c.a) == EVP_CIPH_STREAM_CIPHER);
        random_bytes(key, sizeof key);
        if (both_init(&c, same_key ? NULL : key, new_iv ? iv : NULL, same_key ? encrypt : (int)below(2)))
            message(&c, in, len);
        free_ciphers(&c);
    }
}

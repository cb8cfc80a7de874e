/* Key encapsulation, and exchanges with hybrids. */
#include "keys.h"

#include <openssl/err.h>

static int encapsulate(OSSL_LIB_CTX *lib, EVP_PKEY *key, const OSSL_PARAM params[], struct bytes *ciphertext,
                       struct bytes *secret)
{
    EVP_PKEY_CTX *ctx = key_context(lib, key);
    ciphertext->len = secret->len = KEY_ROOM;
    int done = EVP_PKEY_encapsulate_init(ctx, params) > 0
        && EVP_PKEY_encapsulate(ctx, ciphertext->at, &ciphertext->len, secret->at, &secret->len) > 0;
    EVP_PKEY_CTX_free(ctx);
    ERR_clear_error();
    return done;
}

static int decapsulate(OSSL_LIB_CTX *lib, EVP_PKEY *key, const struct bytes *ciphertext, struct bytes *secret)
{
    EVP_PKEY_CTX *ctx = key_context(lib, key);
    secret->len = KEY_ROOM;
    int done = EVP_PKEY_decapsulate_init(ctx, NULL) > 0
        && EVP_PKEY_decapsulate(ctx, secret->at, &secret->len, ciphertext->at, ciphertext->len) > 0;
    EVP_PKEY_CTX_free(ctx);
    ERR_clear_error();
    return done;
}

static void both_decapsulate(const struct keys *k, const struct bytes *ciphertext, struct bytes secret[2])
{
    int done = decapsulate(stock, k->a, ciphertext, &secret[0]);
    same_result(done, decapsulate(ours, k->b, ciphertext, &secret[1]), "decapsulated");
    if (done)
        same_whole(&secret[0], &secret[1], "secret");
}

/* Any ciphertext of the right length has a secret. */
void check_kem(const char *type, size_t seed_len, size_t rounds)
{
    static struct bytes ciphertext[2], secret[2], found[2];
    uint8_t from[96], random[33];
    for (size_t round = 0; round < rounds; round++) {
        doing = "key encapsulation";
        random_bytes(from, sizeof from);
        random_bytes(random, sizeof random);
        struct keys k = generate_keys(type, from, seed_len);
        OSSL_PARAM params[] = { octets("ikme", random, 32), OSSL_PARAM_construct_end() };
        must(encapsulate(stock, k.a, params, &ciphertext[0], &secret[0])
                 && encapsulate(ours, k.b, params, &ciphertext[1], &secret[1]),
             "encapsulated");
        same_whole(&ciphertext[0], &ciphertext[1], "ciphertext");
        same_whole(&secret[0], &secret[1], "secret");
        both_decapsulate(&k, &ciphertext[0], found);
        same_whole(&secret[0], &found[0], "secret that comes back");
        ciphertext[0].at[below(ciphertext[0].len)] ^= (uint8_t)(1u << below(8));
        both_decapsulate(&k, &ciphertext[0], found);
        ciphertext[0].len -= 1 + below(40);
        both_decapsulate(&k, &ciphertext[0], found);
        params[0] = octets("ikme", random, 31 + 2 * below(2));
        same_result(encapsulate(stock, k.a, params, &ciphertext[0], &secret[0]),
                    encapsulate(ours, k.b, params, &ciphertext[1], &secret[1]), "length of the randomness");
        free_keys(&k);
    }
}

/* Bytes of the private number of a hybrid's curve, which come first; 0 if it has none. */
static size_t number_of(const char *type)
{
    return strstr(type, "p256r1") ? 32 : strstr(type, "p384r1") ? 48 : 0;
}

/* A private key of the provider that comes back from its bytes alone has the same public key. OpenSSL does not export such a
 * key if it has a half on a curve, so there is nothing to compare with. */
static void private_comes_back(const char *type, EVP_PKEY *key, const struct bytes *public)
{
    static struct bytes private, again;
    OSSL_PARAM params[] = { OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end() };
    EVP_PKEY *back;
    take_bytes(key, "priv", &private);
    must(private.len > 0, "private key");
    params[0] = octets("priv", private.at, private.len);
    back = import_key(ours, type, EVP_PKEY_KEYPAIR, params);
    must(back != NULL, "private key imported");
    take_bytes(back, "encoded-pub-key", &again);
    same_whole(public, &again, "public key of the private key");
    EVP_PKEY_free(back);
    if (number_of(type) == 0)
        return;
    /* No private key of a curve is 0, or as large as its order. */
    memset(private.at, below(2) ? 0 : 0xff, number_of(type));
    must(import_key(ours, type, EVP_PKEY_KEYPAIR, params) == NULL, "private number out of range");
}

/* Generates a key in `to`, encapsulates for it in `from`, and decapsulates in `to`. */
static void exchange(const char *type, OSSL_LIB_CTX *from, OSSL_LIB_CTX *to)
{
    static struct bytes public, ciphertext, secret[2];
    EVP_PKEY *key, *peer = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(to, type, query_of(to));
    must(ctx && EVP_PKEY_keygen_init(ctx) > 0 && EVP_PKEY_generate(ctx, &peer) > 0, "generated");
    EVP_PKEY_CTX_free(ctx);
    take_bytes(peer, "encoded-pub-key", &public);
    key = public_only(from, type, &public);
    must(encapsulate(from, key, NULL, &ciphertext, &secret[0]), "encapsulated");
    must(decapsulate(to, peer, &ciphertext, &secret[1]), "decapsulated");
    same_whole(&secret[0], &secret[1], "secret");
    ciphertext.len--;
    must(!decapsulate(to, peer, &ciphertext, &secret[1]), "short ciphertext refused");
    if (to == ours)
        private_comes_back(type, peer, &public);
    EVP_PKEY_free(peer);
    EVP_PKEY_free(key);
}

void check_hybrid(const char *type, size_t rounds)
{
    doing = "exchange with a hybrid";
    for (size_t round = 0; round < rounds; round++) {
        exchange(type, stock, ours);
        exchange(type, ours, stock);
    }
}

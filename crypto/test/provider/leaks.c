/* Whether the provider frees all that it allocates: once everything that OpenSSL keeps for the whole process is there,
 * another round with keys leaves as many allocations as before. */
#include "keys.h"

#include <openssl/err.h>
#include <stdlib.h>

static long allocated;

static void *allocate(size_t len, const char *file, int line)
{
    void *made = malloc(len);
    (void)file, (void)line;
    allocated += made != NULL;
    return made;
}

static void *resize(void *old, size_t len, const char *file, int line)
{
    void *made = realloc(old, len);
    (void)file, (void)line;
    allocated += old == NULL && made;
    return made;
}

static void release(void *old, const char *file, int line)
{
    (void)file, (void)line;
    allocated -= old != NULL;
    free(old);
}

int count_allocations(void)
{
    return CRYPTO_set_mem_functions(allocate, resize, release);
}

static void encapsulate(EVP_PKEY *key, EVP_PKEY *copy)
{
    static struct bytes ciphertext, secret;
    EVP_PKEY_CTX *ctx = key_context(ours, key);
    ciphertext.len = secret.len = KEY_ROOM;
    must(EVP_PKEY_encapsulate_init(ctx, NULL) > 0
             && EVP_PKEY_encapsulate(ctx, ciphertext.at, &ciphertext.len, secret.at, &secret.len) > 0,
         "encapsulated");
    EVP_PKEY_CTX_free(ctx);
    ctx = key_context(ours, copy);
    must(EVP_PKEY_decapsulate_init(ctx, NULL) > 0
             && EVP_PKEY_decapsulate(ctx, secret.at, &secret.len, ciphertext.at, ciphertext.len) > 0,
         "decapsulated");
    EVP_PKEY_decapsulate(ctx, secret.at, &secret.len, ciphertext.at, ciphertext.len - 1);
    EVP_PKEY_CTX_free(ctx);
}

static void sign(EVP_PKEY *key, EVP_PKEY *copy)
{
    static struct bytes signature;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *other = EVP_MD_CTX_new();
    signature.len = KEY_ROOM;
    must(EVP_DigestSignInit_ex(ctx, NULL, NULL, ours, query_of(ours), key, NULL) > 0 && EVP_MD_CTX_copy_ex(other, ctx)
             && EVP_DigestSign(other, signature.at, &signature.len, signature.at, 0) > 0,
         "signed");
    EVP_MD_CTX_free(ctx);
    EVP_MD_CTX_free(other);
    ctx = EVP_MD_CTX_new();
    must(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, ours, query_of(ours), copy, NULL) > 0
             && EVP_DigestVerify(ctx, signature.at, signature.len, signature.at, 0) > 0,
         "verified");
    signature.at[0] ^= 1;
    EVP_DigestVerify(ctx, signature.at, signature.len, signature.at, 0);
    EVP_MD_CTX_free(ctx);
}

/* Generates, copies, uses and imports keys; some of the imports are refused. */
static void live(const char *type, int signs)
{
    static struct bytes private;
    OSSL_PARAM params[2] = { OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end() };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(ours, type, query_of(ours));
    EVP_PKEY *key = NULL, *copy;
    must(ctx && EVP_PKEY_keygen_init(ctx) > 0 && EVP_PKEY_generate(ctx, &key) > 0, "generated");
    EVP_PKEY_CTX_free(ctx);
    copy = EVP_PKEY_dup(key);
    must(copy && EVP_PKEY_eq(key, copy) == 1, "copied");
    (signs ? sign : encapsulate)(key, copy);
    EVP_PKEY_free(copy);
    take_bytes(key, "priv", &private);
    EVP_PKEY_free(key);
    for (size_t i = 0; i < 3; i++) {
        params[0] = octets("priv", private.at, private.len - (i == 2));
        EVP_PKEY_free(import_key(ours, type, EVP_PKEY_KEYPAIR, params));
        private.at[private.len / 2] ^= 1;
    }
}

void check_leaks(const char *type, int signs)
{
    long before = 0;
    doing = "allocations";
    for (size_t round = 0; round < 3; round++) {
        before = allocated;
        live(type, signs);
        ERR_clear_error();
    }
    must(allocated == before, "all that was allocated is freed");
}

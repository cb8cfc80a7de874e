/* Key management: generation from a seed, import, export and encodings. */
#include "keys.h"

#include <openssl/err.h>
#include <openssl/x509.h>

const char *query_of(const OSSL_LIB_CTX *lib)
{
    return lib == ours ? "provider=capvec" : NULL;
}

OSSL_PARAM octets(const char *name, const void *at, size_t len)
{
    return OSSL_PARAM_construct_octet_string(name, (void *)at, len);
}

void free_keys(struct keys *k)
{
    EVP_PKEY_free(k->a);
    EVP_PKEY_free(k->b);
    *k = (struct keys){ NULL, NULL };
}

EVP_PKEY_CTX *key_context(OSSL_LIB_CTX *lib, EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, query_of(lib));
    must(ctx != NULL, "context");
    return ctx;
}

void same_whole(const struct bytes *a, const struct bytes *b, const char *what)
{
    must(a->len == b->len, what);
    same_bytes(a->at, b->at, a->len, what);
}

EVP_PKEY *import_key(OSSL_LIB_CTX *lib, const char *type, int selection, const OSSL_PARAM params[])
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, type, query_of(lib));
    EVP_PKEY *key = NULL;
    must(ctx && EVP_PKEY_fromdata_init(ctx) > 0, "import begins");
    if (EVP_PKEY_fromdata(ctx, &key, selection, (OSSL_PARAM *)params) <= 0)
        key = NULL;
    EVP_PKEY_CTX_free(ctx);
    ERR_clear_error();
    return key;
}

EVP_PKEY *public_only(OSSL_LIB_CTX *lib, const char *type, const struct bytes *public)
{
    const OSSL_PARAM params[] = { octets("pub", public->at, public->len), OSSL_PARAM_construct_end() };
    EVP_PKEY *key = import_key(lib, type, EVP_PKEY_PUBLIC_KEY, params);
    must(key != NULL, "public key");
    return key;
}

EVP_PKEY *generate_key(OSSL_LIB_CTX *lib, const char *type, const uint8_t *from, size_t len)
{
    const OSSL_PARAM params[] = { octets("seed", from, len), OSSL_PARAM_construct_end() };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, type, query_of(lib));
    EVP_PKEY *key = NULL;
    must(ctx && EVP_PKEY_keygen_init(ctx) > 0, "generation begins");
    if (EVP_PKEY_CTX_set_params(ctx, params) <= 0 || EVP_PKEY_generate(ctx, &key) <= 0)
        key = NULL;
    EVP_PKEY_CTX_free(ctx);
    ERR_clear_error();
    return key;
}

struct keys generate_keys(const char *type, const uint8_t *from, size_t len)
{
    struct keys k = { generate_key(stock, type, from, len), generate_key(ours, type, from, len) };
    same_result(k.a != NULL, k.b != NULL, "generated");
    return k;
}

void take_bytes(EVP_PKEY *key, const char *name, struct bytes *out)
{
    if (EVP_PKEY_get_octet_string_param(key, name, out->at, sizeof out->at, &out->len) <= 0)
        out->len = 0;
    ERR_clear_error();
}

static void same_part(const struct keys *k, const char *name)
{
    static struct bytes part[2];
    take_bytes(k->a, name, &part[0]);
    take_bytes(k->b, name, &part[1]);
    same_result((int)part[0].len, (int)part[1].len, name);
    same_bytes(part[0].at, part[1].at, part[0].len, name);
}

/* The file formats, which OpenSSL's own encoders write for both. */
static void same_encodings(const struct keys *k, int has_private)
{
    unsigned char *der[2] = { NULL, NULL };
    int len = i2d_PUBKEY(k->a, &der[0]);
    same_result(len, i2d_PUBKEY(k->b, &der[1]), "length of the encoded public key");
    must(len > 0, "encoded public key");
    same_bytes(der[0], der[1], (size_t)len, "encoded public key");
    for (int i = 0; i < 2; i++) {
        OPENSSL_free(der[i]);
        der[i] = NULL;
    }
    if (!has_private)
        return;
    len = i2d_PrivateKey(k->a, &der[0]);
    same_result(len, i2d_PrivateKey(k->b, &der[1]), "length of the encoded private key");
    must(len > 0, "encoded private key");
    same_bytes(der[0], der[1], (size_t)len, "encoded private key");
    for (int i = 0; i < 2; i++)
        OPENSSL_free(der[i]);
}

static void same_keys(const struct keys *k, int has_private)
{
    same_part(k, "pub");
    same_part(k, "priv");
    same_part(k, "seed");
    same_encodings(k, has_private);
}

static int is_valid(EVP_PKEY *key, OSSL_LIB_CTX *lib)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, query_of(lib));
    int valid = EVP_PKEY_check(ctx);
    EVP_PKEY_CTX_free(ctx);
    ERR_clear_error();
    return valid;
}

/* Imports the parts whose bits are set in `mask`, of which one may be changed or shortened, and compares the results. */
static void import_parts(const char *type, const struct bytes parts[3], unsigned mask)
{
    static const char *const names[] = { "pub", "priv", "seed" };
    static struct bytes given[3];
    OSSL_PARAM params[4], *p = params;
    int has_private = 0, selection = mask == 1 ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR;
    size_t harmed = below(6), how = below(4);
    for (size_t i = 0; i < 3; i++) {
        if (!(mask >> i & 1) || parts[i].len == 0)
            continue;
        given[i] = parts[i];
        if (i == harmed && how)
            given[i].at[below(given[i].len)] ^= (uint8_t)(1u << below(8));
        else if (i == harmed)
            given[i].len -= 1 + below(given[i].len - 1);
        *p++ = octets(names[i], given[i].at, given[i].len);
        has_private |= i > 0;
    }
    *p = OSSL_PARAM_construct_end();
    struct keys k = { import_key(stock, type, selection, params), import_key(ours, type, selection, params) };
    /* If there is a private key, too, OpenSSL ignores the public key; the provider compares it. */
    if (!(k.a && !k.b && (mask & 1) && has_private && harmed < 3))
        same_result(k.a != NULL, k.b != NULL, "imported");
    if (k.a && k.b) {
        same_keys(&k, has_private);
        if (has_private)
            same_result(is_valid(k.a, stock), is_valid(k.b, ours), "valid");
    }
    free_keys(&k);
}

static int get_key(void *key, OSSL_PARAM params[])
{
    return EVP_PKEY_get_params(key, params);
}

void check_keys(const char *type, size_t seed_len, size_t rounds)
{
    static const char *const described[] = { "bits", "security-bits", "max-size" };
    static struct bytes parts[3];
    uint8_t from[96];
    for (size_t round = 0; round < rounds; round++) {
        doing = "key management";
        random_bytes(from, sizeof from);
        struct keys k = generate_keys(type, from, seed_len);
        must(k.a != NULL, "generated");
        for (size_t i = 0; i < sizeof described / sizeof *described; i++)
            same_parameter(get_key, k.a, k.b, described[i], OSSL_PARAM_UNSIGNED_INTEGER);
        same_keys(&k, 1);
        take_bytes(k.b, "pub", &parts[0]);
        take_bytes(k.b, "priv", &parts[1]);
        take_bytes(k.b, "seed", &parts[2]);
        free_keys(&k);
        k = generate_keys(type, from, seed_len - 1);
        must(k.a == NULL, "short seed");
        for (unsigned mask = 1; mask < 8; mask++)
            import_parts(type, parts, mask);
    }
}

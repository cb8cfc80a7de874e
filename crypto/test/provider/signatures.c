/* Signatures: both providers make the same deterministic ones, verify each other's, and refuse the same. */
#include "keys.h"

#include <openssl/err.h>

#if OPENSSL_VERSION_PREREQ(3, 5)
# define CONTEXT 256

/* A message and how it is signed. */
struct job {
    uint8_t message[LONGEST], context[CONTEXT], random[32];
    size_t len, context_len, random_len;
    int deterministic, encode, mu;
};

/* Only the parameters that differ from their defaults. */
static void put(const struct job *j, OSSL_PARAM *p)
{
    if (j->context_len)
        *p++ = octets("context-string", j->context, j->context_len);
    if (j->random_len)
        *p++ = octets("test-entropy", j->random, j->random_len);
    if (j->deterministic)
        *p++ = OSSL_PARAM_construct_int("deterministic", (int *)&j->deterministic);
    if (!j->encode)
        *p++ = OSSL_PARAM_construct_int("message-encoding", (int *)&j->encode);
    if (j->mu)
        *p++ = OSSL_PARAM_construct_int("mu", (int *)&j->mu);
    *p = OSSL_PARAM_construct_end();
}

static int sign(OSSL_LIB_CTX *lib, const char *type, EVP_PKEY *key, const struct job *j, struct bytes *out)
{
    OSSL_PARAM params[6];
    EVP_PKEY_CTX *ctx = key_context(lib, key);
    EVP_SIGNATURE *signature = EVP_SIGNATURE_fetch(lib, type, query_of(lib));
    put(j, params);
    out->len = KEY_ROOM;
    int done = EVP_PKEY_sign_message_init(ctx, signature, params) > 0
        && EVP_PKEY_sign(ctx, out->at, &out->len, j->message, j->len) > 0;
    EVP_SIGNATURE_free(signature);
    EVP_PKEY_CTX_free(ctx);
    ERR_clear_error();
    return done;
}

static int verify(OSSL_LIB_CTX *lib, const char *type, EVP_PKEY *key, const struct job *j, const struct bytes *in)
{
    OSSL_PARAM params[6];
    EVP_PKEY_CTX *ctx = key_context(lib, key);
    EVP_SIGNATURE *signature = EVP_SIGNATURE_fetch(lib, type, query_of(lib));
    put(j, params);
    int valid = EVP_PKEY_verify_message_init(ctx, signature, params) > 0
        && EVP_PKEY_verify(ctx, in->at, in->len, j->message, j->len) > 0;
    EVP_SIGNATURE_free(signature);
    EVP_PKEY_CTX_free(ctx);
    ERR_clear_error();
    return valid;
}

/* By the older interface; `digest` is NULL except to test that a digest is refused. */
static int digest_sign(OSSL_LIB_CTX *lib, EVP_PKEY *key, const char *digest, const struct job *j, struct bytes *out)
{
    OSSL_PARAM params[6];
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    put(j, params);
    out->len = KEY_ROOM;
    int done = EVP_DigestSignInit_ex(ctx, NULL, digest, lib, query_of(lib), key, params) > 0
        && EVP_DigestSign(ctx, out->at, &out->len, j->message, j->len) > 0;
    EVP_MD_CTX_free(ctx);
    ERR_clear_error();
    return done;
}

static int digest_verify(OSSL_LIB_CTX *lib, EVP_PKEY *key, const struct job *j, const struct bytes *in)
{
    OSSL_PARAM params[6];
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    put(j, params);
    int valid = EVP_DigestVerifyInit_ex(ctx, NULL, NULL, lib, query_of(lib), key, params) > 0
        && EVP_DigestVerify(ctx, in->at, in->len, j->message, j->len) > 0;
    EVP_MD_CTX_free(ctx);
    ERR_clear_error();
    return valid;
}

static void both_verify(const char *type, const struct keys *public, const struct job *j, const struct bytes *in,
                        int valid, const char *what)
{
    int result = verify(stock, type, public->a, j, in);
    same_result(result, verify(ours, type, public->b, j, in), what);
    must(result == valid, what);
}

static void random_job(struct job *j, size_t random_len, int has_mu)
{
    j->len = random_length();
    random_bytes(j->message, sizeof j->message);
    random_bytes(j->context, sizeof j->context);
    random_bytes(j->random, sizeof j->random);
    j->context_len = below(2) ? 0 : 1 + below(CONTEXT - 1);
    j->deterministic = (int)below(2);
    j->random_len = j->deterministic ? 0 : random_len;
    j->mu = has_mu && below(3) == 0;
    if (j->mu)
        j->len = 64;
    j->encode = !has_mu || j->mu || below(4) != 0;
}

/* What both must refuse: another signature, message or context, and wrong lengths. */
static void harmed(const char *type, const struct keys *public, const struct job *good, const struct bytes *signature)
{
    static struct bytes s;
    static struct job j;
    s = *signature;
    s.at[below(s.len)] ^= (uint8_t)(1u << below(8));
    both_verify(type, public, good, &s, 0, "changed signature");
    s = *signature;
    s.len -= 1 + below(64);
    both_verify(type, public, good, &s, 0, "short signature");
    s = *signature;
    s.len++;
    both_verify(type, public, good, &s, 0, "long signature");
    j = *good;
    j.message[j.len ? below(j.len) : 0] ^= 1;
    j.len += !j.len;
    both_verify(type, public, &j, signature, 0, "changed message");
    j = *good;
    j.context_len = j.context_len ? j.context_len - 1 : 1;
    /* The context string has no effect where nothing is put before the message. */
    both_verify(type, public, &j, signature, j.mu || !j.encode, "changed context");
    j = *good;
    j.context_len = CONTEXT;
    both_verify(type, public, &j, signature, 0, "long context");
}

/* What cannot be signed. */
static void refused(const char *type, const struct keys *k, const struct job *good, int has_mu)
{
    static struct bytes s;
    static struct job j;
    j = *good;
    j.context_len = CONTEXT;
    same_result(sign(stock, type, k->a, &j, &s), sign(ours, type, k->b, &j, &s), "long context");
    j = *good;
    j.random_len = 1 + below(15);
    same_result(sign(stock, type, k->a, &j, &s), sign(ours, type, k->b, &j, &s), "length of the randomness");
    same_result(digest_sign(stock, k->a, "SHA256", good, &s), digest_sign(ours, k->b, "SHA256", good, &s), "a digest");
    if (!has_mu)
        return;
    j = *good;
    j.mu = 1;
    j.len = 63 + 2 * below(2);
    same_result(sign(stock, type, k->a, &j, &s), sign(ours, type, k->b, &j, &s), "length of mu");
}

static void same_identifier(const struct keys *k)
{
    uint8_t found[2][64];
    size_t len[2];
    for (int i = 0; i < 2; i++) {
        EVP_PKEY_CTX *ctx = key_context(i ? ours : stock, i ? k->b : k->a);
        OSSL_PARAM params[] = { octets("algorithm-id", found[i], sizeof found[i]), OSSL_PARAM_construct_end() };
        must(EVP_PKEY_sign_message_init(ctx, NULL, NULL) > 0 && EVP_PKEY_CTX_get_params(ctx, params) > 0, "identifier");
        len[i] = params[0].return_size;
        EVP_PKEY_CTX_free(ctx);
    }
    must(len[0] == len[1], "length of the identifier");
    same_bytes(found[0], found[1], len[0], "identifier");
}

void check_signature(const char *type, size_t seed_len, size_t rounds)
{
    static struct bytes public, s[2];
    static struct job j;
    int has_mu = strncmp(type, "ML-", 3) == 0;
    size_t random_len = has_mu ? 32 : seed_len / 3;
    uint8_t from[96];
    random_bytes(from, sizeof from);
    struct keys k = generate_keys(type, from, seed_len);
    take_bytes(k.a, "pub", &public);
    struct keys p = { public_only(stock, type, &public), public_only(ours, type, &public) };
    doing = "signatures";
    same_identifier(&k);
    for (size_t round = 0; round < rounds; round++) {
        random_job(&j, random_len, has_mu);
        must(sign(stock, type, k.a, &j, &s[0]) && sign(ours, type, k.b, &j, &s[1]), "signed");
        same_whole(&s[0], &s[1], "signature");
        both_verify(type, &p, &j, &s[0], 1, "valid");
        harmed(type, &p, &j, &s[0]);
        refused(type, &k, &j, has_mu);
        same_result(sign(stock, type, p.a, &j, &s[1]), sign(ours, type, p.b, &j, &s[1]), "signed with a public key");
        must(digest_sign(ours, k.b, NULL, &j, &s[1]) && digest_verify(stock, p.a, &j, &s[1]), "by the older interface");
        same_whole(&s[0], &s[1], "signature by the older interface");
        must(digest_verify(ours, p.b, &j, &s[0]), "verified by the older interface");
        /* Hedged: each verifies the other's. */
        j.random_len = 0;
        j.deterministic = 0;
        must(sign(stock, type, k.a, &j, &s[0]) && verify(ours, type, p.b, &j, &s[0]), "hedged, ours verifies");
        must(sign(ours, type, k.b, &j, &s[1]) && verify(stock, type, p.a, &j, &s[1]), "hedged, OpenSSL verifies");
        must(s[0].len == s[1].len && memcmp(s[0].at, s[1].at, s[0].len) != 0, "hedged signatures differ");
    }
    free_keys(&p);
    free_keys(&k);
}
#else
/* Older versions have no signatures to compare with. */
void check_signature(const char *type, size_t seed_len, size_t rounds)
{
    (void)type, (void)seed_len, (void)rounds;
}
#endif

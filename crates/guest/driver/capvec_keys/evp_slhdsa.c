/* SLH-DSA for EVP_PKEY. */
#include "capvec_slhdsa.h"
#include "evp_pkey.h"
#include <string.h>

/* The private key, whose second half is the public one; the first half is unused if `private` is 0. */
struct slhdsa_key {
    int private;
    unsigned char bytes[CV_SLHDSA_MAX_PRIVATE];
};

static size_t key_size(const void *kind)
{
    (void)kind;
    return sizeof(struct slhdsa_key);
}

static void generate(void *key, const void *kind, const unsigned char *seed)
{
    struct slhdsa_key *k = key;
    k->private = 1;
    cv_slhdsa_generate(kind, k->bytes, seed);
}

static int import(void *key, const void *kind, int private, const unsigned char *bytes, size_t len)
{
    struct slhdsa_key *k = key;
    size_t size = cv_slhdsa_private_size(kind);
    if (len != (private ? size : size / 2))
        return 0;
    k->private = private;
    memcpy(k->bytes + size - len, bytes, len);
    return 1;
}

static size_t export(const void *key, const void *kind, int private, unsigned char *out)
{
    const struct slhdsa_key *k = key;
    size_t size = cv_slhdsa_private_size(kind), len = private ? size : size / 2;
    if (private && !k->private)
        return 0;
    memcpy(out, k->bytes + size - len, len);
    return len;
}

/* Deterministic, as the drivers ask. */
static int sign(const EVP_PKEY_CTX *ctx, unsigned char *signature, size_t *len, const unsigned char *message,
                size_t message_len)
{
    const cv_slhdsa_kind *kind = ctx->algorithm->kind;
    const struct slhdsa_key *k = (const void *)ctx->key->key;
    *len = cv_slhdsa_signature_size(kind);
    return k->private
        && cv_slhdsa_sign(kind, k->bytes, cv_slhdsa_private_size(kind), signature, message, message_len, ctx->context,
                          ctx->context_len, NULL)
        == CV_OK;
}

static int verify(const EVP_PKEY_CTX *ctx, const unsigned char *signature, size_t len, const unsigned char *message,
                  size_t message_len)
{
    const cv_slhdsa_kind *kind = ctx->algorithm->kind;
    const struct slhdsa_key *k = (const void *)ctx->key->key;
    size_t size = cv_slhdsa_public_size(kind);
    return cv_slhdsa_verify(kind, k->bytes + size, size, signature, len, message, message_len, ctx->context,
                            ctx->context_len)
        == CV_OK;
}

/* By name in the standard, name in the library, bytes of a seed and number. */
#define SLHDSA(title, id, seed, last) \
    { .name = "SLH-DSA-" title, \
      .arc = 3, \
      .number = last, \
      .seed_len = seed, \
      .kind = &cv_slhdsa_##id, \
      .key_size = key_size, \
      .secret_size = key_size, \
      .generate = generate, \
      .import = import, \
      .export = export, \
      .sign = sign, \
      .verify = verify }

const struct pkey_algorithm slhdsa_algorithms[12] = {
    SLHDSA("SHA2-128s", sha2_128s, 48, 20),   SLHDSA("SHA2-128f", sha2_128f, 48, 21),
    SLHDSA("SHA2-192s", sha2_192s, 72, 22),   SLHDSA("SHA2-192f", sha2_192f, 72, 23),
    SLHDSA("SHA2-256s", sha2_256s, 96, 24),   SLHDSA("SHA2-256f", sha2_256f, 96, 25),
    SLHDSA("SHAKE-128s", shake_128s, 48, 26), SLHDSA("SHAKE-128f", shake_128f, 48, 27),
    SLHDSA("SHAKE-192s", shake_192s, 72, 28), SLHDSA("SHAKE-192f", shake_192f, 72, 29),
    SLHDSA("SHAKE-256s", shake_256s, 96, 30), SLHDSA("SHAKE-256f", shake_256f, 96, 31),
};

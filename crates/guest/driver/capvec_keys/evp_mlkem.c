/* ML-KEM for EVP_PKEY. */
#include "capvec_mlkem.h"
#include "evp_pkey.h"

static size_t key_size(const void *kind)
{
    (void)kind;
    return sizeof(cv_mlkem_key);
}

static void generate(void *key, const void *kind, const unsigned char *seed)
{
    cv_mlkem_generate(key, kind, seed);
}

static int import(void *key, const void *kind, int private, const unsigned char *bytes, size_t len)
{
    return (private ? cv_mlkem_import_private : cv_mlkem_import_public)(key, kind, bytes, len) == CV_OK;
}

static size_t export(const void *key, const void *kind, int private, unsigned char *out)
{
    int status = (private ? cv_mlkem_export_private : cv_mlkem_export_public)(key, out);
    return status == CV_OK ? (private ? cv_mlkem_private_size : cv_mlkem_public_size)(kind) : 0;
}

static int encapsulate(const void *key, const void *kind, unsigned char *ciphertext, size_t *len, unsigned char *secret,
                       const unsigned char *random)
{
    *len = cv_mlkem_ciphertext_size(kind);
    return cv_mlkem_encaps(key, ciphertext, secret, random) == CV_OK;
}

static int decapsulate(const void *key, unsigned char *secret, const unsigned char *ciphertext, size_t len)
{
    return cv_mlkem_decaps(key, secret, ciphertext, len) == CV_OK;
}

#define MLKEM(bits, last) \
    { .name = "ML-KEM-" #bits, \
      .arc = 4, \
      .number = last, \
      .seed_len = CV_MLKEM_SEED, \
      .kind = &cv_mlkem##bits, \
      .key_size = key_size, \
      .secret_size = key_size, \
      .generate = generate, \
      .import = import, \
      .export = export, \
      .encapsulate = encapsulate, \
      .decapsulate = decapsulate }

const struct pkey_algorithm mlkem_algorithms[3] = { MLKEM(512, 1), MLKEM(768, 2), MLKEM(1024, 3) };

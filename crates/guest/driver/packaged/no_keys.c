/* The kinds of public-key operations, of which these drivers have none: they refuse everything, and no key has a manager. */
#include "driver.h"
#include <openssl/evp.h>

static void *prepare(const struct job *job, size_t len)
{
    (void)job, (void)len;
    return NULL;
}

static int step(void *context, unsigned char *buffer, size_t len)
{
    (void)context, (void)buffer, (void)len;
    return 0;
}

static void release(void *context)
{
    (void)context;
}

static long answer(const struct job *job, unsigned char *out)
{
    (void)job, (void)out;
    return -1;
}

const struct kind keygen_kind = { "keygen", { "keygen" }, prepare, step, release, answer, NULL };
const struct kind signature_kind = { "signature", { "sign", "verify" }, prepare, step, release, answer, NULL };
const struct kind kem_kind = { "kem", { "encaps", "decaps" }, prepare, step, release, answer, NULL };
const struct kind exchange_kind = { "exchange", { "derive" }, prepare, step, release, answer, NULL };

struct evp_pkey_st *job_key(const struct job *job)
{
    (void)job;
    return NULL;
}

void EVP_PKEY_free(EVP_PKEY *key)
{
    (void)key;
}

EVP_KEYMGMT *EVP_KEYMGMT_fetch(OSSL_LIB_CTX *context, const char *algorithm, const char *properties)
{
    (void)context, (void)algorithm, (void)properties;
    return NULL;
}

void EVP_KEYMGMT_free(EVP_KEYMGMT *manager)
{
    (void)manager;
}

/* What the drivers use of EVP_PKEY for algorithms that libcapvec lacks: key exchange, and signatures of digests by a
 * named hash. No key of such an algorithm is ever made, so these are not reached, or refuse. */
#include "driver.h"
#include <openssl/evp.h>

int EVP_PKEY_derive_init(EVP_PKEY_CTX *ctx)
{
    (void)ctx;
    return 0;
}

EVP_PKEY *EVP_PKEY_new(void)
{
    return NULL;
}

int EVP_PKEY_copy_parameters(EVP_PKEY *to, const EVP_PKEY *from)
{
    (void)to, (void)from;
    return 0;
}

int EVP_PKEY_set1_encoded_public_key(EVP_PKEY *key, const unsigned char *bytes, size_t len)
{
    (void)key, (void)bytes, (void)len;
    return 0;
}

size_t EVP_PKEY_get1_encoded_public_key(EVP_PKEY *key, unsigned char **bytes)
{
    (void)key, (void)bytes;
    return 0;
}

int EVP_PKEY_derive_set_peer(EVP_PKEY_CTX *ctx, EVP_PKEY *peer)
{
    (void)ctx, (void)peer;
    return 0;
}

int EVP_PKEY_derive(EVP_PKEY_CTX *ctx, unsigned char *secret, size_t *len)
{
    (void)ctx, (void)secret, (void)len;
    return 0;
}

void CRYPTO_free(void *memory, const char *file, int line)
{
    (void)memory, (void)file, (void)line;
}

int EVP_PKEY_sign_init(EVP_PKEY_CTX *ctx)
{
    (void)ctx;
    return 0;
}

int EVP_PKEY_verify_init(EVP_PKEY_CTX *ctx)
{
    (void)ctx;
    return 0;
}

int EVP_PKEY_CTX_set_signature_md(EVP_PKEY_CTX *ctx, const EVP_MD *md)
{
    (void)ctx, (void)md;
    return 0;
}

int EVP_DigestSignInit_ex(EVP_MD_CTX *md, EVP_PKEY_CTX **ctx, const char *name, OSSL_LIB_CTX *library,
                          const char *properties, EVP_PKEY *key, const OSSL_PARAM params[])
{
    (void)md, (void)ctx, (void)name, (void)library, (void)properties, (void)key, (void)params;
    return 0;
}

int EVP_DigestSign(EVP_MD_CTX *md, unsigned char *signature, size_t *len, const unsigned char *data, size_t data_len)
{
    (void)md, (void)signature, (void)len, (void)data, (void)data_len;
    return 0;
}

int EVP_DigestVerifyInit_ex(EVP_MD_CTX *md, EVP_PKEY_CTX **ctx, const char *name, OSSL_LIB_CTX *library,
                            const char *properties, EVP_PKEY *key, const OSSL_PARAM params[])
{
    (void)md, (void)ctx, (void)name, (void)library, (void)properties, (void)key, (void)params;
    return 0;
}

int EVP_DigestVerify(EVP_MD_CTX *md, const unsigned char *signature, size_t len, const unsigned char *data,
                     size_t data_len)
{
    (void)md, (void)signature, (void)len, (void)data, (void)data_len;
    return 0;
}

/* The state in which every group begins: the library's providers are loaded, and its random numbers are a fixed
 * sequence. */
#define _DEFAULT_SOURCE
#include "driver.h"
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <unistd.h>

/* Longest entropy input of the generator, 256 bits, and a margin of the same size. */
#define ENTROPY 64

/* The library's own generator as `openssl speed` uses it, AES-256 in counter mode (SP 800-90A), except for its seed:
 * that would contain the time, the process and the kernel's random bytes, so that the numbers would differ between
 * runs. */
static EVP_RAND_CTX *generator(void)
{
    static unsigned char entropy[ENTROPY];
    unsigned int strength = 256, requests = 1 << 16;
    time_t never = 0;
    OSSL_PARAM seed[] = {
        OSSL_PARAM_construct_uint(OSSL_RAND_PARAM_STRENGTH, &strength),
        OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_ENTROPY, entropy, sizeof entropy),
        OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_NONCE, entropy, sizeof entropy / 2),
        OSSL_PARAM_construct_end(),
    };
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_CIPHER, "AES-256-CTR", 0),
        OSSL_PARAM_construct_uint(OSSL_DRBG_PARAM_RESEED_REQUESTS, &requests),
        OSSL_PARAM_construct_time_t(OSSL_DRBG_PARAM_RESEED_TIME_INTERVAL, &never),
        OSSL_PARAM_construct_end(),
    };
    EVP_RAND *source = EVP_RAND_fetch(NULL, "TEST-RAND", NULL), *drbg = EVP_RAND_fetch(NULL, "CTR-DRBG", NULL);
    EVP_RAND_CTX *parent = source ? EVP_RAND_CTX_new(source, NULL) : NULL, *ctx = NULL;
    fill(entropy, sizeof entropy);
    if (parent && drbg && EVP_RAND_instantiate(parent, strength, 0, NULL, 0, seed))
        ctx = EVP_RAND_CTX_new(drbg, parent);
    if (ctx && !EVP_RAND_instantiate(ctx, strength, 0, NULL, 0, params)) {
        EVP_RAND_CTX_free(ctx);
        ctx = NULL;
    }
    EVP_RAND_CTX_free(parent);
    EVP_RAND_free(source);
    EVP_RAND_free(drbg);
    return ctx;
}

/* The heap begins after the driver, at an address whose low bits do not depend on the driver's size. On targets other
 * than the simulator, addresses differ in every run anyway. */
static int place_heap(void)
{
#ifdef CAPVEC_TIMED
    return 1;
#else
    uintptr_t end = (uintptr_t)sbrk(0);
    return sbrk((intptr_t)(-end % SAME_SET)) != (void *)-1;
#endif
}

int begin_library(void)
{
    if (!place_heap())
        return 0;
    EVP_RAND_CTX *public = generator(), *private = generator();
    if (!public || !private || !RAND_set0_public(NULL, public) || !RAND_set0_private(NULL, private))
        return 0;
    /* The first fetch of each kind makes the library list all algorithms of that kind, which costs more than many jobs. */
    EVP_CIPHER_free(EVP_CIPHER_fetch(NULL, "AES-128-ECB", NULL));
    EVP_MD_free(EVP_MD_fetch(NULL, "SHA256", NULL));
    EVP_MAC_free(EVP_MAC_fetch(NULL, "HMAC", NULL));
    EVP_KEYMGMT_free(EVP_KEYMGMT_fetch(NULL, "EC", NULL));
    EVP_SIGNATURE_free(EVP_SIGNATURE_fetch(NULL, "ECDSA", NULL));
    EVP_KEM_free(EVP_KEM_fetch(NULL, "ML-KEM-768", NULL));
    EVP_KEYEXCH_free(EVP_KEYEXCH_fetch(NULL, "ECDH", NULL));
    return 1;
}

/* SLH-DSA for pqc.c. Signing is for LONG runs: otherwise only the public key is computed, and is the output. */
#include "pqc.h"
#include <stddef.h>

static const cv_slhdsa_kind *kind;
static uint8_t seed[CV_SLHDSA_MAX_SEED], private_key[CV_SLHDSA_MAX_PRIVATE];

static void generate(void)
{
    cv_slhdsa_generate(kind, private_key, seed);
}

#ifdef LONG
static int status;
static uint8_t signature[CV_SLHDSA_MAX_SIGNATURE];

static void sign(void)
{
    status = cv_slhdsa_sign(kind, private_key, cv_slhdsa_private_size(kind), signature, seed, 0, NULL, 0, NULL);
}

static void verify(void)
{
    size_t size = cv_slhdsa_public_size(kind);
    status =
        cv_slhdsa_verify(kind, private_key + size, size, signature, cv_slhdsa_signature_size(kind), seed, 0, NULL, 0);
}
#endif

static void check(const char *name, const cv_slhdsa_kind *set)
{
    kind = set;
    begin_set(name);
    draw(seed, cv_slhdsa_seed_size(kind));
    measure("keygen", generate);
    put(private_key + cv_slhdsa_public_size(kind), cv_slhdsa_public_size(kind));
#ifdef LONG
    measure("sign", sign);
    require(status == CV_OK, "signature");
    put(signature, cv_slhdsa_signature_size(kind));
    measure("verify", verify);
    require(status == CV_OK, "verification");
    signature[50] ^= 1;
    verify();
    require(status == CV_ERR_SIGNATURE, "refusal");
#endif
    end_set();
}

void check_slhdsa(void)
{
    check("SLH-DSA-SHA2-128f", &cv_slhdsa_sha2_128f);
    check("SLH-DSA-SHAKE-128f", &cv_slhdsa_shake_128f);
}

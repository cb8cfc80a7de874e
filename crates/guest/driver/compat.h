/* OpenSSL before 3.5, for targets whose own library is older: what it lacks. Where CAPVEC_ANY is defined, the headers
 * are new but the library may be old: then these functions are there if the library has them. */
#ifndef CAPVEC_COMPAT_H
#define CAPVEC_COMPAT_H

#include <openssl/opensslv.h>

#if OPENSSL_VERSION_NUMBER < 0x30500000L || defined(CAPVEC_ANY)

# include <openssl/evp.h>
# include <openssl/rand.h>
# include <stddef.h>

# ifndef OSSL_PKEY_PARAM_ML_KEM_SEED
#  define OSSL_PKEY_PARAM_ML_KEM_SEED "seed"
# endif
# ifndef OSSL_SIGNATURE_PARAM_NONCE_TYPE
#  define OSSL_SIGNATURE_PARAM_NONCE_TYPE "nonce-type"
# endif
# ifndef OSSL_SIGNATURE_PARAM_DETERMINISTIC
#  define OSSL_SIGNATURE_PARAM_DETERMINISTIC "deterministic"
# endif
# ifndef OSSL_SIGNATURE_PARAM_CONTEXT_STRING
#  define OSSL_SIGNATURE_PARAM_CONTEXT_STRING "context-string"
# endif
# ifndef OSSL_KEM_PARAM_IKME
#  define OSSL_KEM_PARAM_IKME "ikme"
# endif

/* Since 3.1, 3.1, 3.4 and 3.3. */
extern int RAND_set0_public(OSSL_LIB_CTX *ctx, EVP_RAND_CTX *rand) __attribute__((weak));
extern int RAND_set0_private(OSSL_LIB_CTX *ctx, EVP_RAND_CTX *rand) __attribute__((weak));
extern int EVP_MD_xof(const EVP_MD *md) __attribute__((weak));
extern int EVP_DigestSqueeze(EVP_MD_CTX *ctx, unsigned char *out, size_t len) __attribute__((weak));
/* Since 3.4; before, algorithms that need them are not there either. */
extern int EVP_PKEY_sign_message_init(EVP_PKEY_CTX *ctx, EVP_SIGNATURE *algorithm, const OSSL_PARAM params[])
    __attribute__((weak));
extern int EVP_PKEY_verify_message_init(EVP_PKEY_CTX *ctx, EVP_SIGNATURE *algorithm, const OSSL_PARAM params[])
    __attribute__((weak));

static inline int compat_sign_message_init(EVP_PKEY_CTX *ctx, EVP_SIGNATURE *algorithm, const OSSL_PARAM params[])
{
    return EVP_PKEY_sign_message_init ? EVP_PKEY_sign_message_init(ctx, algorithm, params) : 0;
}

static inline int compat_verify_message_init(EVP_PKEY_CTX *ctx, EVP_SIGNATURE *algorithm, const OSSL_PARAM params[])
{
    return EVP_PKEY_verify_message_init ? EVP_PKEY_verify_message_init(ctx, algorithm, params) : 0;
}

/* Without it random numbers are the library's own: what they decide is another one in every run. */
static inline int compat_set0_public(OSSL_LIB_CTX *ctx, EVP_RAND_CTX *rand)
{
    return RAND_set0_public ? RAND_set0_public(ctx, rand) : 1;
}

static inline int compat_set0_private(OSSL_LIB_CTX *ctx, EVP_RAND_CTX *rand)
{
    return RAND_set0_private ? RAND_set0_private(ctx, rand) : 1;
}

static inline int compat_xof(const EVP_MD *md)
{
    return EVP_MD_xof ? EVP_MD_xof(md) : (EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0;
}

# define RAND_set0_public compat_set0_public
# define RAND_set0_private compat_set0_private
# define EVP_MD_xof compat_xof
# define EVP_PKEY_sign_message_init compat_sign_message_init
# define EVP_PKEY_verify_message_init compat_verify_message_init
# define HAVE_SQUEEZE (EVP_DigestSqueeze != NULL)

#else
# define HAVE_SQUEEZE 1
#endif

#endif

/* Replacements for what OpenSSL before 3.5 lacks, for targets whose own library is older. Where CAPVEC_ANY is defined,
 * the headers are new but the library may be old: these functions then exist if the library has them. */
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

/* Functions that an older library lacks. They are looked up at run time: a reference in the program, even a weak one,
 * would carry the symbol's version, and the loader refuses a library without that version. */
# ifdef CAPVEC_STATIC
#  define FOUND(name) name
# else
#  include <dlfcn.h>
#  ifndef RTLD_DEFAULT /* with _GNU_SOURCE alone */
#   define RTLD_DEFAULT NULL
#  endif
#  define FOUND(name) ((__typeof__(name) *)dlsym(RTLD_DEFAULT, #name))
# endif

/* These two exist since 3.1. */
extern int RAND_set0_public(OSSL_LIB_CTX *ctx, EVP_RAND_CTX *rand);
extern int RAND_set0_private(OSSL_LIB_CTX *ctx, EVP_RAND_CTX *rand);
/* Since 3.4. */
extern int EVP_MD_xof(const EVP_MD *md);
/* Since 3.3. */
extern int EVP_DigestSqueeze(EVP_MD_CTX *ctx, unsigned char *out, size_t len);
/* Since 3.4; older libraries lack the algorithms that need them, too. */
extern int EVP_PKEY_sign_message_init(EVP_PKEY_CTX *ctx, EVP_SIGNATURE *algorithm, const OSSL_PARAM params[]);
extern int EVP_PKEY_verify_message_init(EVP_PKEY_CTX *ctx, EVP_SIGNATURE *algorithm, const OSSL_PARAM params[]);

static inline int compat_sign_message_init(EVP_PKEY_CTX *ctx, EVP_SIGNATURE *algorithm, const OSSL_PARAM params[])
{
    __typeof__(EVP_PKEY_sign_message_init) *found = FOUND(EVP_PKEY_sign_message_init);
    return found ? found(ctx, algorithm, params) : 0;
}

static inline int compat_verify_message_init(EVP_PKEY_CTX *ctx, EVP_SIGNATURE *algorithm, const OSSL_PARAM params[])
{
    __typeof__(EVP_PKEY_verify_message_init) *found = FOUND(EVP_PKEY_verify_message_init);
    return found ? found(ctx, algorithm, params) : 0;
}

/* Without it, random numbers are the library's own, and results that depend on them differ in every run. */
static inline int compat_set0_public(OSSL_LIB_CTX *ctx, EVP_RAND_CTX *rand)
{
    __typeof__(RAND_set0_public) *found = FOUND(RAND_set0_public);
    return found ? found(ctx, rand) : 1;
}

static inline int compat_set0_private(OSSL_LIB_CTX *ctx, EVP_RAND_CTX *rand)
{
    __typeof__(RAND_set0_private) *found = FOUND(RAND_set0_private);
    return found ? found(ctx, rand) : 1;
}

static inline int compat_xof(const EVP_MD *md)
{
    __typeof__(EVP_MD_xof) *found = FOUND(EVP_MD_xof);
    return found ? found(md) : (EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0;
}

static inline int compat_squeeze(EVP_MD_CTX *ctx, unsigned char *out, size_t len)
{
    __typeof__(EVP_DigestSqueeze) *found = FOUND(EVP_DigestSqueeze);
    return found ? found(ctx, out, len) : 0;
}

# define HAVE_SQUEEZE (FOUND(EVP_DigestSqueeze) != NULL)
# define EVP_DigestSqueeze compat_squeeze
# define RAND_set0_public compat_set0_public
# define RAND_set0_private compat_set0_private
# define EVP_MD_xof compat_xof
# define EVP_PKEY_sign_message_init compat_sign_message_init
# define EVP_PKEY_verify_message_init compat_verify_message_init

#else
# define HAVE_SQUEEZE 1
#endif

#endif

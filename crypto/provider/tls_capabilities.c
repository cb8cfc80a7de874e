/* How a program's TLS 1.3 finds what this provider has for it: ML-KEM and its hybrids, and ML-DSA. */
#include "provider.h"

#include <openssl/prov_ssl.h>

/* Numbers of IANA's registry of TLS supported groups. */
static unsigned ids[] = { 0x0200, 0x0201, 0x0202, 0x11eb, 0x11ec, 0x11ed };
static unsigned security_192 = 192, security_128 = 128, security_256 = 256;
static int from_tls = TLS1_3_VERSION, no_limit = 0, never = -1;
static unsigned kem = 1;

#define TEXT(name, text) OSSL_PARAM_utf8_string(name, (void *)(text), sizeof(text))
#define GROUP(name, type, id, security) \
    { \
        TEXT(OSSL_CAPABILITY_TLS_GROUP_NAME, name), \
        TEXT(OSSL_CAPABILITY_TLS_GROUP_NAME_INTERNAL, ""), \
        TEXT(OSSL_CAPABILITY_TLS_GROUP_ALG, type), \
        OSSL_PARAM_uint(OSSL_CAPABILITY_TLS_GROUP_ID, &ids[id]), \
        OSSL_PARAM_uint(OSSL_CAPABILITY_TLS_GROUP_SECURITY_BITS, &(security)), \
        OSSL_PARAM_uint(OSSL_CAPABILITY_TLS_GROUP_IS_KEM, &kem), \
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_GROUP_MIN_TLS, &from_tls), \
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_GROUP_MAX_TLS, &no_limit), \
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_GROUP_MIN_DTLS, &never), \
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_GROUP_MAX_DTLS, &never), \
        OSSL_PARAM_END, \
    }

static const OSSL_PARAM groups[][11] = {
    GROUP("MLKEM512", "ML-KEM-512", 0, security_128),
    GROUP("MLKEM768", "ML-KEM-768", 1, security_192),
    GROUP("MLKEM1024", "ML-KEM-1024", 2, security_256),
    GROUP("SecP256r1MLKEM768", "SecP256r1MLKEM768", 3, security_192),
    GROUP("X25519MLKEM768", "X25519MLKEM768", 4, security_192),
    GROUP("SecP384r1MLKEM1024", "SecP384r1MLKEM1024", 5, security_256),
};

/* Versions before 3.2 know no signature schemes of providers. */
#ifdef OSSL_CAPABILITY_TLS_SIGALG_NAME
/* Numbers of IANA's registry of TLS signature schemes. */
static unsigned schemes[] = { 0x0904, 0x0905, 0x0906 };

# define SCHEME(name, type, arc, id, security) \
     { \
         TEXT(OSSL_CAPABILITY_TLS_SIGALG_IANA_NAME, name), \
         TEXT(OSSL_CAPABILITY_TLS_SIGALG_NAME, type), \
         TEXT(OSSL_CAPABILITY_TLS_SIGALG_OID, "2.16.840.1.101.3.4.3." arc), \
         OSSL_PARAM_uint(OSSL_CAPABILITY_TLS_SIGALG_CODE_POINT, &schemes[id]), \
         OSSL_PARAM_uint(OSSL_CAPABILITY_TLS_SIGALG_SECURITY_BITS, &(security)), \
         OSSL_PARAM_int(OSSL_CAPABILITY_TLS_SIGALG_MIN_TLS, &from_tls), \
         OSSL_PARAM_int(OSSL_CAPABILITY_TLS_SIGALG_MAX_TLS, &no_limit), \
         OSSL_PARAM_int(OSSL_CAPABILITY_TLS_SIGALG_MIN_DTLS, &never), \
         OSSL_PARAM_int(OSSL_CAPABILITY_TLS_SIGALG_MAX_DTLS, &never), \
         OSSL_PARAM_END, \
     }

static const OSSL_PARAM signatures[][10] = {
    SCHEME("mldsa44", "ML-DSA-44", "17", 0, security_128),
    SCHEME("mldsa65", "ML-DSA-65", "18", 1, security_192),
    SCHEME("mldsa87", "ML-DSA-87", "19", 2, security_256),
};
#endif

int pv_capabilities(void *provider, const char *capability, OSSL_CALLBACK *receive, void *arg)
{
    (void)provider;
    if (OPENSSL_strcasecmp(capability, "TLS-GROUP") == 0) {
        for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
            if (!receive(groups[i], arg))
                return 0;
        return 1;
    }
#ifdef OSSL_CAPABILITY_TLS_SIGALG_NAME
    if (OPENSSL_strcasecmp(capability, "TLS-SIGALG") == 0) {
        for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
            if (!receive(signatures[i], arg))
                return 0;
        return 1;
    }
#endif
    return 0;
}

/* Groups of TLS 1.3: how a program's TLS finds ML-KEM and its hybrids in this provider. */
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

int pv_capabilities(void *provider, const char *capability, OSSL_CALLBACK *receive, void *arg)
{
    (void)provider;
    if (OPENSSL_strcasecmp(capability, "TLS-GROUP") != 0)
        return 0;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (!receive(groups[i], arg))
            return 0;
    return 1;
}

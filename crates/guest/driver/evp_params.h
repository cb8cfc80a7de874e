/* OpenSSL's constructors of parameters, for drivers that are linked without OpenSSL. Definitions: one unit of a driver includes them. */
#ifndef CAPVEC_EVP_PARAMS_H
#define CAPVEC_EVP_PARAMS_H

#include <openssl/params.h>
#include <string.h>

OSSL_PARAM OSSL_PARAM_construct_utf8_string(const char *key, char *text, size_t size)
{
    OSSL_PARAM param = { key, OSSL_PARAM_UTF8_STRING, text, size ? size : strlen(text), 0 };
    return param;
}

OSSL_PARAM OSSL_PARAM_construct_octet_string(const char *key, void *data, size_t size)
{
    OSSL_PARAM param = { key, OSSL_PARAM_OCTET_STRING, data, size, 0 };
    return param;
}

OSSL_PARAM OSSL_PARAM_construct_size_t(const char *key, size_t *number)
{
    OSSL_PARAM param = { key, OSSL_PARAM_UNSIGNED_INTEGER, number, sizeof *number, 0 };
    return param;
}

OSSL_PARAM OSSL_PARAM_construct_end(void)
{
    OSSL_PARAM param = { NULL, 0, NULL, 0, 0 };
    return param;
}

#endif

/* The value of MBEDTLS_USER_CONFIG_FILE for Mbed TLS 3.6: what libcapvec replaces. */
#define MBEDTLS_AES_ALT
#define MBEDTLS_GCM_ALT
#define MBEDTLS_CCM_ALT
#define MBEDTLS_SHA256_ALT
#define MBEDTLS_SHA512_ALT
#define MBEDTLS_CHACHA20_ALT
#define MBEDTLS_POLY1305_ALT

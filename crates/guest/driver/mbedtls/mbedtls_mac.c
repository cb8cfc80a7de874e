/* Message authentication codes of Mbed TLS. */
#include "packaged.h"
#include <mbedtls/cipher.h>
#include <mbedtls/cmac.h>
#include <mbedtls/md.h>
#include <mbedtls/poly1305.h>

/* A MAC is known by the number of its hash, or of the cipher inside; Poly1305 by none. */
#define HMAC(inside, size, algorithm) \
    { \
        "HMAC", inside, size, 0, &(const mbedtls_md_type_t) \
        { \
            MBEDTLS_MD_##algorithm \
        } \
    }
#define CMAC(inside, key_len, algorithm) \
    { \
        "CMAC", inside, 16, key_len, &(const mbedtls_cipher_type_t) \
        { \
            MBEDTLS_CIPHER_##algorithm \
        } \
    }

const struct library_mac library_macs[] = {
    HMAC("SHA1", 20, SHA1),
    HMAC("SHA224", 28, SHA224),
    HMAC("SHA256", 32, SHA256),
    HMAC("SHA384", 48, SHA384),
    HMAC("SHA512", 64, SHA512),
    HMAC("SHA3-224", 28, SHA3_224),
    HMAC("SHA3-256", 32, SHA3_256),
    HMAC("SHA3-512", 64, SHA3_512),
    CMAC("AES-128-CBC", 16, AES_128_ECB),
    CMAC("AES-192-CBC", 24, AES_192_ECB),
    CMAC("AES-256-CBC", 32, AES_256_ECB),
    { "Poly1305", NULL, 16, 32, NULL },
    { 0 },
};

union mac_state {
    mbedtls_md_context_t hmac;
    mbedtls_cipher_context_t cmac;
    mbedtls_poly1305_context poly1305;
};

static int is_cmac(const struct library_mac *mac)
{
    return mac->inside && mac->key_len;
}

size_t library_mac_size(const struct library_mac *mac)
{
    (void)mac;
    return sizeof(union mac_state);
}

void library_mac_close(const struct library_mac *mac, void *state)
{
    union mac_state *s = state;
    if (mac->inside == NULL)
        mbedtls_poly1305_free(&s->poly1305);
    else if (is_cmac(mac))
        mbedtls_cipher_free(&s->cmac);
    else
        mbedtls_md_free(&s->hmac);
}

static int with_key(const struct library_mac *mac, union mac_state *s, const unsigned char *key, size_t len)
{
    library_mac_close(mac, s);
    if (mac->inside == NULL) {
        mbedtls_poly1305_init(&s->poly1305);
        return mbedtls_poly1305_starts(&s->poly1305, key) == 0;
    }
    if (is_cmac(mac)) {
        mbedtls_cipher_init(&s->cmac);
        return mbedtls_cipher_setup(&s->cmac, mbedtls_cipher_info_from_type(*(const mbedtls_cipher_type_t *)mac->own))
            == 0
            && mbedtls_cipher_cmac_starts(&s->cmac, key, len * 8) == 0;
    }
    mbedtls_md_init(&s->hmac);
    return mbedtls_md_setup(&s->hmac, mbedtls_md_info_from_type(*(const mbedtls_md_type_t *)mac->own), 1) == 0
        && mbedtls_md_hmac_starts(&s->hmac, key, len) == 0;
}

int library_mac_begin(const struct library_mac *mac, void *state, const unsigned char *key, size_t len)
{
    union mac_state *s = state;
    if (key)
        return with_key(mac, s, key, len);
    return (is_cmac(mac) ? mbedtls_cipher_cmac_reset(&s->cmac) : mbedtls_md_hmac_reset(&s->hmac)) == 0;
}

int library_mac_update(const struct library_mac *mac, void *state, const void *data, size_t len)
{
    union mac_state *s = state;
    if (mac->inside == NULL)
        return mbedtls_poly1305_update(&s->poly1305, data, len) == 0;
    return (is_cmac(mac) ? mbedtls_cipher_cmac_update(&s->cmac, data, len)
                         : mbedtls_md_hmac_update(&s->hmac, data, len))
        == 0;
}

int library_mac_end(const struct library_mac *mac, void *state, unsigned char *out)
{
    union mac_state *s = state;
    if (mac->inside == NULL)
        return mbedtls_poly1305_finish(&s->poly1305, out) == 0;
    return (is_cmac(mac) ? mbedtls_cipher_cmac_finish(&s->cmac, out) : mbedtls_md_hmac_finish(&s->hmac, out)) == 0;
}

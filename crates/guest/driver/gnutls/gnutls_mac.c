/* Message authentication codes of GnuTLS, by their numbers. */
#include "packaged.h"
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#define MAC(name, inside, size, key_len, algorithm) \
    { \
        name, inside, size, key_len, &(const gnutls_mac_algorithm_t) \
        { \
            GNUTLS_MAC_##algorithm \
        } \
    }

/* It has numbers for HMAC with SHA-3, but does not implement it. */
const struct library_mac library_macs[] = {
    MAC("HMAC", "SHA1", 20, 0, SHA1),
    MAC("HMAC", "SHA224", 28, 0, SHA224),
    MAC("HMAC", "SHA256", 32, 0, SHA256),
    MAC("HMAC", "SHA384", 48, 0, SHA384),
    MAC("HMAC", "SHA512", 64, 0, SHA512),
    MAC("CMAC", "AES-128-CBC", 16, 16, AES_CMAC_128),
    MAC("CMAC", "AES-256-CBC", 16, 32, AES_CMAC_256),
    { 0 },
};

size_t library_mac_size(const struct library_mac *mac)
{
    (void)mac;
    return sizeof(gnutls_hmac_hd_t);
}

void library_mac_close(const struct library_mac *mac, void *state)
{
    gnutls_hmac_hd_t *handle = state;
    (void)mac;
    if (*handle)
        gnutls_hmac_deinit(*handle, NULL);
    *handle = NULL;
}

/* The end of a message begins the next one with the same key. */
int library_mac_begin(const struct library_mac *mac, void *state, const unsigned char *key, size_t len)
{
    if (key == NULL)
        return 1;
    library_mac_close(mac, state);
    return gnutls_hmac_init(state, *(const gnutls_mac_algorithm_t *)mac->own, key, len) == 0;
}

int library_mac_update(const struct library_mac *mac, void *state, const void *data, size_t len)
{
    const gnutls_hmac_hd_t *handle = state;
    (void)mac;
    return gnutls_hmac(*handle, data, len) == 0;
}

int library_mac_end(const struct library_mac *mac, void *state, unsigned char *out)
{
    const gnutls_hmac_hd_t *handle = state;
    (void)mac;
    gnutls_hmac_output(*handle, out);
    return 1;
}

/* Message authentication codes of libgcrypt, by their numbers. */
#include "packaged.h"
#include <gcrypt.h>

#define MAC(name, inside, size, key_len, algorithm) \
    { \
        name, inside, size, key_len, &(const int) \
        { \
            GCRY_MAC_##algorithm \
        } \
    }
#define HMAC(inside, size, algorithm) MAC("HMAC", inside, size, 0, HMAC_##algorithm)

const struct library_mac library_macs[] = {
    HMAC("SHA1", 20, SHA1),
    HMAC("SHA224", 28, SHA224),
    HMAC("SHA256", 32, SHA256),
    HMAC("SHA384", 48, SHA384),
    HMAC("SHA512", 64, SHA512),
    HMAC("SHA512-224", 28, SHA512_224),
    HMAC("SHA512-256", 32, SHA512_256),
    HMAC("SHA3-224", 28, SHA3_224),
    HMAC("SHA3-256", 32, SHA3_256),
    HMAC("SHA3-512", 64, SHA3_512),
    HMAC("SM3", 32, SM3),
    MAC("CMAC", "AES-128-CBC", 16, 16, CMAC_AES),
    MAC("CMAC", "AES-192-CBC", 16, 24, CMAC_AES),
    MAC("CMAC", "AES-256-CBC", 16, 32, CMAC_AES),
    MAC("Poly1305", NULL, 16, 32, POLY1305),
    { 0 },
};

size_t library_mac_size(const struct library_mac *mac)
{
    (void)mac;
    return sizeof(gcry_mac_hd_t);
}

int library_mac_begin(const struct library_mac *mac, void *state, const unsigned char *key, size_t len)
{
    gcry_mac_hd_t *handle = state;
    /* A new key does not end the message before in CMAC. */
    if (*handle && gcry_mac_reset(*handle))
        return 0;
    if (key == NULL)
        return 1;
    return (*handle || !gcry_mac_open(handle, *(const int *)mac->own, 0, NULL)) && !gcry_mac_setkey(*handle, key, len);
}

int library_mac_update(const struct library_mac *mac, void *state, const void *data, size_t len)
{
    const gcry_mac_hd_t *handle = state;
    (void)mac;
    return !gcry_mac_write(*handle, data, len);
}

int library_mac_end(const struct library_mac *mac, void *state, unsigned char *out)
{
    const gcry_mac_hd_t *handle = state;
    size_t len = (size_t)mac->size;
    return !gcry_mac_read(*handle, out, &len);
}

void library_mac_close(const struct library_mac *mac, void *state)
{
    const gcry_mac_hd_t *handle = state;
    (void)mac;
    gcry_mac_close(*handle);
}

/* Message authentication codes of libsodium. */
#include "packaged.h"
#include <sodium.h>

const struct library_mac library_macs[] = {
    { "HMAC", "SHA256", crypto_auth_hmacsha256_BYTES, 0, NULL },
    { "HMAC", "SHA512", crypto_auth_hmacsha512_BYTES, 0, NULL },
    { "Poly1305", NULL, crypto_onetimeauth_BYTES, crypto_onetimeauth_KEYBYTES, NULL },
    { 0 },
};

/* The state after the key, for the next message, and that of the message. */
union mac_state {
    crypto_auth_hmacsha256_state sha256[2];
    crypto_auth_hmacsha512_state sha512[2];
    crypto_onetimeauth_state poly1305[2];
};

enum { KEYED, MESSAGE };

static int has_sha256(const struct library_mac *mac)
{
    return mac->size == crypto_auth_hmacsha256_BYTES;
}

size_t library_mac_size(const struct library_mac *mac)
{
    (void)mac;
    return sizeof(union mac_state);
}

int library_mac_begin(const struct library_mac *mac, void *state, const unsigned char *key, size_t len)
{
    union mac_state *s = state;
    if (mac->inside == NULL)
        return key != NULL && crypto_onetimeauth_init(&s->poly1305[MESSAGE], key) == 0;
    if (has_sha256(mac)) {
        if (key && crypto_auth_hmacsha256_init(&s->sha256[KEYED], key, len) != 0)
            return 0;
        s->sha256[MESSAGE] = s->sha256[KEYED];
    } else {
        if (key && crypto_auth_hmacsha512_init(&s->sha512[KEYED], key, len) != 0)
            return 0;
        s->sha512[MESSAGE] = s->sha512[KEYED];
    }
    return 1;
}

int library_mac_update(const struct library_mac *mac, void *state, const void *data, size_t len)
{
    union mac_state *s = state;
    if (mac->inside == NULL)
        return crypto_onetimeauth_update(&s->poly1305[MESSAGE], data, len) == 0;
    if (has_sha256(mac))
        return crypto_auth_hmacsha256_update(&s->sha256[MESSAGE], data, len) == 0;
    return crypto_auth_hmacsha512_update(&s->sha512[MESSAGE], data, len) == 0;
}

int library_mac_end(const struct library_mac *mac, void *state, unsigned char *out)
{
    union mac_state *s = state;
    if (mac->inside == NULL)
        return crypto_onetimeauth_final(&s->poly1305[MESSAGE], out) == 0;
    if (has_sha256(mac))
        return crypto_auth_hmacsha256_final(&s->sha256[MESSAGE], out) == 0;
    return crypto_auth_hmacsha512_final(&s->sha512[MESSAGE], out) == 0;
}

void library_mac_close(const struct library_mac *mac, void *state)
{
    (void)mac, (void)state;
}

/* Message authentication codes of nettle: HMAC with each of its hashes, and CMAC with AES. */
#include "packaged.h"
#include <nettle/cmac.h>
#include <nettle/hmac.h>
#include <nettle/nettle-meta.h>

#define HMAC(inside, size, own) { "HMAC", inside, size, 0, own }
#define CMAC(inside, key_len, own) { "CMAC", inside, 16, key_len, own }

const struct library_mac library_macs[] = {
    HMAC("SHA1", 20, &nettle_sha1),
    HMAC("SHA224", 28, &nettle_sha224),
    HMAC("SHA256", 32, &nettle_sha256),
    HMAC("SHA384", 48, &nettle_sha384),
    HMAC("SHA512", 64, &nettle_sha512),
    HMAC("SHA512-224", 28, &nettle_sha512_224),
    HMAC("SHA512-256", 32, &nettle_sha512_256),
    HMAC("SHA3-224", 28, &nettle_sha3_224),
    HMAC("SHA3-256", 32, &nettle_sha3_256),
    HMAC("SHA3-512", 64, &nettle_sha3_512),
    HMAC("SM3", 32, &nettle_sm3),
    CMAC("AES-128-CBC", 16, &nettle_aes128),
    CMAC("AES-192-CBC", 24, &nettle_aes192),
    CMAC("AES-256-CBC", 32, &nettle_aes256),
    { 0 },
};

/* The state of CMAC; the cipher's follows. */
struct cmac {
    struct cmac128_key key;
    struct cmac128_ctx ctx;
};

static int is_cmac(const struct library_mac *mac)
{
    return mac->key_len != 0;
}

static void *cipher_of(void *state)
{
    return (char *)state + (sizeof(struct cmac) + 15) / 16 * 16;
}

/* HMAC has three contexts of the hash, one after the other: the outer, the inner, and that of the message. */
static void *hash_of(const struct library_mac *mac, void *state, size_t which)
{
    const struct nettle_hash *own = mac->own;
    return (char *)state + which * ((own->context_size + 15) / 16 * 16);
}

size_t library_mac_size(const struct library_mac *mac)
{
    if (is_cmac(mac))
        return sizeof(struct cmac) + 16 + ((const struct nettle_cipher *)mac->own)->context_size;
    return 3 * ((((const struct nettle_hash *)mac->own)->context_size + 15) / 16 * 16);
}

int library_mac_begin(const struct library_mac *mac, void *state, const unsigned char *key, size_t len)
{
    struct cmac *cmac = state;
    if (is_cmac(mac)) {
        const struct nettle_cipher *own = mac->own;
        if (key) {
            own->set_encrypt_key(cipher_of(state), key);
            cmac128_set_key(&cmac->key, cipher_of(state), own->encrypt);
        }
        cmac128_init(&cmac->ctx);
    } else if (key) {
        hmac_set_key(hash_of(mac, state, 0), hash_of(mac, state, 1), hash_of(mac, state, 2), mac->own, len, key);
    }
    return 1;
}

int library_mac_update(const struct library_mac *mac, void *state, const void *data, size_t len)
{
    struct cmac *cmac = state;
    if (is_cmac(mac))
        cmac128_update(&cmac->ctx, cipher_of(state), ((const struct nettle_cipher *)mac->own)->encrypt, len, data);
    else
        hmac_update(hash_of(mac, state, 2), mac->own, len, data);
    return 1;
}

int library_mac_end(const struct library_mac *mac, void *state, unsigned char *out)
{
    struct cmac *cmac = state;
    if (is_cmac(mac))
        cmac128_digest(&cmac->ctx, &cmac->key, cipher_of(state), ((const struct nettle_cipher *)mac->own)->encrypt, 16,
                       out);
    else
        hmac_digest(hash_of(mac, state, 0), hash_of(mac, state, 1), hash_of(mac, state, 2), mac->own, (size_t)mac->size,
                    out);
    return 1;
}

void library_mac_close(const struct library_mac *mac, void *state)
{
    (void)mac, (void)state;
}

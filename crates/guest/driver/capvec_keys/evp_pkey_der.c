/* Keys in DER, as far as the algorithms here need it. */
#include "evp_pkey.h"
#include <stdlib.h>
#include <string.h>

struct der {
    const unsigned char *data;
    size_t len;
};

/* Takes an element with this tag off the front; 0 if there is none. */
static int take(struct der *from, unsigned char tag, struct der *body)
{
    size_t head = 2, len;
    if (from->len < 2 || from->data[0] != tag)
        return 0;
    len = from->data[1];
    if (len >= 0x80) {
        size_t bytes = len & 0x7f;
        if (bytes < 1 || bytes > 3 || from->len < 2 + bytes)
            return 0;
        for (len = 0; head < 2 + bytes; head++)
            len = len << 8 | from->data[head];
    }
    if (from->len - head < len)
        return 0;
    *body = (struct der){ from->data + head, len };
    from->data += head + len, from->len -= head + len;
    return 1;
}

/* An AlgorithmIdentifier without parameters. */
static const struct pkey_algorithm *take_algorithm(struct der *from)
{
    static const unsigned char prefix[] = { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04 };
    struct der identifier, oid;
    if (!take(from, 0x30, &identifier) || !take(&identifier, 0x06, &oid) || identifier.len != 0
        || oid.len != sizeof prefix + 2 || memcmp(oid.data, prefix, sizeof prefix) != 0)
        return NULL;
    return pkey_identified(oid.data[7], oid.data[8]);
}

/* The private key: a seed, an expanded key, or both (RFC 9881, RFC 9935); in SLH-DSA the bare key (RFC 9909). */
static int import_private(EVP_PKEY *key, struct der content)
{
    const struct pkey_algorithm *a = key->algorithm;
    struct der seed = { NULL, 0 }, expanded = { NULL, 0 }, both;
    if (a->arc == 3 && a->number >= 20)
        return a->import(key->key, a->kind, 1, content.data, content.len);
    if (take(&content, 0x30, &both)) {
        if (!take(&both, 0x04, &seed) || !take(&both, 0x04, &expanded) || both.len != 0)
            return 0;
    } else if (!take(&content, 0x80, &seed) && !take(&content, 0x04, &expanded)) {
        return 0;
    }
    if (content.len != 0 || (seed.data && seed.len != a->seed_len))
        return 0;
    if (!seed.data)
        return a->import(key->key, a->kind, 1, expanded.data, expanded.len);
    a->generate(key->key, a->kind, seed.data);
    if (expanded.data) {
        static unsigned char again[8192];
        return a->export(key->key, a->kind, 1, again) == expanded.len
            && memcmp(again, expanded.data, expanded.len) == 0;
    }
    return 1;
}

EVP_PKEY *pkey_decode(const unsigned char *data, size_t len)
{
    struct der outer = { data, len }, info, version, content;
    if (!take(&outer, 0x30, &info) || outer.len != 0)
        return NULL;
    int private = take(&info, 0x02, &version);
    const struct pkey_algorithm *algorithm = take_algorithm(&info);
    if (algorithm == NULL || !take(&info, private ? 0x04 : 0x03, &content) || info.len != 0)
        return NULL;
    EVP_PKEY *key = pkey_new(algorithm);
    int ok = 0;
    if (key != NULL && private)
        ok = import_private(key, content);
    else if (key != NULL && content.len > 0 && content.data[0] == 0)
        ok = algorithm->import(key->key, algorithm->kind, 0, content.data + 1, content.len - 1);
    if (!ok) {
        EVP_PKEY_free(key);
        return NULL;
    }
    return key;
}

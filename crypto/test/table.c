/* What the dispatch knows, and what it chose for CAPVEC_CAPS: lines `caps = STRING`, then `backend NEEDS TABLE.FIELD... = NAME` in the order in which
 * later ones replace earlier ones, then `used TABLE.FIELD = NAME`, or `portable`. docs/kernels.md is made of them. */
#define CV_CAPS_NAMES
#include "internal.h"
#include <stdio.h>

#define FIELD(table, field) { #table "." #field, offsetof(struct cv_backend, table.field), offsetof(struct cv_kernels, table.field) }
#define CIPHER(table) \
    FIELD(table, expand), FIELD(table, ecb_encrypt), FIELD(table, ecb_decrypt), FIELD(table, cbc_encrypt), \
        FIELD(table, cbc_decrypt), FIELD(table, cfb_encrypt), FIELD(table, cfb_decrypt), FIELD(table, ctr32), \
        FIELD(table, xts_encrypt), FIELD(table, xts_decrypt), FIELD(table, xts_gb_encrypt), FIELD(table, xts_gb_decrypt), \
        FIELD(table, gcm_encrypt), FIELD(table, gcm_decrypt), FIELD(table, mac), FIELD(table, ocb_encrypt), \
        FIELD(table, ocb_decrypt)

static const struct {
    const char *name;
    size_t in_backend, in_use;
} fields[] = {
    CIPHER(aes), CIPHER(sm4), FIELD(ghash, blocks),
    FIELD(hash, sha1), FIELD(hash, sha256), FIELD(hash, sha512), FIELD(hash, sm3), FIELD(hash, keccak),
    FIELD(hash, keccak_many), FIELD(chacha, chacha20), FIELD(chacha, poly1305),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

_Static_assert(COUNT(fields) * sizeof(void *) == sizeof(struct cv_backend) - offsetof(struct cv_backend, aes),
               "every field of a backend");

static void *at(const void *table, size_t offset)
{
    void *function;
    memcpy(&function, (const char *)table + offset, sizeof function);
    return function;
}

static void print_backend(const struct cv_backend *b)
{
    const char *separator = "";
    fputs("backend ", stdout);
    for (size_t i = 0; i < COUNT(cv_cap_name); i++) {
        if (b->needs >> i & 1) {
            printf("%s%.*s", separator, (int)sizeof cv_cap_name[i], cv_cap_name[i]);
            separator = "_";
        }
    }
    for (size_t i = 0; i < COUNT(fields); i++)
        if (at(b, fields[i].in_backend))
            printf(" %s", fields[i].name);
    printf(" = %s\n", b->name);
}

int main(void)
{
    const cv_token all = { ~UINT64_C(0) };
    const struct cv_backend *b;
    size_t next = 0;
    char caps[1024];
    if (cv_init_environment() != CV_OK || cv_caps(caps, sizeof caps) >= sizeof caps)
        return 1;
    printf("caps = %s\n", caps);
    const struct cv_kernels *used = cv_kernels_in_use();
    while ((b = cv_native_backend(all, &next)))
        print_backend(b);
    for (size_t i = 0; i < COUNT(fields); i++) {
        const char *name = "portable";
        void *function = at(used, fields[i].in_use);
        next = 0;
        while ((b = cv_native_backend(all, &next)))
            if (at(b, fields[i].in_backend) == function)
                name = b->name;
        printf("used %s = %s\n", fields[i].name, name);
    }
    return 0;
}

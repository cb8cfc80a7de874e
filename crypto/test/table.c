/* Lines of what the dispatch knows and what it chose: see table.h. */
#include "table.h"

#define FIELD(table, field) \
    { #table "." #field, offsetof(struct cv_backend, table.field), offsetof(struct cv_kernels, table.field) }
#define CIPHER(table) \
    FIELD(table, expand), FIELD(table, ecb_encrypt), FIELD(table, ecb_decrypt), FIELD(table, cbc_encrypt), \
        FIELD(table, cbc_decrypt), FIELD(table, cfb_encrypt), FIELD(table, cfb_decrypt), FIELD(table, ctr32), \
        FIELD(table, xts_encrypt), FIELD(table, xts_decrypt), FIELD(table, xts_gb_encrypt), \
        FIELD(table, xts_gb_decrypt), FIELD(table, gcm_encrypt), FIELD(table, gcm_decrypt), FIELD(table, mac), \
        FIELD(table, ocb_encrypt), FIELD(table, ocb_decrypt)

static const struct {
    const char *name;
    size_t in_backend, in_use;
} fields[] = {
    CIPHER(aes),
    CIPHER(sm4),
    FIELD(ghash, blocks),
    FIELD(hash, sha1),
    FIELD(hash, sha256),
    FIELD(hash, sha512),
    FIELD(hash, sm3),
    FIELD(hash, keccak),
    FIELD(hash, keccak_many),
    FIELD(chacha, chacha20),
    FIELD(chacha, poly1305),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* On RV32 padding may follow. */
_Static_assert(sizeof(struct cv_backend) - offsetof(struct cv_backend, aes) - COUNT(fields) * sizeof(void *)
                   < _Alignof(struct cv_backend),
               "every field of a backend");

static void *at(const void *table, size_t offset)
{
    void *function;
    memcpy(&function, (const char *)table + offset, sizeof function);
    return function;
}

static void print(const char *a, const char *b, const char *c)
{
    table_print(a);
    table_print(b);
    table_print(c);
}

static void print_backend(const struct cv_backend *b)
{
    char needs[TABLE_NAMES];
    cv_token_names((cv_token){ b->needs }, needs, sizeof needs);
    print("backend ", needs, "");
    for (size_t i = 0; i < COUNT(fields); i++)
        if (at(b, fields[i].in_backend))
            print(" ", fields[i].name, "");
    print(" = ", b->name, "\n");
}

void table_of_kernels_in_use(void)
{
    const cv_token all = { ~UINT64_C(0) };
    const struct cv_kernels *used = cv_kernels_in_use();
    const struct cv_backend *b;
    size_t next = 0;
    char caps[TABLE_NAMES];
    cv_caps(caps, sizeof caps);
    print("caps = ", caps, "\n");
    while ((b = cv_native_backend(all, &next)))
        print_backend(b);
    for (size_t i = 0; i < COUNT(fields); i++) {
        const char *name = "portable";
        void *function = at(used, fields[i].in_use);
        next = 0;
        while ((b = cv_native_backend(all, &next)))
            if (at(b, fields[i].in_backend) == function)
                name = b->name;
        print("used ", fields[i].name, " = ");
        print(name, "\n", "");
    }
}

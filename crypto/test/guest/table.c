/* Prints what the dispatch has and what it selected: see table.h. */
#include "table.h"

#define FIELD(table, field) \
    { #table "." #field, offsetof(struct cv_backend, table.field), offsetof(struct cv_kernels, table.field) },
#define AES(field) FIELD(aes, field)
#define SM4(field) FIELD(sm4, field)
#define GHASH(field) FIELD(ghash, field)
#define HASH(field) FIELD(hash, field)
#define CHACHA(field) FIELD(chacha, field)
#define MLKEM(field) FIELD(mlkem, field)
#define MLDSA(field) FIELD(mldsa, field)

static const struct {
    const char *name;
    size_t in_backend, in_use;
} fields[] = { CV_BLOCK_OPS(AES) CV_BLOCK_OPS(SM4) CV_GHASH_OPS(GHASH) CV_HASH_OPS(HASH) CV_CHACHA_OPS(CHACHA)
                   CV_MLKEM_OPS(MLKEM) CV_MLDSA_OPS(MLDSA) };

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* On RV32, padding may follow. */
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

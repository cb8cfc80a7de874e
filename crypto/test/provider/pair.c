/* Numbers from a seed, comparisons, and pairs of ciphers. */
#include "pair.h"

#include <stdlib.h>

OSSL_LIB_CTX *stock, *ours;
const char *subject = "", *doing = "";
extern uint64_t seed;
static uint64_t state;

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next(void)
{
    uint64_t z = seed + (state += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

size_t below(size_t bound)
{
    return (size_t)(next() % bound);
}

void random_bytes(uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)next();
}

size_t random_length(void)
{
    switch (below(4)) {
    case 0:
        return below(40);
    case 1:
        return 16 * below(LONGEST / 16);
    case 2:
        return 16 * (1 + below(LONGEST / 16 - 1)) - 1 + below(3);
    default:
        return below(LONGEST);
    }
}

size_t part(size_t left)
{
    if (left == 0 || below(8) == 0)
        return 0;
    return below(3) ? 1 + below(left) : left < 16 ? left : 16 * (1 + below(left / 16));
}

static void differs(const char *what)
{
    printf("differs: %s, %s: %s (seed %llu)\n", subject, doing, what, (unsigned long long)seed);
    exit(1);
}

void must(int holds, const char *what)
{
    if (!holds)
        differs(what);
}

void same_result(int stock_result, int our_result, const char *what)
{
    /* Failures have several values. */
    if (stock_result < 0)
        stock_result = 0;
    if (our_result < 0)
        our_result = 0;
    if (stock_result != our_result) {
        printf("OpenSSL %d, capvec %d\n", stock_result, our_result);
        differs(what);
    }
}

void same_bytes(const void *stock_bytes, const void *our_bytes, size_t len, const char *what)
{
    if (len && memcmp(stock_bytes, our_bytes, len))
        differs(what);
}

void same_parameter(get_fn *get, void *stock_ctx, void *our_ctx, const char *name, unsigned type)
{
    uint8_t value[2][256] = { { 0 } };
    size_t number[2] = { 0, 0 };
    OSSL_PARAM params[2][2];
    int result[2];
    for (int i = 0; i < 2; i++) {
        params[i][0] = type == OSSL_PARAM_OCTET_STRING
            ? OSSL_PARAM_construct_octet_string(name, value[i], sizeof value[i])
            : OSSL_PARAM_construct_size_t(name, &number[i]);
        params[i][1] = OSSL_PARAM_construct_end();
        result[i] = get(i ? our_ctx : stock_ctx, params[i]);
    }
    same_result(result[0], result[1], name);
    if (result[0] <= 0)
        return;
    same_result(OSSL_PARAM_modified(params[0]), OSSL_PARAM_modified(params[1]), name);
    same_result(number[0] == number[1], 1, name);
    same_bytes(value[0], value[1], sizeof value[0], name);
}

struct ciphers new_ciphers(const char *name)
{
    EVP_CIPHER *a = EVP_CIPHER_fetch(stock, name, NULL), *b = EVP_CIPHER_fetch(ours, name, "provider=capvec");
    struct ciphers c = { EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_new() };
    must(a && b && c.a && c.b, "fetched");
    int encrypt = (int)below(2);
    same_result(EVP_CipherInit_ex2(c.a, a, NULL, NULL, encrypt, NULL),
                EVP_CipherInit_ex2(c.b, b, NULL, NULL, encrypt, NULL), "set");
    EVP_CIPHER_free(a);
    EVP_CIPHER_free(b);
    return c;
}

void free_ciphers(struct ciphers *c)
{
    EVP_CIPHER_CTX_free(c->a);
    EVP_CIPHER_CTX_free(c->b);
}

void copy_ciphers(struct ciphers *c)
{
    struct ciphers copy = { EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_new() };
    must(EVP_CIPHER_CTX_copy(copy.a, c->a) && EVP_CIPHER_CTX_copy(copy.b, c->b), "copied");
    free_ciphers(c);
    *c = copy;
}

int both_init(struct ciphers *c, const uint8_t *key, const uint8_t *iv, int encrypt)
{
    int result = EVP_CipherInit_ex2(c->a, NULL, key, iv, encrypt, NULL);
    same_result(result, EVP_CipherInit_ex2(c->b, NULL, key, iv, encrypt, NULL), "begin");
    return result > 0;
}

int both_ctrl(struct ciphers *c, int type, int arg, void *ptr)
{
    int result = EVP_CIPHER_CTX_ctrl(c->a, type, arg, ptr);
    same_result(result, EVP_CIPHER_CTX_ctrl(c->b, type, arg, ptr), "control");
    return result > 0;
}

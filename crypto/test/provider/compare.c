/* Compares libcapvec's provider with OpenSSL's own in everything that it has: descriptions, answers, errors, for random
 * messages, splits, orders of calls and copies of contexts.
 *
 *   compare DIRECTORY SEED ROUNDS [NAME]    -> provider checked: COUNTS, seed SEED
 *
 * DIRECTORY contains capvec.so. SLH-DSA is slow, so it is compared only if NAME names it. Differences are printed with
 * the seed, and the exit status is 1. Without arguments, they are read from a line of standard input. */
#include "pair.h"

#include <openssl/provider.h>
#include <stdlib.h>

uint64_t seed;
static size_t rounds, ciphers, digests, macs, key_types;
static const char *only;

/* Names of one implementation, sorted. */
struct names {
    char text[16][64];
    size_t count;
};

static void add_name(const char *name, void *to)
{
    struct names *n = to;
    must(n->count < 16 && strlen(name) < 64, "names");
    strcpy(n->text[n->count++], name);
}

static int by_text(const void *a, const void *b)
{
    return OPENSSL_strcasecmp(a, b);
}

/* Both implementations must have the same names. */
static void same_names(struct names *a, struct names *b)
{
    qsort(a->text, a->count, sizeof *a->text, by_text);
    qsort(b->text, b->count, sizeof *b->text, by_text);
    must(a->count == b->count, "number of names");
    for (size_t i = 0; i < a->count; i++)
        must(OPENSSL_strcasecmp(a->text[i], b->text[i]) == 0, "names");
}

static int wanted(const OSSL_PROVIDER *provider, const char *name)
{
    return strcmp(OSSL_PROVIDER_get0_name(provider), "capvec") == 0
        && (only == NULL || OPENSSL_strcasecmp(only, name) == 0);
}

static int get_cipher(void *cipher, OSSL_PARAM params[])
{
    return EVP_CIPHER_get_params(cipher, params);
}

static int get_digest(void *digest, OSSL_PARAM params[])
{
    return EVP_MD_get_params(digest, params);
}

static void one_cipher(EVP_CIPHER *cipher, void *unused)
{
    static const char *const parameters[] = { "mode",      "keylen", "ivlen",     "blocksize",  "aead",
                                              "custom-iv", "cts",    "tls-multi", "has-randkey" };
    struct names a = { .count = 0 }, b = { .count = 0 };
    (void)unused;
    if (!wanted(EVP_CIPHER_get0_provider(cipher), EVP_CIPHER_get0_name(cipher)))
        return;
    subject = EVP_CIPHER_get0_name(cipher);
    doing = "description";
    EVP_CIPHER *own = EVP_CIPHER_fetch(stock, subject, NULL);
    /* Older versions lack some. */
    if (own == NULL)
        return;
    EVP_CIPHER_names_do_all(own, add_name, &a);
    EVP_CIPHER_names_do_all(cipher, add_name, &b);
    same_names(&a, &b);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        same_parameter(get_cipher, own, cipher, parameters[i], OSSL_PARAM_UNSIGNED_INTEGER);
    if (EVP_CIPHER_get_flags(own) & EVP_CIPH_FLAG_AEAD_CIPHER)
        check_aead(subject, rounds);
    else
        check_cipher(subject, rounds);
    check_tls(subject, rounds);
    check_cipher_states(subject, rounds);
    EVP_CIPHER_free(own);
    ciphers++;
}

static void one_digest(EVP_MD *digest, void *unused)
{
    static const char *const parameters[] = { "blocksize", "size", "xof", "algid-absent" };
    struct names a = { .count = 0 }, b = { .count = 0 };
    (void)unused;
    if (!wanted(EVP_MD_get0_provider(digest), EVP_MD_get0_name(digest)))
        return;
    subject = EVP_MD_get0_name(digest);
    doing = "description";
    EVP_MD *own = EVP_MD_fetch(stock, subject, NULL);
    must(own != NULL, "OpenSSL has it");
    EVP_MD_names_do_all(own, add_name, &a);
    EVP_MD_names_do_all(digest, add_name, &b);
    same_names(&a, &b);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        same_parameter(get_digest, own, digest, parameters[i], OSSL_PARAM_UNSIGNED_INTEGER);
    check_digest(subject, rounds);
    check_digest_states(subject, rounds);
    if (!(EVP_MD_get_flags(own) & EVP_MD_FLAG_XOF)) {
        check_mac("HMAC", subject, rounds);
        check_mac_states("HMAC", subject, rounds);
    }
    EVP_MD_free(own);
    digests++;
}

static void mac_of_ciphers(const char *name, const char *const *inner, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        EVP_CIPHER *cipher = EVP_CIPHER_fetch(stock, inner[i], NULL);
        /* Older versions lack some. */
        if (cipher) {
            check_mac(name, inner[i], rounds);
            check_mac_states(name, inner[i], rounds);
        }
        EVP_CIPHER_free(cipher);
    }
}

static void one_mac(EVP_MAC *mac, void *unused)
{
    /* Some of these are delegated to another provider. */
    static const char *const blocks[] = { "AES-128-CBC", "AES-192-CBC",  "AES-256-CBC",
                                          "SM4-CBC",     "DES-EDE3-CBC", "ARIA-128-CBC" };
    static const char *const galois[] = { "AES-128-GCM", "AES-192-GCM", "AES-256-GCM", "SM4-GCM", "ARIA-128-GCM" };
    struct names a = { .count = 0 }, b = { .count = 0 };
    (void)unused;
    if (!wanted(EVP_MAC_get0_provider(mac), EVP_MAC_get0_name(mac)))
        return;
    subject = EVP_MAC_get0_name(mac);
    doing = "description";
    EVP_MAC *own = EVP_MAC_fetch(stock, subject, NULL);
    must(own != NULL, "OpenSSL has it");
    EVP_MAC_names_do_all(own, add_name, &a);
    EVP_MAC_names_do_all(mac, add_name, &b);
    same_names(&a, &b);
    if (EVP_MAC_is_a(mac, "CMAC"))
        mac_of_ciphers("CMAC", blocks, sizeof blocks / sizeof *blocks);
    else if (EVP_MAC_is_a(mac, "GMAC"))
        mac_of_ciphers("GMAC", galois, sizeof galois / sizeof *galois);
    else if (EVP_MAC_is_a(mac, "HMAC"))
        check_mac("HMAC", "MD5", rounds);
    else {
        check_mac(subject, NULL, rounds);
        check_mac_states(subject, NULL, rounds);
    }
    EVP_MAC_free(own);
    macs++;
}

/* Bytes of the seed of a scheme's keys; 0 for hybrids. */
static size_t seed_of(const char *name)
{
    if (strncmp(name, "SLH-DSA", 7) == 0)
        return strtoul(strrchr(name, '-') + 1, NULL, 10) / 8 * 3;
    return strncmp(name, "ML-KEM", 6) == 0 ? 64 : strncmp(name, "ML-DSA", 6) == 0 ? 32 : 0;
}

static void one_key_type(EVP_KEYMGMT *type, void *unused)
{
    struct names a = { .count = 0 }, b = { .count = 0 };
    (void)unused;
    if (!wanted(EVP_KEYMGMT_get0_provider(type), EVP_KEYMGMT_get0_name(type)))
        return;
    subject = EVP_KEYMGMT_get0_name(type);
    doing = "description";
    EVP_KEYMGMT *own = EVP_KEYMGMT_fetch(stock, subject, NULL);
    /* Older versions lack them. */
    if (own == NULL)
        return;
    EVP_KEYMGMT_names_do_all(own, add_name, &a);
    EVP_KEYMGMT_names_do_all(type, add_name, &b);
    same_names(&a, &b);
    EVP_KEYMGMT_free(own);
    key_types++;
    /* SLH-DSA takes so long that it is compared only if asked for. */
    int is_slow = strncmp(subject, "SLH-DSA", 7) == 0;
    if (only == NULL && is_slow)
        return;
    int signs = strstr(subject, "-DSA") != NULL;
    size_t seed_len = seed_of(subject), times = is_slow ? 1 : (rounds + 2) / 3;
    if (seed_len)
        check_keys(subject, seed_len, times);
    if (signs)
        check_signature(subject, seed_len, times);
    else if (seed_len)
        check_kem(subject, seed_len, times);
    else
        check_hybrid(subject, times);
    check_leaks(subject, signs);
}

/* Arguments from standard input; returns their number. */
static int arguments(char **words, int room)
{
    static char line[256];
    int count = 1;
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    for (char *word = strtok(line, " \n"); word && count < room; word = strtok(NULL, " \n"))
        words[count++] = word;
    return count;
}

int main(int argc, char **argv)
{
    static const char *const tls[] = { "SHA1", "SHA256", "SHA384" };
    char *words[5];
    if (!count_allocations())
        return 2;
    if (argc < 2) {
        argc = arguments(words, 5);
        argv = words;
    }
    if (argc < 4)
        return 2;
    seed = strtoull(argv[2], NULL, 0);
    rounds = strtoul(argv[3], NULL, 0);
    only = argc > 4 ? argv[4] : NULL;
    stock = OSSL_LIB_CTX_new();
    ours = OSSL_LIB_CTX_new();
    doing = "loading";
    must(OSSL_PROVIDER_set_default_search_path(ours, argv[1]), "search path");
    OSSL_PROVIDER *providers[] = { OSSL_PROVIDER_load(stock, "default"), OSSL_PROVIDER_load(ours, "default"),
                                   OSSL_PROVIDER_load(ours, "capvec") };
    must(providers[0] && providers[1] && providers[2], "providers");
    EVP_CIPHER_do_all_provided(ours, one_cipher, NULL);
    EVP_MD_do_all_provided(ours, one_digest, NULL);
    EVP_MAC_do_all_provided(ours, one_mac, NULL);
    EVP_KEYMGMT_do_all_provided(ours, one_key_type, NULL);
    for (size_t i = 0; i < 3 && only == NULL; i++)
        check_tls_hmac(tls[i], rounds);
    for (size_t i = 0; i < 3; i++)
        OSSL_PROVIDER_unload(providers[i]);
    OSSL_LIB_CTX_free(ours);
    OSSL_LIB_CTX_free(stock);
    printf("provider checked: %zu ciphers, %zu digests, %zu MACs, %zu key types, %zu rounds, seed %llu\n", ciphers,
           digests, macs, key_types, rounds, (unsigned long long)seed);
    return 0;
}

/* Every algorithm with its secrets marked, for `capvec ct --bare`, which must find nothing: hashes and MACs here, ciphers in
 * secrets_ciphers.c, post-quantum schemes in ../guest/secrets_schemes.c. Nothing here looks at a result that is not public. */
#include "secrets_bare.h"
#include "../../examples/bare/console.h"
#include "../guest/secrets_schemes.h"

/* Without LONG, short messages, and the first sets of parameters. */
#ifdef LONG
enum { TEXT = 1024 + 13, SCHEMES = 100 };
#else
enum { TEXT = 64 + 13, SCHEMES = 1 };
#endif

void require(int holds, const char *what)
{
    if (holds)
        return;
    print("failed: ");
    print(what);
    print("\n");
    /* Ends the program like a trap. */
    __builtin_trap();
}

static uint8_t key[64], text[TEXT], digest[64];

static void check_hashes(void)
{
    /* The others have the same code. */
    static const cv_hash_kind *const kinds[] = { &cv_sha1, &cv_sha256, &cv_sha512, &cv_sha3_256, &cv_sm3 };
    static cv_hmac hmac;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        cv_hash_message(kinds[k], digest, text, TEXT);
        require(cv_hmac_init(&hmac, kinds[k], key, sizeof key) == CV_OK, "HMAC");
        cv_hmac_update(&hmac, text, TEXT);
        cv_hmac_final(&hmac, digest);
    }
    static cv_hash hash;
    cv_kmac_init(&hash, &cv_shake128, key, 32, NULL, 0);
    cv_hash_update(&hash, text, TEXT);
    cv_kmac_final(&hash, digest, 32);
    uint8_t *const outputs[] = { digest, digest + 16, digest + 32 };
    const uint8_t *const messages[] = { text, text + 10, text + 20 };
    cv_hash_many(&cv_shake256, outputs, 16, messages, TEXT - 20, 3);
}

int main(void)
{
    if (cv_init(0) != CV_OK)
        return 2;
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)(7 * i + 1);
    CV_SECRET(key, sizeof key);
    CV_SECRET(text, sizeof text);
    check_hashes();
    check_ciphers(key, text, TEXT);
    for (size_t n = 0; scheme_name(n) && n < SCHEMES; n++)
        require(check_scheme(n), scheme_name(n));
    return 0;
}

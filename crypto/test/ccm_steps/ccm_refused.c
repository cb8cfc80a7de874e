/* What CCM of Mbed TLS with libcapvec must refuse: steps out of order, and wrong lengths. */
#include "ccm_refused.h"
#include "mbedtls/ccm.h"
#include "mbedtls/error.h"
#include <string.h>

enum { AD = 5, TEXT = 20, TAG = 8 };

static const uint8_t key[16] = "the key is this", nonce[13] = "nonce of 12+1", ad[2 * AD] = "12345678",
                     text[2 * TEXT] = "text of all that is said";

/* Messages step by step; a step after `!` must be refused. Nonce: s, t for CCM*. Lengths: l, z without associated data,
 * u without it and without a tag. Associated data: a, b the 5 bytes of l; c 6 bytes. Text: x, y the 20 bytes; w 21 bytes; o 8
 * bytes into too little room. End: f; g with a longer tag, e without one. n and 0 are empty associated data and text.
 * After f, ciphertext and tag are compared with those of the whole message. */
static const char *const orders[] = {
    "!a!x!f!e",
    "s!a!x!f",
    "l!a!x!f",
    "z!x!f",
    /* Associated data that is missing, too long, or late. */
    "sl!x!f",
    "sla!x!f",
    "sl!c",
    "slab!a",
    "sz!a",
    "slabx!a",
    /* Text that is missing, too long, or in too little room. */
    "sz!f",
    "szx!f",
    "sz!w",
    "szx!w",
    "szxy!x",
    "sz!o",
    "slab!o",
    /* The end, and steps after it. */
    "szxy!g",
    "szxyf!f",
    "szxyf!x",
    "slabxyf!a",
    "szxyf!e",
    "szxyfl!x",
    "szxyfs!x",
    /* CCM has a tag; CCM* may have none. */
    "s!u!x!f",
    "u!s!x!f",
    "tu!f",
    "tuwe",
    "utxye",
    "tuxe!x",
    "tzxyf",
    "s!uszxyf",
    /* A refused step has no effect. */
    "!a!x!fs!al!x!f!ca!c!x!fb!a!f!ox!a!w!f!gy!x!a!gf!f",
    /* The other order, empty steps, and one message after another. */
    "lsabxyf",
    "nslnabn0x0y00nf",
    "zsxyfslabxyflsabxyf",
    "slabxyftuxyeszxyf",
    /* A message is abandoned, and the next one is set up completely. */
    "slas!x!blabxyf",
    "slabxs!y!flabxyf",
    "slabxl!y!fsabxyf",
    "szxs!yzxyf",
    "lsalszxyf",
    "tuxszxyf",
};

static struct walk {
    mbedtls_ccm_context ctx;
    size_t ad_len, ad_at, text_at;
    uint8_t out[2 * TEXT + 1], tag[16];
} w;

static int lengths(size_t ad_len, size_t tag_len)
{
    w.ad_len = ad_len;
    w.ad_at = w.text_at = 0;
    return mbedtls_ccm_set_lengths(&w.ctx, ad_len, TEXT, tag_len);
}

static int starts(int mode)
{
    w.ad_at = w.text_at = 0;
    return mbedtls_ccm_starts(&w.ctx, mode, nonce, 12);
}

static int add(size_t len)
{
    int error = mbedtls_ccm_update_ad(&w.ctx, ad + w.ad_at, len);
    w.ad_at += error ? 0 : len;
    return error;
}

/* A refused step writes nothing. */
static int encrypt(size_t len, size_t room)
{
    uint8_t before[sizeof w.out];
    size_t written = 0;
    memcpy(before, w.out, sizeof before);
    int error = mbedtls_ccm_update(&w.ctx, text + w.text_at, len, w.out + w.text_at, room, &written);
    if (error ? written || memcmp(before, w.out, sizeof before) : written != len)
        return -1;
    w.text_at += written;
    return error;
}

static int finish(void)
{
    uint8_t sealed[TEXT], tag[TAG];
    cv_block_key own;
    int error = mbedtls_ccm_finish(&w.ctx, w.tag, TAG);
    if (error)
        return error;
    if (cv_aes_init(&own, key, sizeof key) != CV_OK
        || cv_ccm_seal(&own, sealed, text, TEXT, ad, w.ad_len, nonce, 12, tag, TAG) != CV_OK)
        return -1;
    return memcmp(sealed, w.out, TEXT) || memcmp(tag, w.tag, TAG) ? -1 : 0;
}

static int step(char what)
{
    switch (what) {
    case 's':
        return starts(MBEDTLS_CCM_ENCRYPT);
    case 't':
        return starts(MBEDTLS_CCM_STAR_ENCRYPT);
    case 'l':
        return lengths(AD, TAG);
    case 'z':
        return lengths(0, TAG);
    case 'u':
        return lengths(0, 0);
    case 'a':
        return add(2);
    case 'b':
        return add(3);
    case 'n':
        return add(0);
    case '0':
        return encrypt(0, 0);
    case 'c':
        return add(AD + 1);
    case 'x':
        return encrypt(8, 8);
    case 'y':
        return encrypt(12, 13);
    case 'w':
        return encrypt(TEXT + 1, TEXT + 1);
    case 'o':
        return encrypt(8, 7);
    case 'f':
        return finish();
    case 'g':
        return mbedtls_ccm_finish(&w.ctx, w.tag, TAG + 2);
    case 'e':
        return mbedtls_ccm_finish(&w.ctx, NULL, 0);
    default:
        return -1;
    }
}

static int walks(const char *order)
{
    mbedtls_ccm_init(&w.ctx);
    if (mbedtls_ccm_setkey(&w.ctx, MBEDTLS_CIPHER_ID_AES, key, 128))
        return 0;
    for (; *order; order++) {
        int wanted = *order == '!' ? MBEDTLS_ERR_CCM_BAD_INPUT : 0;
        order += wanted != 0;
        if (step(*order) != wanted)
            return 0;
    }
    mbedtls_ccm_free(&w.ctx);
    return 1;
}

static int is_bad(int error)
{
    return error == MBEDTLS_ERR_CCM_BAD_INPUT;
}

static int nonces_and_lengths(void)
{
    static const size_t tags[] = { 1, 2, 3, 5, 15, 17, 18, SIZE_MAX };
    static mbedtls_ccm_context ctx;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (!is_bad(mbedtls_ccm_set_lengths(&ctx, 0, 0, tags[i])))
            return 0;
    if (!is_bad(mbedtls_ccm_starts(&ctx, MBEDTLS_CCM_ENCRYPT, nonce, 6))
        || !is_bad(mbedtls_ccm_starts(&ctx, MBEDTLS_CCM_ENCRYPT, nonce, 14)))
        return 0;
    return is_bad(mbedtls_ccm_set_lengths(&ctx, 0xff00, 0, 16)) && mbedtls_ccm_set_lengths(&ctx, 0xfeff, 0, 16) == 0;
}

/* A nonce of 13 bytes leaves two bytes for the text's length; after the error there is no message. */
static int long_text(void)
{
    uint8_t out[1];
    size_t written;
    w.ctx.state = 0;
    return mbedtls_ccm_starts(&w.ctx, MBEDTLS_CCM_ENCRYPT, nonce, 13) == 0
        && is_bad(mbedtls_ccm_set_lengths(&w.ctx, 0, 0x10000, 16))
        && is_bad(mbedtls_ccm_update(&w.ctx, text, 1, out, 1, &written))
        && mbedtls_ccm_set_lengths(&w.ctx, 0, 0xffff, 16) == 0
        && mbedtls_ccm_starts(&w.ctx, MBEDTLS_CCM_ENCRYPT, nonce, 13) == 0
        && mbedtls_ccm_update(&w.ctx, text, 1, out, 1, &written) == 0;
}

static int keys(void)
{
    return is_bad(mbedtls_ccm_setkey(&w.ctx, MBEDTLS_CIPHER_ID_AES, key, 0))
        && is_bad(mbedtls_ccm_setkey(&w.ctx, MBEDTLS_CIPHER_ID_AES, key, 120))
        && mbedtls_ccm_setkey(&w.ctx, MBEDTLS_CIPHER_ID_CAMELLIA, key, 128) == MBEDTLS_ERR_PLATFORM_FEATURE_UNSUPPORTED
        && mbedtls_ccm_setkey(&w.ctx, MBEDTLS_CIPHER_ID_AES, key, 128) == 0;
}

const char *ccm_refused(void)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (!walks(orders[i]))
            return orders[i];
    return !nonces_and_lengths() ? "lengths of nonces, tags or associated data"
        : !keys()                ? "keys"
        : !long_text()           ? "text that is too long"
                                 : NULL;
}

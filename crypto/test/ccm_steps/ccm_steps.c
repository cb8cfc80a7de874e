/* CCM of Mbed TLS with libcapvec in steps (../../mbedtls/ccm_alt.c) compared with libcapvec's own, which processes
 * whole messages: random messages, splits, orders of settings, addresses of contexts and wrong tags; then what must be
 * refused, also by GCM.
 *
 *   ccm_steps [SEED [ROUNDS]]    -> ccm checked: MESSAGES messages, seed SEED
 *
 * Failures are printed with the seed, and the exit status is 1. */
#include "ccm_refused.h"
#include "gcm_refused.h"
#include "mbedtls/ccm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest associated data that Mbed TLS accepts, and longest text here: with a nonce of 13 bytes it cannot be longer. */
enum { AD = 0xfeff, TEXT = 0xffff, CANARY = 32, GUARD = 0xa5 };

static uint64_t seed = 1, state;
static const char *doing = "";

static struct message {
    uint8_t key[32], nonce[13], tag[16];
    size_t key_len, nonce_len, tag_len, ad_len, len;
    cv_block_key own;
} m;
static uint8_t ad[AD], text[TEXT], sealed[TEXT], out[TEXT + CANARY];

static void must(int holds, const char *what)
{
    if (holds)
        return;
    printf("wrong: %s: %s (key %zu, nonce %zu, associated data %zu, text %zu, tag %zu, seed %llu)\n", doing, what,
           m.key_len, m.nonce_len, m.ad_len, m.len, m.tag_len, (unsigned long long)seed);
    exit(1);
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next(void)
{
    uint64_t z = seed + (state += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static size_t below(size_t bound)
{
    return (size_t)(next() % bound);
}

static void random_bytes(uint8_t *to, size_t len)
{
    for (size_t i = 0; i < len; i++)
        to[i] = (uint8_t)next();
}

/* Mostly a few blocks; one in sixteen is up to `most`, and some are exactly that. */
static size_t random_length(size_t most)
{
    switch (below(16)) {
    case 0:
        return 0;
    case 1:
        return below(8) ? below(most) : most;
    case 2:
    case 3:
        return 16 * below(40);
    default:
        return below(below(2) ? 40 : 600);
    }
}

/* A part of the rest, often nothing and often up to the end of a block. */
static size_t part(size_t left)
{
    if (left == 0 || below(6) == 0)
        return 0;
    return below(3) ? 1 + below(left) : left < 16 ? left : 16 * (1 + below(left / 16));
}

static void random_message(void)
{
    m.key_len = 16 + 8 * below(3);
    m.nonce_len = 7 + below(7);
    m.tag_len = 4 + 2 * below(7);
    m.ad_len = random_length(AD);
    m.len = random_length(TEXT);
    random_bytes(m.key, m.key_len);
    random_bytes(m.nonce, m.nonce_len);
    random_bytes(ad, m.ad_len);
    random_bytes(text, m.len);
    doing = "oracle";
    must(cv_aes_init(&m.own, m.key, m.key_len) == CV_OK, "key");
    must(cv_ccm_seal(&m.own, sealed, text, m.len, ad, m.ad_len, m.nonce, m.nonce_len, m.tag, m.tag_len) == CV_OK,
         "seal");
}

static void with_key(mbedtls_ccm_context *ctx)
{
    mbedtls_ccm_init(ctx);
    must(mbedtls_ccm_setkey(ctx, MBEDTLS_CIPHER_ID_AES, m.key, (unsigned)m.key_len * 8) == 0, "setkey");
}

/* A context may be at another address in the next call. */
static mbedtls_ccm_context *move(mbedtls_ccm_context *ctx)
{
    static mbedtls_ccm_context places[2];
    mbedtls_ccm_context *to = &places[ctx == places];
    if (below(2))
        return ctx;
    *to = *ctx;
    memset(ctx, GUARD, sizeof *ctx);
    return to;
}

static void start(mbedtls_ccm_context *ctx, int mode, size_t tag_len)
{
    int lengths_first = (int)below(2);
    for (int i = 0; i < 2; i++) {
        if (i == lengths_first)
            must(mbedtls_ccm_starts(ctx, mode, m.nonce, m.nonce_len) == 0, "starts");
        else
            must(mbedtls_ccm_set_lengths(ctx, m.ad_len, m.len, tag_len) == 0, "set_lengths");
    }
}

/* Processes the message in random steps from `in` to `out`, which may be the same address; stores the tag in `tag`. Checks that
 * mbedtls_ccm_free zeroes the context. */
static void in_steps(int mode, const uint8_t *in, size_t tag_len, uint8_t tag[16])
{
    static mbedtls_ccm_context first;
    mbedtls_ccm_context *ctx = &first;
    size_t written, n;
    with_key(ctx);
    start(ctx, mode, tag_len);
    for (size_t at = 0; at < m.ad_len; at += n) {
        n = part(m.ad_len - at);
        ctx = move(ctx);
        must(mbedtls_ccm_update_ad(ctx, ad + at, n) == 0, "update_ad");
    }
    memset(out + m.len, GUARD, CANARY);
    for (size_t at = 0; at < m.len; at += n) {
        n = part(m.len - at);
        ctx = move(ctx);
        must(mbedtls_ccm_update(ctx, in + at, n, out + at, n + below(2), &written) == 0 && written == n, "update");
    }
    for (int i = 0; i < CANARY; i++)
        must(out[m.len + i] == GUARD, "wrote beyond the text");
    ctx = move(ctx);
    must(mbedtls_ccm_finish(ctx, tag, tag_len) == 0, "finish");
    mbedtls_ccm_free(ctx);
    for (size_t i = 0; i < sizeof *ctx; i++)
        must(((uint8_t *)ctx)[i] == 0, "mbedtls_ccm_free left data in the context");
}

/* At random, `in` itself, or a copy of it in `out`, to be processed in place. */
static const uint8_t *place(const uint8_t *in)
{
    if (below(2))
        return in;
    memcpy(out, in, m.len);
    return out;
}

static void right_messages(void)
{
    uint8_t tag[16];
    int star = (int)below(2);
    doing = "encryption";
    in_steps(star ? MBEDTLS_CCM_STAR_ENCRYPT : MBEDTLS_CCM_ENCRYPT, place(text), m.tag_len, tag);
    must(memcmp(out, sealed, m.len) == 0, "ciphertext");
    must(memcmp(tag, m.tag, m.tag_len) == 0, "tag");
    doing = "decryption";
    in_steps(star ? MBEDTLS_CCM_STAR_DECRYPT : MBEDTLS_CCM_DECRYPT, place(sealed), m.tag_len, tag);
    must(memcmp(out, text, m.len) == 0, "plaintext");
    must(memcmp(tag, m.tag, m.tag_len) == 0, "tag");
    doing = "CCM* without a tag";
    in_steps(MBEDTLS_CCM_STAR_ENCRYPT, place(text), 0, NULL);
    must(memcmp(out, sealed, m.len) == 0, "ciphertext");
    in_steps(MBEDTLS_CCM_STAR_DECRYPT, place(sealed), 0, NULL);
    must(memcmp(out, text, m.len) == 0, "plaintext");
}

static int open_at_once(const uint8_t *tag)
{
    static mbedtls_ccm_context ctx;
    with_key(&ctx);
    memset(out, GUARD, m.len);
    int result = mbedtls_ccm_auth_decrypt(&ctx, m.len, m.nonce, m.nonce_len, ad, m.ad_len, sealed, out, tag, m.tag_len);
    mbedtls_ccm_free(&ctx);
    return result;
}

/* One bit is flipped: libcapvec must refuse the message, and so must Mbed TLS as a whole, zeroing the text; in steps,
 * the tag differs. */
static void wrong_message(void)
{
    uint8_t tag[16];
    struct {
        uint8_t *bytes;
        size_t len;
    } parts[] = {
        { m.tag, m.tag_len },
        { m.nonce, m.nonce_len },
        { sealed, m.len },
        { ad, m.ad_len },
    };
    size_t which = below(4);
    doing = "wrong message";
    must(open_at_once(m.tag) == 0 && memcmp(out, text, m.len) == 0, "a valid message is refused");
    if (parts[which].len == 0)
        which = 0;
    uint8_t *byte = parts[which].bytes + below(parts[which].len), bit = (uint8_t)(1 << below(8));
    *byte ^= bit;
    must(open_at_once(m.tag) == MBEDTLS_ERR_CCM_AUTH_FAILED, "accepted");
    for (size_t i = 0; i < m.len; i++)
        must(out[i] == 0, "its text is not zeroed");
    must(cv_ccm_open(&m.own, out, sealed, m.len, ad, m.ad_len, m.nonce, m.nonce_len, m.tag, m.tag_len) == CV_ERR_TAG,
         "open");
    in_steps(MBEDTLS_CCM_DECRYPT, sealed, m.tag_len, tag);
    must(memcmp(tag, m.tag, m.tag_len) != 0, "the tag of another message");
    *byte ^= bit;
}

int main(int argc, char **argv)
{
    size_t rounds = 400;
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        rounds = strtoul(argv[2], NULL, 0);
    for (size_t i = 0; i < rounds; i++) {
        random_message();
        right_messages();
        wrong_message();
    }
    const char *accepted = ccm_refused();
    if (accepted == NULL)
        accepted = gcm_refused();
    if (accepted) {
        printf("wrong: %s\n", accepted);
        return 1;
    }
    printf("ccm checked: %zu messages, seed %llu\n", rounds, (unsigned long long)seed);
    return 0;
}

/* Cycles and instructions of the library's kernels on single blocks and on 16 KiB, as CSV. A wrong answer prints no line and
 * makes the exit code 1. */
#include "console.h"
#include "measure.h"
#include "rounds.h"
#include <capvec.h>
#include <stddef.h>

enum { BYTES = 16384, SHORT = 1024, BLOCK = 16 };

static uint8_t buffer[BYTES] __attribute__((aligned(64)));
static cv_block_key aes128, aes256, sm4;
static cv_block_key tweak;
static cv_gcm gcm;

/* FIPS 197, appendix C; GB/T 32907-2016, A.1. */
static const uint8_t plain[BLOCK] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                      0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff };
static const uint8_t example[BLOCK] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                        0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10 };
static const uint8_t aes128_answer[BLOCK] = { 0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                              0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a };
static const uint8_t aes256_answer[BLOCK] = { 0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf,
                                              0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89 };
static const uint8_t sm4_answer[BLOCK] = { 0x68, 0x1e, 0xdf, 0x34, 0xd2, 0x06, 0x96, 0x5e,
                                           0x86, 0xb3, 0xe9, 0x4f, 0x53, 0x6e, 0x42, 0x46 };

/* A cipher with an example. */
struct cipher {
    const cv_block_key *key;
    const uint8_t *message, *answer;
    size_t blocks;
};

static const struct cipher one_aes128 = { &aes128, plain, aes128_answer, 1 };
static const struct cipher one_aes256 = { &aes256, plain, aes256_answer, 1 };
static const struct cipher one_sm4 = { &sm4, example, sm4_answer, 1 };
static const struct cipher bulk_aes128 = { &aes128, plain, aes128_answer, BYTES / BLOCK };
static const struct cipher bulk_sm4 = { &sm4, example, sm4_answer, BYTES / BLOCK };

static uint8_t last(size_t len)
{
    return *(volatile uint8_t *)&buffer[len - 1];
}

static uint8_t encrypt(const void *context)
{
    const struct cipher *c = context;
    cv_ecb_encrypt(c->key, buffer, buffer, c->blocks);
    return last(c->blocks * BLOCK);
}

static uint8_t decrypt(const void *context)
{
    const struct cipher *c = context;
    cv_ecb_decrypt(c->key, buffer, buffer, c->blocks);
    return last(c->blocks * BLOCK);
}

static int is(const uint8_t *want)
{
    for (size_t i = 0; i < BLOCK; i++)
        if (buffer[i] != want[i])
            return 0;
    return 1;
}

static void put(const uint8_t *block)
{
    for (size_t i = 0; i < BLOCK; i++)
        buffer[i] = block[i];
}

/* Encrypts and decrypts the example, then measures both. */
static int check_and_measure(const char *encryption, const char *decryption, const struct cipher *c)
{
    put(c->message);
    (void)encrypt(c);
    if (!is(c->answer))
        return 1;
    (void)decrypt(c);
    if (!is(c->message))
        return 1;
    measure(encryption, (uint32_t)c->blocks, encrypt, c);
    if (decryption)
        measure(decryption, (uint32_t)c->blocks, decrypt, c);
    return 0;
}

/* A hash of `len` bytes. */
struct message {
    const cv_hash_kind *kind;
    size_t len;
    uint8_t known[8];
};

/* FIPS 180-4, examples; GB/T 32905-2016, A.1. */
static const struct message sha256 = { &cv_sha256, 0, { 0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea } };
static const struct message sha512 = { &cv_sha512, 0, { 0xdd, 0xaf, 0x35, 0xa1, 0x93, 0x61, 0x7a, 0xba } };
static const struct message sm3 = { &cv_sm3, 0, { 0x66, 0xc7, 0xf0, 0xf4, 0x62, 0xee, 0xed, 0xd9 } };

static uint8_t hash(const void *context)
{
    static uint8_t digest[64];
    const struct message *m = context;
    cv_hash_message(m->kind, digest, buffer, m->len);
    return *(volatile uint8_t *)digest;
}

static int check_and_hash(const char *shorter, const char *longer, const struct message *m)
{
    uint8_t digest[64];
    struct message to_measure = *m;
    uint32_t block = (uint32_t)cv_hash_block(m->kind);
    cv_hash_message(m->kind, digest, (const uint8_t *)"abc", 3);
    for (size_t i = 0; i < sizeof m->known; i++)
        if (digest[i] != m->known[i])
            return 1;
    to_measure.len = SHORT;
    measure(shorter, SHORT / block, hash, &to_measure);
    to_measure.len = BYTES;
    measure(longer, BYTES / block, hash, &to_measure);
    return 0;
}

static uint8_t ctr(const void *context)
{
    static cv_stream stream;
    static const uint8_t iv[BLOCK];
    cv_stream_init(&stream, context, iv);
    cv_ctr(&stream, buffer, buffer, BYTES);
    return last(BYTES);
}

static uint8_t xts(const void *context)
{
    static const uint8_t iv[BLOCK];
    (void)cv_xts_encrypt(context, &tweak, buffer, buffer, BYTES, iv);
    return last(BYTES);
}

static uint8_t seal(const void *context)
{
    (void)context;
    static uint8_t tag[BLOCK];
    (void)cv_gcm_seal(&gcm, buffer, buffer, BYTES, plain, 0, plain, 12, tag, BLOCK);
    return *(volatile uint8_t *)tag;
}

/* GHASH alone: additional data, no message. */
static uint8_t authenticate(const void *context)
{
    (void)context;
    static uint8_t tag[BLOCK];
    (void)cv_gcm_seal(&gcm, buffer, buffer, 0, buffer, BYTES, plain, 12, tag, BLOCK);
    return *(volatile uint8_t *)tag;
}

/* The round keys of aes128. */
static uint8_t round_keys[11][BLOCK];

static void expand(const uint8_t *key)
{
    uint8_t *bytes = &round_keys[0][0];
    for (size_t i = 0; i < BLOCK; i++)
        bytes[i] = key[i];
    aes128_expand(bytes);
}

static uint8_t marian(const void *context)
{
    aes128_block(context, buffer, buffer);
    return last(BLOCK);
}

static uint8_t rounds(const void *context)
{
    aes128_resident(context, buffer);
    return last(4 * BLOCK);
}

static uint8_t ghash(const void *context)
{
    (void)context;
    ghash_resident(buffer);
    return last(4 * BLOCK);
}

static int instructions_alone(void)
{
    put(plain);
    (void)marian(round_keys);
    if (!is(aes128_answer))
        return 1;
    measure("aes-128 block by Marian's method", 1, marian, round_keys);
    measure("aes-128 rounds, vl 16", 256, rounds, round_keys);
    measure("vghsh, vl 16", 256, ghash, 0);
    return 0;
}

static int set_keys(void)
{
    uint8_t bytes[32];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    if (cv_aes_init(&aes128, bytes, 16) != CV_OK || cv_aes_init(&aes256, bytes, 32) != CV_OK
        || cv_aes_init(&tweak, bytes + 16, 16) != CV_OK)
        return 0;
    cv_sm4_init(&sm4, example);
    cv_gcm_init(&gcm, &aes128);
    expand(bytes);
    return 1;
}

int main(void)
{
    int wrong = 0;
    if (cv_init(0) != CV_OK || !set_keys())
        return 2;
    print("case,blocks,cold_cycles,cold_instructions,warm_cycles,warm_instructions\n");
    wrong |= check_and_measure("AES128 encrypt", "AES128 decrypt", &one_aes128);
    wrong |= check_and_measure("AES256 encrypt", "AES256 decrypt", &one_aes256);
    wrong |= check_and_measure("SM4 encrypt", "SM4 decrypt", &one_sm4);
    wrong |= check_and_measure("AES-128-ECB", 0, &bulk_aes128);
    wrong |= check_and_measure("SM4-ECB", 0, &bulk_sm4);
    wrong |= check_and_hash("SHA256 hash", "SHA-256", &sha256);
    wrong |= check_and_hash("SHA512 hash", "SHA-512", &sha512);
    wrong |= check_and_hash("SM3 hash", "SM3", &sm3);
    measure("AES-128-CTR", BYTES / BLOCK, ctr, &aes128);
    measure("AES-128-XTS", BYTES / BLOCK, xts, &aes128);
    measure("AES-128-GCM", BYTES / BLOCK, seal, 0);
    measure("GHASH", BYTES / BLOCK, authenticate, 0);
    wrong |= instructions_alone();
    return wrong;
}

/* Cycles per byte of hashes and of CBC, as in published/nuclei_cpb.csv, and of counter mode and GCM, each after a known
 * answer. */
#include "console.h"
#include <capvec.h>
#include <stddef.h>

enum { BYTES = 4096, HASH = 0, AES = 1, SM4 = 2, CBC = 0, CTR = 1, GCM = 2 };

/* The messages of the standards' examples, and a key that is also used as a message. */
static const uint8_t abc[3] = { 'a', 'b', 'c' };
static const uint8_t fips197[16] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                     0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff };
static const uint8_t gbt32907[16] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                      0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10 };

struct row {
    const char *name;
    int cipher, mode;
    const cv_hash_kind *hash;
    size_t key;
    const uint8_t *message;
    size_t len;
    /* The first bytes of the hash or tag, or of the encryption with a zero IV. */
    uint8_t known[8];
};

static const struct row rows[] = {
    /* FIPS 180-4, examples; GB/T 32905-2016, A.1. */
    { "SHA-256", HASH, 0, &cv_sha256, 0, abc, 3, { 0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea } },
    { "SHA-512", HASH, 0, &cv_sha512, 0, abc, 3, { 0xdd, 0xaf, 0x35, 0xa1, 0x93, 0x61, 0x7a, 0xba } },
    { "SM3", HASH, 0, &cv_sm3, 0, abc, 3, { 0x66, 0xc7, 0xf0, 0xf4, 0x62, 0xee, 0xed, 0xd9 } },
    /* FIPS 197, appendix C; GB/T 32907-2016, A.1. */
    { "AES-128-CBC", AES, CBC, 0, 16, fips197, 16, { 0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30 } },
    { "AES-256-CBC", AES, CBC, 0, 32, fips197, 16, { 0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf } },
    { "SM4-CBC", SM4, CBC, 0, 16, gbt32907, 16, { 0x68, 0x1e, 0xdf, 0x34, 0xd2, 0x06, 0x96, 0x5e } },
    /* The same message. Computed with OpenSSL; the tag by its definition, with OpenSSL's AES. */
    { "AES-128-CTR", AES, CTR, 0, 16, fips197, 16, { 0xc6, 0xb0, 0x19, 0x04, 0xc3, 0xda, 0x3d, 0xf5 } },
    { "AES-128-GCM", AES, GCM, 0, 16, fips197, 16, { 0x00, 0x9a, 0x3d, 0xdd, 0xe6, 0xa6, 0xde, 0x55 } },
};

static uint8_t buffer[BYTES] __attribute__((aligned(64)));
static cv_block_key key;
static cv_stream stream;

#define READ(csr) \
    ({ \
        unsigned long value; \
        __asm__ volatile("csrr %0, " csr : "=r"(value)::"memory"); \
        (uint32_t)value; \
    })

static void set_key(const struct row *r)
{
    uint8_t bytes[32];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    if (r->cipher == AES)
        (void)cv_aes_init(&key, bytes, r->key);
    else if (r->cipher == SM4)
        cv_sm4_init(&key, gbt32907);
}

/* GCM, and its tag. */
static const uint8_t *seal(size_t len, uint8_t *tag)
{
    static cv_gcm gcm;
    static const uint8_t nonce[12];
    cv_gcm_init(&gcm, &key);
    (void)cv_gcm_seal(&gcm, buffer, buffer, len, nonce, 0, nonce, sizeof nonce, tag, CV_BLOCK);
    return tag;
}

/* Hashes or encrypts the buffer's first bytes; returns the result, which is in `out`, of 64 bytes, or in the buffer. */
static const uint8_t *process(const struct row *r, size_t len, uint8_t *out)
{
    uint8_t iv[CV_BLOCK] = { 0 };
    if (r->cipher == HASH) {
        cv_hash_message(r->hash, out, buffer, len);
        return out;
    }
    if (r->mode == GCM)
        return seal(len, out);
    if (r->mode == CTR) {
        cv_stream_init(&stream, &key, iv);
        cv_ctr(&stream, buffer, buffer, len);
    } else {
        cv_cbc_encrypt(&key, buffer, buffer, len / CV_BLOCK, iv);
    }
    return buffer;
}

static int is_right(const struct row *r)
{
    uint8_t digest[64];
    for (size_t i = 0; i < r->len; i++)
        buffer[i] = r->message[i];
    const uint8_t *got = process(r, r->len, digest);
    for (size_t i = 0; i < sizeof r->known; i++)
        if (got[i] != r->known[i])
            return 0;
    return 1;
}

int main(void)
{
    uint8_t digest[64];
    int wrong = 0;
    if (cv_init(0) != CV_OK)
        return 2;
    print("algorithm,cycles_per_byte,instructions_per_byte\n");
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct row *r = &rows[n];
        set_key(r);
        if (!is_right(r)) {
            wrong = 1;
            print(r->name);
            print(",wrong,wrong\n");
            continue;
        }
        /* Once before measuring, to warm the caches. */
        (void)process(r, BYTES, digest);
        uint32_t cycles = READ("mcycle"), retired = READ("minstret");
        (void)process(r, BYTES, digest);
        retired = READ("minstret") - retired;
        cycles = READ("mcycle") - cycles;
        print(r->name);
        print(",");
        print_number(cycles * 100 / BYTES, 2);
        print(",");
        print_number(retired * 100 / BYTES, 2);
        print("\n");
    }
    return wrong;
}

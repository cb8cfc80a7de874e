/* Checks that the kernels selected by CAPVEC_CAPS preserve what the psABI requires of callees: prints `abi`, then `
 * NAME:BITS` for each that does not, then ` checked:CALLS`. Before that, the test must detect every way to break a
 * rule. */
#include "internal.h"
#include <stdio.h>

unsigned long cv_abi_call(void *function, const unsigned long arguments[8]);
void cv_abi_break(unsigned long bit);

/* Rules, as bits of the result. */
#define RULES 17
#define MAX_BLOCKS 160

static uint8_t text[MAX_BLOCKS * CV_BLOCK + 1] __attribute__((aligned(16)));
static uint8_t block[4][CV_BLOCK] __attribute__((aligned(16)));
static cv_ocb ocb;
static cv_block_key key;
static cv_ghash_key hash;
static unsigned long checked;

static void check(const char *cipher, const char *name, void *function, void *first, void *second, void *third,
                  void *fifth)
{
    static const unsigned long lengths[] = { 1, 2, 3, 8, 9, MAX_BLOCKS };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const unsigned long arguments[8] = {
            (unsigned long)first, (unsigned long)second, (unsigned long)third,    lengths[i], (unsigned long)fifth,
            0xfffffff0,           (unsigned long)&hash,  (unsigned long)block[1],
        };
        unsigned long broken = cv_abi_call(function, arguments);
        checked++;
        if (broken)
            printf(" %s-%s:%lx", cipher, name, broken);
    }
}

static void check_cipher(const char *name, const struct cv_block_ops *ops)
{
    key.ops = ops;
    cv_ocb_init(&ocb, &key);
#define CHECK(field, fifth) check(name, #field, (void *)ops->field, &key, text, text, fifth)
    CHECK(ecb_encrypt, block[0]);
    CHECK(ecb_decrypt, block[0]);
    CHECK(cbc_encrypt, block[0]);
    CHECK(cbc_decrypt, block[0]);
    CHECK(cfb_encrypt, block[0]);
    CHECK(cfb_decrypt, block[0]);
    CHECK(ctr32, block[0]);
    CHECK(xts_encrypt, block[0]);
    CHECK(xts_decrypt, block[0]);
    CHECK(xts_gb_encrypt, block[0]);
    CHECK(xts_gb_decrypt, block[0]);
    CHECK(gcm_encrypt, block[0]);
    CHECK(gcm_decrypt, block[0]);
    CHECK(ocb_encrypt, &ocb);
    CHECK(ocb_decrypt, &ocb);
    check(name, "mac", (void *)ops->mac, &key, block[2], text, NULL);
}

/* A kernel whose third argument is the number of blocks. */
static void check_blocks(const char *name, void *function, unsigned long a0, unsigned long a1, unsigned long a3)
{
    static const unsigned long lengths[] = { 1, 2, 3, 8, 15 };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const unsigned long arguments[8] = { a0, a1, lengths[i], a3 };
        unsigned long broken = cv_abi_call(function, arguments);
        checked++;
        if (broken)
            printf(" %s:%lx", name, broken);
    }
}

static void check_chacha(const struct cv_chacha_ops *ops, unsigned long state, unsigned long data)
{
    static const uint64_t r[2] = { 1, 4 };
    check_blocks("chacha20", (void *)ops->chacha20, data, data, state);
    for (unsigned long blocks = 15; blocks < MAX_BLOCKS; blocks += 30) {
        const unsigned long arguments[8] = { state, (unsigned long)r, data, blocks };
        unsigned long broken = cv_abi_call((void *)ops->poly1305, arguments);
        checked++;
        if (broken)
            printf(" poly1305:%lx", broken);
    }
}

/* Hashes, aligned and unaligned, and the parts of ChaCha20-Poly1305. `text` holds fifteen blocks of a hash and forty of
 * ChaCha20. */
static void check_others(const struct cv_kernels *kernels)
{
    static uint64_t state[25];
    for (size_t shift = 0; shift < 2; shift++) {
        unsigned long to = (unsigned long)state, from = (unsigned long)(text + shift);
#define CHECK_HASH(field) check_blocks(#field, (void *)kernels->hash.field, to, from, 17)
        CHECK_HASH(sha1);
        CHECK_HASH(sha256);
        CHECK_HASH(sha512);
        CHECK_HASH(sm3);
        CHECK_HASH(keccak);
        CHECK_HASH(keccak_squeeze);
        for (unsigned long count = 1; count <= 5; count += 2) {
            static uint64_t states[25][5];
            const uint8_t *data[5] = { text, text + shift, text, text, text };
            const unsigned long arguments[8] = {
                (unsigned long)states, sizeof states[0], (unsigned long)data, 2, 17, count
            };
            unsigned long broken = cv_abi_call((void *)kernels->hash.keccak_many, arguments);
            checked++;
            if (broken)
                printf(" keccak_many:%lx", broken);
            uint8_t *const out[5] = { text, text, text, text, text };
            const unsigned long extract[8] = { (unsigned long)states, sizeof states[0], (unsigned long)out, 21, count };
            broken = cv_abi_call((void *)kernels->hash.keccak_extract, extract);
            checked++;
            if (broken)
                printf(" keccak_extract:%lx", broken);
        }
        check_chacha(&kernels->chacha, to, from);
        check_chacha(&kernels->chacha_short, to, from);
    }
}

struct call {
    void *function;
    unsigned long arguments[8];
};

/* A finding names the call by its number. */
static void check_calls(const char *name, const struct call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned long broken = cv_abi_call(calls[i].function, calls[i].arguments);
        checked++;
        if (broken)
            printf(" %s-%zu:%lx", name, i, broken);
    }
}

/* At most three polynomials each. */
static void check_mlkem(const struct cv_mlkem_ops *ops)
{
    static uint16_t f[3 * 256], g[3 * 256];
    const unsigned long to = (unsigned long)f, from = (unsigned long)g;
    const struct call calls[] = {
        { (void *)ops->same, { to, from, 1088 } },
        { (void *)ops->ntt, { to } },
        { (void *)ops->inverse, { to } },
        { (void *)ops->multiply, { to, to, 256, from, 3 } },
        { (void *)ops->add, { to, to, from } },
        { (void *)ops->subtract, { to, to, from } },
        { (void *)ops->add_reduced, { to, to, from } },
        { (void *)ops->reject, { to, 256, from, 504 } },
        { (void *)ops->cbd2, { to, from } },
        { (void *)ops->cbd3, { to, from } },
        { (void *)ops->pack, { to, from } },
        { (void *)ops->unpack, { to, from } },
        { (void *)ops->compress, { to, from, 10 } },
        { (void *)ops->compress, { to, from, 11 } },
        { (void *)ops->decompress, { to, from, 10 } },
    };
    _Static_assert(sizeof(struct cv_mlkem_ops) == 14 * sizeof(void *), "every kernel of ML-KEM is called");
    check_calls("mlkem", calls, sizeof calls / sizeof *calls);
}

/* The same, with every width and bound. */
static void check_mldsa(const struct cv_mldsa_ops *ops)
{
    static uint32_t f[3 * 256], g[3 * 256], h[256];
    static uint8_t bytes[840];
    const unsigned long to = (unsigned long)f, from = (unsigned long)g, third = (unsigned long)h;
    const unsigned long in = (unsigned long)bytes;
    const unsigned long q = 8380417, gamma2 = (q - 1) / 32;
    const struct call calls[] = {
        { (void *)ops->ntt, { to } },
        { (void *)ops->inverse, { to } },
        { (void *)ops->multiply, { third, to, from, 3 } },
        { (void *)ops->add, { third, to, from } },
        { (void *)ops->subtract, { third, to, from } },
        { (void *)ops->reject, { to, 256, in, sizeof bytes } },
        { (void *)ops->reject, { to, 5, in, 21 } },
        { (void *)ops->reject_small, { to, 256, in, 136, 2 } },
        { (void *)ops->reject_small, { to, 256, in, 136, 4 } },
        { (void *)ops->shift, { to } },
        { (void *)ops->round, { third, from, to } },
        { (void *)ops->decompose, { third, from, to, gamma2 } },
        { (void *)ops->decompose, { third, from, to, (q - 1) / 88 } },
        { (void *)ops->exceeds, { to, 1 << 17 } },
        { (void *)ops->make_hint, { third, to, from, gamma2 } },
        { (void *)ops->use_hint, { third, to, from, gamma2 } },
        { (void *)ops->use_hint, { third, to, from, (q - 1) / 88 } },
        { (void *)ops->pack, { in, to, 4 } },
        { (void *)ops->pack, { in, to, 6 } },
        { (void *)ops->pack, { in, to, 10 } },
        { (void *)ops->unpack, { to, in, 10 } },
        { (void *)ops->pack_below, { in, to, 3, 2 } },
        { (void *)ops->pack_below, { in, to, 4, 4 } },
        { (void *)ops->pack_below, { in, to, 13, 1 << 12 } },
        { (void *)ops->pack_below, { in, to, 18, 1 << 17 } },
        { (void *)ops->pack_below, { in, to, 20, 1 << 19 } },
        { (void *)ops->unpack_below, { to, in, 3, 2 } },
        { (void *)ops->unpack_below, { to, in, 4, 4 } },
        { (void *)ops->unpack_below, { to, in, 13, 1 << 12 } },
        { (void *)ops->unpack_below, { to, in, 18, 1 << 17 } },
        { (void *)ops->unpack_below, { to, in, 20, 1 << 19 } },
    };
    _Static_assert(sizeof(struct cv_mldsa_ops) == 17 * sizeof(void *), "every kernel of ML-DSA is called");
    check_calls("mldsa", calls, sizeof calls / sizeof *calls);
}

/* The test must detect deliberate violations. */
static int finds_all(void)
{
    for (unsigned long rule = 0; rule < RULES; rule++) {
        const unsigned long arguments[8] = { rule };
        if (cv_abi_call((void *)cv_abi_break, arguments) != 1ul << rule) {
            printf("abi blind to rule %lu\n", rule);
            return 0;
        }
    }
    return 1;
}

int main(void)
{
    static const uint8_t bytes[32] = { 1, 2, 3 };
    static const unsigned lengths[] = { 16, 24, 32 };
    if (cv_init_environment() != CV_OK || !finds_all())
        return 1;
    const struct cv_kernels *kernels = cv_kernels_in_use();
    fputs("abi", stdout);
    hash.ops = &kernels->ghash;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const unsigned long expand[8] = { (unsigned long)&key, (unsigned long)bytes, 8 * lengths[i] };
        if (cv_abi_call((void *)kernels->aes.expand, expand))
            printf(" aes-expand-%u", lengths[i]);
        cv_aes_init(&key, bytes, lengths[i]);
        check_cipher("aes", &kernels->aes);
    }
    const unsigned long expand[8] = { (unsigned long)&key, (unsigned long)bytes, 128 };
    if (cv_abi_call((void *)kernels->sm4.expand, expand))
        fputs(" sm4-expand", stdout);
    cv_sm4_init(&key, bytes);
    check_cipher("sm4", &kernels->sm4);
    check("ghash", "blocks", (void *)kernels->ghash.blocks, &hash, block[3], text, NULL);
    check_others(kernels);
    check_mlkem(&kernels->mlkem);
    check_mldsa(&kernels->mldsa);
    printf(" checked:%lu\n", checked);
    return 0;
}

/* All kernels in use, with the roles of their arguments. See guard.c. */
#include "guard.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The portable ones. */
static struct cv_kernels portable;
static const struct cv_kernels *used;

static cv_block_key key, portable_key;
static cv_ocb ocb;
static cv_ghash_key hash, portable_hash;

/* Prefix of names. */
static const char *family;

#define KEY { READ, sizeof key, &key, &portable_key }
#define CHECK(used_ops, portable_ops, field, most, ...) \
    do { \
        const struct argument arguments[] = { __VA_ARGS__ }; \
        struct kernel k = { family,           #field,   (void *)(used_ops).field, (void *)(portable_ops).field, most, \
                            COUNT(arguments), { { 0 } } }; \
        memcpy(k.arguments, arguments, sizeof arguments); \
        guard_check(&k); \
    } while (0)
#define MODE(field, ...) \
    CHECK(*ops, *model, field, 257, KEY, { OUT, CV_BLOCK }, { IN, CV_BLOCK }, { BLOCKS }, __VA_ARGS__)
#define IV { READ, CV_BLOCK }
#define TWEAK { CHANGED, CV_BLOCK }

static int same_ocb(const void *a, const void *b)
{
    size_t after_key = offsetof(cv_ocb, star);
    return memcmp((const uint8_t *)a + after_key, (const uint8_t *)b + after_key, sizeof ocb - after_key) == 0;
}

static void check_ocb(const struct cv_block_ops *ops, const struct cv_block_ops *model)
{
    cv_ocb model_ocb = ocb;
    model_ocb.key = &portable_key;
    MODE(ocb_encrypt, { CHANGED, sizeof ocb, &ocb, &model_ocb, .same = same_ocb });
    MODE(ocb_decrypt, { CHANGED, sizeof ocb, &ocb, &model_ocb, .same = same_ocb });
}

static void check_modes(const struct cv_block_ops *ops, const struct cv_block_ops *model)
{
    static const unsigned long counters[] = { 0, 0xfffffff0 };
    cv_ocb_init(&ocb, &portable_key);
    cv_ocb_start(&ocb, (const uint8_t *)"nonce", 5, 16);
    ocb.key = &key;
    CHECK(*ops, *model, ecb_encrypt, 257, KEY, { OUT, CV_BLOCK }, { IN, CV_BLOCK }, { BLOCKS });
    CHECK(*ops, *model, ecb_decrypt, 257, KEY, { OUT, CV_BLOCK }, { IN, CV_BLOCK }, { BLOCKS });
    MODE(cbc_encrypt, IV);
    MODE(cbc_decrypt, IV);
    MODE(cfb_encrypt, IV);
    MODE(cfb_decrypt, IV);
    MODE(xts_encrypt, TWEAK);
    MODE(xts_decrypt, TWEAK);
    MODE(xts_gb_encrypt, TWEAK);
    MODE(xts_gb_decrypt, TWEAK);
    for (size_t i = 0; i < COUNT(counters); i++) {
        const struct argument counter = { VALUE, .value = counters[i] },
                              h = { READ, sizeof hash, &hash, &portable_hash };
        MODE(ctr32, IV, counter);
        MODE(gcm_encrypt, IV, counter, h, TWEAK);
        MODE(gcm_decrypt, IV, counter, h, TWEAK);
    }
    for (ocb.blocks = 0; ocb.blocks < 300; ocb.blocks += 1 + ocb.blocks * 3)
        check_ocb(ops, model);
    /* Up to the last possible block, where every entry of the table is used: the contents do not matter. */
    for (size_t i = 0; i < sizeof ocb.l; i++)
        ((uint8_t *)ocb.l)[i] = (uint8_t)(i * 151 >> 3);
    ocb.blocks = CV_OCB_BLOCKS - 1 - 257;
    check_ocb(ops, model);
    CHECK(*ops, *model, mac, 257, KEY, { CHANGED, CV_BLOCK }, { IN, CV_BLOCK }, { BLOCKS });
}

/* Key expansion: a kernel sets round keys and nothing else. */
static void check_expansion(const struct cv_block_ops *ops, const struct cv_block_ops *model, unsigned bits)
{
    CHECK(*ops, *model, expand, 1, { CHANGED, sizeof key, &key }, { READ, bits / 8 }, { VALUE, .value = bits });
}

static void check_ciphers(void)
{
    static const uint8_t bytes[32] = { 1, 2, 3 };
    hash.ops = &used->ghash, portable_hash.ops = &portable.ghash;
    memcpy(hash.h, "a key of GHASH..", CV_BLOCK);
    memcpy(portable_hash.h, hash.h, CV_BLOCK);
    for (size_t len = 16; len <= 32; len += 8) {
        cv_aes_init(&key, bytes, len);
        portable_key = key;
        portable_key.ops = &portable.aes;
        family = "aes-";
        check_expansion(&used->aes, &portable.aes, 8 * (unsigned)len);
        check_modes(&used->aes, &portable.aes);
    }
    cv_sm4_init(&key, bytes);
    portable_key = key;
    portable_key.ops = &portable.sm4;
    family = "sm4-";
    check_expansion(&used->sm4, &portable.sm4, 128);
    check_modes(&used->sm4, &portable.sm4);
    family = "ghash-";
    CHECK(used->ghash, portable.ghash, blocks, 257, { READ, sizeof hash, &hash, &portable_hash }, { CHANGED, CV_BLOCK },
          { IN, CV_BLOCK }, { BLOCKS });
}

#define HASH(field, state, block) \
    CHECK(used->hash, portable.hash, field, 65, { CHANGED, state }, { IN, block }, { BLOCKS })

/* Compares numbers below 2^131 modulo 2^130 - 5. */
static int same_poly1305(const void *a, const void *b)
{
    uint64_t h[2][3];
    memcpy(h[0], a, sizeof h[0]);
    memcpy(h[1], b, sizeof h[1]);
    for (int i = 0; i < 2; i++) {
        for (int round = 0; round < 3; round++) {
            uint64_t g0 = h[i][0] + 5, g1 = h[i][1] + (g0 < 5), g2 = h[i][2] + (g1 < h[i][1]);
            if (g2 >> 2)
                h[i][0] = g0, h[i][1] = g1, h[i][2] = g2 - 4;
        }
    }
    return memcmp(h[0], h[1], sizeof h[0]) == 0;
}

/* `count` states, with `more` words in between; their blocks are contiguous between the pages. */
static struct {
    size_t count, more, lanes;
} many;

static void many_of(const struct cv_hash_ops *ops, uint64_t *states, const uint8_t *data, size_t blocks)
{
    const uint8_t *each[40];
    for (size_t j = 0; j < many.count; j++)
        each[j] = data + j * 8 * many.lanes * blocks;
    ops->keccak_many(states, 8 * (many.count + many.more), each, blocks, many.lanes, many.count);
}

static void many_used(uint64_t *states, const uint8_t *data, size_t blocks)
{
    many_of(&used->hash, states, data, blocks);
}

static void many_portable(uint64_t *states, const uint8_t *data, size_t blocks)
{
    many_of(&portable.hash, states, data, blocks);
}

static void extract_of(const struct cv_hash_ops *ops, const uint64_t *states, uint8_t *out)
{
    uint8_t *each[40];
    for (size_t j = 0; j < many.count; j++)
        each[j] = out + j * 8 * many.lanes;
    ops->keccak_extract(states, 8 * (many.count + many.more), each, many.lanes, many.count);
}

static void extract_used(const uint64_t *states, uint8_t *out)
{
    extract_of(&used->hash, states, out);
}

static void extract_portable(const uint64_t *states, uint8_t *out)
{
    extract_of(&portable.hash, states, out);
}

static void check_extract(size_t size)
{
    for (many.lanes = 1; many.lanes <= 25; many.lanes++) {
        struct kernel k = { "",
                            "keccak_extract",
                            (void *)extract_used,
                            (void *)extract_portable,
                            1,
                            2,
                            { { READ, size }, { CHANGED, 8 * many.lanes * many.count } } };
        guard_check(&k);
    }
}

static void check_keccak(void)
{
    static const size_t lanes[] = { 0, 9, 13, 17, 18, 21 };
    for (size_t i = 0; i < COUNT(lanes); i++) {
        CHECK(used->hash, portable.hash, keccak, 9, { CHANGED, 200 }, { IN, 8 * lanes[i] }, { BLOCKS },
              { VALUE, .value = lanes[i] });
        CHECK(used->hash, portable.hash, keccak_squeeze, 9, { CHANGED, 200 }, { CHANGED, 9 * 8 * lanes[i] }, { BLOCKS },
              { VALUE, .value = lanes[i] });
        many.lanes = lanes[i];
        for (many.count = 1; many.count <= 40; many.count += many.count < 9 ? 1 : 10) {
            many.more = many.count % 3;
            size_t size = 8 * (25 * many.count + 24 * many.more);
            struct kernel k = { "",
                                "keccak_many",
                                (void *)many_used,
                                (void *)many_portable,
                                2,
                                3,
                                { { CHANGED, size }, { IN, 8 * many.lanes * many.count }, { BLOCKS } } };
            guard_check(&k);
            if (i == 0)
                check_extract(size);
            many.lanes = lanes[i];
        }
    }
}

/* Messages contiguous in `text`, in parallel compared with one by one; the number of lanes must not matter. */
static void check_hash_many(const cv_hash_kind *kind, size_t size, size_t len, size_t count)
{
    static uint8_t text[340], digests[2][40][180];
    const uint8_t *messages[40];
    uint8_t *to[40];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i * 167);
    for (size_t j = 0; j < count; j++) {
        cv_hash h;
        messages[j] = text + j;
        to[j] = digests[0][j];
        cv_hash_init(&h, kind);
        cv_hash_update(&h, messages[j], len);
        if (cv_hash_size(kind))
            cv_hash_final(&h, digests[1][j]);
        else
            cv_xof_squeeze(&h, digests[1][j], size);
    }
    memset(digests[0], 0, sizeof digests[0]);
    cv_hash_many(kind, to, size, messages, len, count);
    for (size_t j = 0; j < 40; j++) {
        if (j < count ? memcmp(digests[0][j], digests[1][j], size) : digests[0][j][0]) {
            guard_print(" hash_many:");
            guard_print_number(count);
        }
    }
}

static void check_hashes_of_many(void)
{
    static const size_t fewest[] = { 0, 1, 3, SIZE_MAX }, counts[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 17, 32, 33, 40 };
    const uint64_t drafts = CV_CAP_ZVKK0P2024 | CV_CAP_ZVKNHK0P1 | CV_CAP_ZVKNHK0P2;
    const int vkeccak = (used->token.caps & drafts) != 0;
    for (size_t i = 0; i < COUNT(fewest); i++) {
        cv_hash_many_threshold(fewest[i]);
        for (size_t n = 0; n < COUNT(counts); n++) {
            size_t count = counts[n], taken = cv_native_many(used->token, count, fewest[i]);
            if (taken > count || (taken && taken < fewest[i])
                || (fewest[i] == 1 && taken != count && (used->token.caps & CV_CAP_V) && !vkeccak))
                guard_print(" native_many");
            check_hash_many(&cv_sha3_256, 32, 17 * count % 300, count);
            check_hash_many(&cv_shake128, 180, 168, count);
        }
    }
    cv_hash_many_threshold(0);
}

static void check_others(void)
{
    static const uint64_t h[3] = { UINT64_C(0xfffffffffffffffa), UINT64_MAX, 3 };
    static const uint64_t r[2] = { UINT64_C(0x0ffffffc0fffffff), UINT64_C(0x0ffffffc0ffffffc) };
    /* Its counter wraps in the middle. */
    static const uint32_t wraps[16] = { [3] = 77, [12] = 0xfffffff0, [13] = 99 };
    family = "";
    HASH(sha1, 20, 64);
    HASH(sha256, 32, 64);
    HASH(sha512, 64, 128);
    HASH(sm3, 32, 64);
    check_keccak();
    if (!GUARD_KERNELS_ALONE)
        check_hashes_of_many();
    const struct cv_chacha_ops *const each[] = { &used->chacha, &used->chacha_short };
    for (size_t i = 0; i < COUNT(each); i++) {
        CHECK(*each[i], portable.chacha, chacha20, 257, { OUT, 64 }, { IN, 64 }, { BLOCKS }, { READ, 64 });
        CHECK(*each[i], portable.chacha, chacha20, 257, { OUT, 64 }, { IN, 64 }, { BLOCKS },
              { READ, sizeof wraps, wraps });
        CHECK(*each[i], portable.chacha, poly1305, 257, { CHANGED, sizeof h, h, .same = same_poly1305 },
              { READ, sizeof r, r }, { IN, 16 }, { BLOCKS });
    }
}

int main(void)
{
    if (!guard_begin() || !guard_finds_all())
        return 1;
    cv_init("");
    portable = *cv_kernels_in_use();
    if (!guard_use_kernels())
        return 1;
    used = cv_kernels_in_use();
    guard_print("guard");
    check_ciphers();
    check_others();
    guard_mlkem(&used->mlkem, &portable.mlkem);
    guard_mldsa(&used->mldsa, &portable.mldsa);
    guard_print(" checked:");
    guard_print_number(guard_checked());
    guard_print("\n");
    return 0;
}

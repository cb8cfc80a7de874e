/* AES (FIPS 197), bitsliced: four blocks at once, in constant time.
 *
 * Bit 16 r + 4 c + n of a slice belongs to row r and column c of block n: rows are shifted by rotating 16 bits, and
 * columns are mixed by rotating all 64. */
#include "aes_shared.h"
#include "bitslice.h"
#include "sbox.h"

/* Row r of the result is row r of the state, rotated by r columns, or -r. */
static inline void shift_rows(uint64_t q[8], int back)
{
    CV_UNROLL_8
    for (int i = 0; i < 8; i++) {
        uint64_t x = q[i], row0 = x & 0xffff, row2, left, right;
        uint64_t lower = x & (back ? UINT64_C(0x0fff) << 16 : UINT64_C(0x0fff) << 48);
        uint64_t top = x & (back ? UINT64_C(0xf000) << 16 : UINT64_C(0xf000) << 48);
        uint64_t upper = x & (back ? UINT64_C(0xfff0) << 48 : UINT64_C(0xfff0) << 16);
        uint64_t bottom = x & (back ? UINT64_C(0x000f) << 48 : UINT64_C(0x000f) << 16);
        row2 = (x >> 8 & UINT64_C(0x00ff) << 32) | (x & UINT64_C(0x00ff) << 32) << 8;
        left = lower << 4 | top >> 12;
        right = upper >> 4 | bottom << 12;
        q[i] = row0 | row2 | left | right;
    }
}

/* Moves row r + n to row r. */
static inline uint64_t next_row(uint64_t x, int n)
{
    return x >> 16 * n | x << (64 - 16 * n);
}

/* Multiplies by x in GF(2^8), modulo x^8 + x^4 + x^3 + x + 1. */
static inline void times_x(uint64_t q[8])
{
    uint64_t high = q[7];
    CV_UNROLL_8
    for (int i = 7; i > 0; i--)
        q[i] = q[i - 1];
    q[0] = high;
    q[1] ^= high;
    q[3] ^= high;
    q[4] ^= high;
}

/* b[r] = 2 a[r] + 3 a[r+1] + a[r+2] + a[r+3] = 2 (a[r] + a[r+1]) + a[r+1] + (a[r+2] + a[r+3]) */
static inline void mix_columns(uint64_t q[8])
{
    uint64_t twice[8], rest[8];
    CV_UNROLL_8
    for (int i = 0; i < 8; i++) {
        uint64_t one = next_row(q[i], 1), pair = q[i] ^ one;
        twice[i] = pair;
        rest[i] = one ^ next_row(pair, 2);
    }
    times_x(twice);
    CV_UNROLL_8
    for (int i = 0; i < 8; i++)
        q[i] = twice[i] ^ rest[i];
}

/* The inverse matrix is the forward one times 1 + 4 (a[r] + a[r+2]) (FIPS 197, 5.3.3: its polynomial is d(x) =
 * c(x) (4 x^2 + 5)). */
static inline void mix_columns_inverse(uint64_t q[8])
{
    uint64_t four[8];
    CV_UNROLL_8
    for (int i = 0; i < 8; i++)
        four[i] = q[i] ^ next_row(q[i], 2);
    times_x(four);
    times_x(four);
    CV_UNROLL_8
    for (int i = 0; i < 8; i++)
        q[i] ^= four[i];
    mix_columns(q);
}

/* Words n and n + 4 hold the even and the odd columns of block n. */
static void load_block(uint64_t q[8], const uint8_t *in, size_t n)
{
    uint64_t low = cv_load_le64(in), high = cv_load_le64(in + 8);
    q[n] = cv_spread((uint32_t)low) | cv_spread((uint32_t)high) << 8;
    q[n + 4] = cv_spread((uint32_t)(low >> 32)) | cv_spread((uint32_t)(high >> 32)) << 8;
}

static void store_block(uint8_t *out, const uint64_t q[8], size_t n)
{
    cv_store_le64(out, cv_gather(q[n]) | (uint64_t)cv_gather(q[n + 4]) << 32);
    cv_store_le64(out + 8, cv_gather(q[n] >> 8) | (uint64_t)cv_gather(q[n + 4] >> 8) << 32);
}

/* Slices the first `n` blocks. */
static void slice(uint64_t q[8], const uint8_t *in, size_t n)
{
    memset(q, 0, 8 * sizeof *q);
    for (size_t b = 0; b < n; b++)
        load_block(q, in + CV_BLOCK * b, b);
    cv_transpose(q);
}

static void unslice(uint8_t *out, uint64_t q[8], size_t n)
{
    cv_transpose(q);
    for (size_t b = 0; b < n; b++)
        store_block(out + CV_BLOCK * b, q, b);
}

/* Slices the round keys, which are the same for every block. */
static void slice_keys(uint64_t keys[15][8], const cv_block_key *key)
{
    for (uint32_t r = 0; r <= key->rounds; r++) {
        uint64_t *q = keys[r];
        load_block(q, key->round_key[r], 0);
        q[1] = q[2] = q[3] = q[0];
        q[5] = q[6] = q[7] = q[4];
        cv_transpose(q);
    }
}

static inline void add_key(uint64_t q[8], const uint64_t key[8])
{
    CV_UNROLL_8
    for (int i = 0; i < 8; i++)
        q[i] ^= key[i];
}

static inline void encrypt(uint64_t q[8], uint64_t keys[15][8], uint32_t rounds)
{
    add_key(q, keys[0]);
    for (uint32_t r = 1;; r++) {
        cv_sbox_aes(q);
        shift_rows(q, 0);
        if (r == rounds)
            break;
        mix_columns(q);
        add_key(q, keys[r]);
    }
    add_key(q, keys[rounds]);
}

static inline void decrypt(uint64_t q[8], uint64_t keys[15][8], uint32_t rounds)
{
    add_key(q, keys[rounds]);
    for (uint32_t r = rounds - 1;; r--) {
        shift_rows(q, 1);
        cv_sbox_aes_inverse(q);
        add_key(q, keys[r]);
        if (r == 0)
            break;
        mix_columns_inverse(q);
    }
}

/* A single block costs less on its own than as one of four. */
static inline void ecb(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, int back)
{
    if (blocks > 1) {
        uint64_t keys[15][8], q[8];
        slice_keys(keys, key);
        while (blocks > 1) {
            size_t n = blocks < CV_SLICED ? blocks : CV_SLICED;
            slice(q, in, n);
            if (back)
                decrypt(q, keys, key->rounds);
            else
                encrypt(q, keys, key->rounds);
            unslice(out, q, n);
            out += n * CV_BLOCK, in += n * CV_BLOCK, blocks -= n;
        }
        cv_wipe(keys, sizeof keys);
        cv_wipe(q, sizeof q);
    }
    if (blocks)
        (back ? cv_aes_one_decrypt : cv_aes_one_encrypt)(key, out, in);
}

static void ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(key, out, in, blocks, 0);
}

static void ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(key, out, in, blocks, 1);
}

/* FIPS 197, 5.2. */
static void expand(cv_block_key *key, const uint8_t *bytes, unsigned bits)
{
    size_t words = bits / 32, all = 4 * (words + 7);
    uint8_t *w = key->round_key[0];
    uint32_t round_constant = 1, t = cv_load_le32(bytes + 4 * (words - 1));
    memcpy(w, bytes, 4 * words);
    for (size_t i = words; i < all; i++) {
        if (i % words == 0) {
            t = cv_aes_sub_word(t >> 8 | t << 24) ^ round_constant;
            round_constant = (round_constant << 1 ^ (round_constant >> 7) * 0x11b) & 0xff;
        } else if (words == 8 && i % words == 4) {
            t = cv_aes_sub_word(t);
        }
        t ^= cv_load_le32(w + 4 * (i - words));
        cv_store_le32(w + 4 * i, t);
    }
}

const struct cv_block_ops cv_portable_aes = {
    .expand = expand,
    .ecb_encrypt = ecb_encrypt,
    .ecb_decrypt = ecb_decrypt,
    .cbc_encrypt = cv_aes_one_cbc_encrypt,
    .cfb_encrypt = cv_aes_one_cfb_encrypt,
    .mac = cv_aes_one_mac,
};

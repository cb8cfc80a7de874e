/* AES (FIPS 197), bitsliced: four blocks at once, in constant time.
 *
 * Eight bytes of a block are a word: word 2 n + h holds columns 2 h and 2 h + 1 of block n. After the transposition, bit
 * 8 j + b of each slice belongs to byte j of word b. So of a position, bits 4:3 are the row, bits 2:1 the block, and
 * the column is bit 5 + 2 * bit 0. */
#include "bitslice.h"
#include "sbox.h"

/* Positions of a row, within both halves of 32 bits. */
#define ROW(r) (UINT64_C(0x000000ff000000ff) << 8 * (r))
/* Positions of columns 0 and 1. */
#define LEFT UINT64_C(0x5555555555555555)

static inline uint64_t rotate(uint64_t x, int n)
{
    return x >> n | x << (64 - n);
}

/* Columns c + 1: 0 <- 1 and 2 <- 3 are the other half; 1 <- 2 and 3 <- 0 also cross from left to right. */
static inline uint64_t next_column(uint64_t x)
{
    uint64_t other = rotate(x, 32);
    uint64_t crossed = (other >> 1 & LEFT) | (other & LEFT) << 1;
    return (other & UINT64_C(0xffffffff)) | (crossed & ~UINT64_C(0xffffffff));
}

/* Columns c + 2. */
static inline uint64_t opposite_column(uint64_t x)
{
    return (x >> 1 & LEFT) | (x & LEFT) << 1;
}

/* Row r of the result is row r of the state, rotated by r columns, or -r. */
static inline void shift_rows(uint64_t q[8], int back)
{
    for (int i = 0; i < 8; i++) {
        uint64_t x = q[i], one = next_column(x), two = opposite_column(x), three = next_column(two);
        q[i] = (x & ROW(0)) | ((back ? three : one) & ROW(1)) | (two & ROW(2)) | ((back ? one : three) & ROW(3));
    }
}

/* Row r + n at row r. */
static inline uint64_t next_row(uint64_t x, int n)
{
    uint64_t stay = n == 1 ? UINT64_C(0x00ffffff00ffffff) : UINT64_C(0x0000ffff0000ffff);
    return (x >> 8 * n & stay) | (x << (32 - 8 * n) & ~stay);
}

/* Times x in GF(2^8), modulo x^8 + x^4 + x^3 + x + 1. */
static inline void times_x(uint64_t q[8])
{
    uint64_t high = q[7];
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
    for (int i = 0; i < 8; i++) {
        uint64_t one = next_row(q[i], 1), pair = q[i] ^ one;
        twice[i] = pair;
        rest[i] = one ^ next_row(pair, 2);
    }
    times_x(twice);
    for (int i = 0; i < 8; i++)
        q[i] = twice[i] ^ rest[i];
}

/* The inverse matrix is the forward one times 1 + 4 (a[r] + a[r+2]) (FIPS 197, 5.3.3: its polynomial is d(x) =
 * c(x) (4 x^2 + 5)). */
static inline void mix_columns_inverse(uint64_t q[8])
{
    uint64_t four[8];
    for (int i = 0; i < 8; i++)
        four[i] = q[i] ^ next_row(q[i], 2);
    times_x(four);
    times_x(four);
    for (int i = 0; i < 8; i++)
        q[i] ^= four[i];
    mix_columns(q);
}

/* The first `n` blocks, sliced. */
static void slice(uint64_t q[8], const uint8_t *in, size_t n)
{
    for (size_t b = 0; b < 8; b++)
        q[b] = b < 2 * n ? cv_load_le64(in + 8 * b) : 0;
    cv_transpose(q);
}

static void unslice(uint8_t *out, uint64_t q[8], size_t n)
{
    cv_transpose(q);
    for (size_t b = 0; b < 2 * n; b++)
        cv_store_le64(out + 8 * b, q[b]);
}

/* Round keys, the same for every block. */
static void slice_keys(uint64_t keys[15][8], const cv_block_key *key)
{
    for (uint32_t r = 0; r <= key->rounds; r++) {
        for (int b = 0; b < 8; b++)
            keys[r][b] = cv_load_le64(key->round_key[r] + 8 * (b & 1));
        cv_transpose(keys[r]);
    }
}

static inline void add_key(uint64_t q[8], const uint64_t key[8])
{
    for (int i = 0; i < 8; i++)
        q[i] ^= key[i];
}

static void encrypt(uint64_t q[8], uint64_t keys[15][8], uint32_t rounds)
{
    add_key(q, keys[0]);
    for (uint32_t r = 1; r <= rounds; r++) {
        cv_sbox_aes(q);
        shift_rows(q, 0);
        if (r < rounds)
            mix_columns(q);
        add_key(q, keys[r]);
    }
}

static void decrypt(uint64_t q[8], uint64_t keys[15][8], uint32_t rounds)
{
    for (uint32_t r = rounds; r > 0; r--) {
        add_key(q, keys[r]);
        if (r < rounds)
            mix_columns_inverse(q);
        shift_rows(q, 1);
        cv_sbox_aes_inverse(q);
    }
    add_key(q, keys[0]);
}

static void ecb(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                void (*crypt)(uint64_t q[8], uint64_t keys[15][8], uint32_t rounds))
{
    uint64_t keys[15][8], q[8];
    slice_keys(keys, key);
    while (blocks) {
        size_t n = blocks < CV_SLICED ? blocks : CV_SLICED;
        slice(q, in, n);
        crypt(q, keys, key->rounds);
        unslice(out, q, n);
        out += n * CV_BLOCK, in += n * CV_BLOCK, blocks -= n;
    }
    cv_wipe(keys, sizeof keys);
    cv_wipe(q, sizeof q);
}

static void ecb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(key, out, in, blocks, encrypt);
}

static void ecb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ecb(key, out, in, blocks, decrypt);
}

/* The S-box of each byte of a word. */
static void sub_word(uint8_t word[4])
{
    uint64_t q[8] = { 0 };
    for (int i = 0; i < 4; i++)
        q[i] = word[i];
    cv_transpose(q);
    cv_sbox_aes(q);
    cv_transpose(q);
    for (int i = 0; i < 4; i++)
        word[i] = (uint8_t)q[i];
}

/* FIPS 197, 5.2. */
static void expand(cv_block_key *key, const uint8_t *bytes, unsigned bits)
{
    size_t words = bits / 32, all = 4 * (words + 7);
    uint8_t *w = key->round_key[0], round_constant = 1;
    memcpy(w, bytes, 4 * words);
    for (size_t i = words; i < all; i++) {
        uint8_t t[4];
        memcpy(t, w + 4 * (i - 1), 4);
        if (i % words == 0) {
            uint8_t first = t[0];
            t[0] = t[1], t[1] = t[2], t[2] = t[3], t[3] = first;
            sub_word(t);
            t[0] ^= round_constant;
            round_constant = (uint8_t)(round_constant << 1 ^ (round_constant >> 7) * 0x1b);
        } else if (words == 8 && i % words == 4) {
            sub_word(t);
        }
        cv_xor(w + 4 * i, w + 4 * (i - words), t, 4);
    }
}

const struct cv_block_ops cv_portable_aes = {
    .expand = expand,
    .ecb_encrypt = ecb_encrypt,
    .ecb_decrypt = ecb_decrypt,
};

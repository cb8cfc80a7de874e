/* AES (FIPS 197), one block at a time, in constant time: for serial modes.
 *
 * Bit 4 c + r of a slice belongs to row r and column c, so a slice has 16 bits, and a word holds four slices. Steps
 * that are the same for all slices work on two words instead of eight. Only the S-box needs each slice in a word of its
 * own; it ignores the bits above the slice. */
#include "aes_shared.h"
#include "bitslice.h"
#include "sbox.h"

/* Slices 0 ... 3 and 4 ... 7. */
struct packed {
    uint64_t low, high;
};

/* The same 16 bits for each slice. */
#define EACH(bits) (UINT64_C(0x0001000100010001) * (bits))

static inline struct packed slice(const uint8_t *in)
{
    uint64_t left = cv_transpose_bytes(cv_load_le64(in)), right = cv_transpose_bytes(cv_load_le64(in + 8));
    struct packed s = {
        cv_spread((uint32_t)left) | cv_spread((uint32_t)right) << 8,
        cv_spread((uint32_t)(left >> 32)) | cv_spread((uint32_t)(right >> 32)) << 8,
    };
    return s;
}

static inline void unslice(uint8_t *out, struct packed s)
{
    uint64_t left = cv_gather(s.low) | (uint64_t)cv_gather(s.high) << 32;
    uint64_t right = cv_gather(s.low >> 8) | (uint64_t)cv_gather(s.high >> 8) << 32;
    cv_store_le64(out, cv_transpose_bytes(left));
    cv_store_le64(out + 8, cv_transpose_bytes(right));
}

static inline struct packed add(struct packed a, struct packed b)
{
    struct packed sum = { a.low ^ b.low, a.high ^ b.high };
    return sum;
}

static inline uint64_t join(const uint64_t q[4])
{
    return (q[0] & 0xffff) | (q[1] & 0xffff) << 16 | (q[2] & 0xffff) << 32 | q[3] << 48;
}

static inline struct packed substitute(struct packed s, int back)
{
    uint64_t q[8] = { s.low, s.low >> 16, s.low >> 32, s.low >> 48, s.high, s.high >> 16, s.high >> 32, s.high >> 48 };
    if (back)
        cv_sbox_aes_inverse(q);
    else
        cv_sbox_aes(q);
    struct packed box = { join(q), join(q + 4) };
    return box;
}

/* Rotates row r by r columns: rows 2 and 3 by two, then rows 1 and 3 by one; with `back`, in the other direction. */
static inline uint64_t shift_rows(uint64_t x, int back)
{
    uint64_t two = (x ^ x >> 8) & EACH(0x00cc);
    x ^= two ^ two << 8;
    return (x & EACH(0x5555))
        | (back ? (x << 4 & EACH(0xaaa0)) | (x >> 12 & EACH(0x000a))
                : (x >> 4 & EACH(0x0aaa)) | (x << 12 & EACH(0xa000)));
}

/* Moves row r + 1 to row r; likewise with row r + 2. */
static inline uint64_t next_row(uint64_t x)
{
    return (x >> 1 & EACH(0x7777)) | (x << 3 & EACH(0x8888));
}

static inline uint64_t second_row(uint64_t x)
{
    return (x >> 2 & EACH(0x3333)) | (x << 2 & EACH(0xcccc));
}

/* Multiplies by x in GF(2^8), modulo x^8 + x^4 + x^3 + x + 1: the bits shifted out of slice 7 go into slices 0, 1, 3
 * and 4. */
static inline struct packed times_x(struct packed s)
{
    uint64_t out = s.high >> 48;
    struct packed twice = {
        s.low << 16 ^ (out | out << 16 | out << 48),
        (s.high << 16 | s.low >> 48) ^ out,
    };
    return twice;
}

/* b[r] = 2 (a[r] + a[r+1]) + a[r+1] + (a[r+2] + a[r+3]) */
static inline struct packed mix_columns(struct packed s)
{
    struct packed one = { next_row(s.low), next_row(s.high) }, pair = add(s, one);
    struct packed far = { second_row(pair.low), second_row(pair.high) };
    return add(add(times_x(pair), one), far);
}

/* As in aes_portable.c. */
static inline struct packed mix_columns_inverse(struct packed s)
{
    struct packed two = { second_row(s.low), second_row(s.high) };
    return mix_columns(add(s, times_x(times_x(add(s, two)))));
}

struct keys {
    struct packed key[15];
    uint32_t rounds;
};

static void slice_keys(struct keys *keys, const cv_block_key *key)
{
    keys->rounds = key->rounds;
    for (uint32_t r = 0; r <= key->rounds; r++)
        keys->key[r] = slice(key->round_key[r]);
}

static struct packed encrypt(struct packed s, const struct keys *keys)
{
    const struct packed *key = keys->key, *last = key + keys->rounds;
    s = add(s, *key);
    for (;;) {
        s = substitute(s, 0);
        s.low = shift_rows(s.low, 0);
        s.high = shift_rows(s.high, 0);
        if (++key == last)
            return add(s, *key);
        s = add(mix_columns(s), *key);
    }
}

static struct packed decrypt(struct packed s, const struct keys *keys)
{
    const struct packed *key = keys->key + keys->rounds;
    s = add(s, *key);
    for (;;) {
        s.low = shift_rows(s.low, 1);
        s.high = shift_rows(s.high, 1);
        s = substitute(s, 1);
        s = add(s, *--key);
        if (key == keys->key)
            return s;
        s = mix_columns_inverse(s);
    }
}

void cv_aes_one_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in)
{
    struct keys keys;
    slice_keys(&keys, key);
    unslice(out, encrypt(slice(in), &keys));
    cv_wipe(&keys, sizeof keys);
}

void cv_aes_one_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in)
{
    struct keys keys;
    slice_keys(&keys, key);
    unslice(out, decrypt(slice(in), &keys));
    cv_wipe(&keys, sizeof keys);
}

void cv_aes_one_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
{
    struct keys keys;
    struct packed chain = slice(iv);
    slice_keys(&keys, key);
    for (; blocks; blocks--, in += CV_BLOCK, out += CV_BLOCK) {
        chain = encrypt(add(chain, slice(in)), &keys);
        unslice(out, chain);
    }
    cv_wipe(&keys, sizeof keys);
}

void cv_aes_one_cfb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
{
    struct keys keys;
    struct packed chain = slice(iv);
    slice_keys(&keys, key);
    for (; blocks; blocks--, in += CV_BLOCK, out += CV_BLOCK) {
        chain = add(encrypt(chain, &keys), slice(in));
        unslice(out, chain);
    }
    cv_wipe(&keys, sizeof keys);
}

void cv_aes_one_mac(const cv_block_key *key, uint8_t *mac, const uint8_t *in, size_t blocks)
{
    struct keys keys;
    struct packed chain = slice(mac);
    slice_keys(&keys, key);
    for (; blocks; blocks--, in += CV_BLOCK)
        chain = encrypt(add(chain, slice(in)), &keys);
    unslice(mac, chain);
    cv_wipe(&keys, sizeof keys);
}

uint32_t cv_aes_sub_word(uint32_t word)
{
    uint64_t q[8];
    cv_slice_word(q, word);
    cv_sbox_aes(q);
    return cv_unslice_word(q);
}

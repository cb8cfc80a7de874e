/* SHA-3 and SHAKE (FIPS 202); cSHAKE and KMAC (NIST SP 800-185). */
#include "hash.h"

static void compress(cv_hash *h, const uint8_t *data, size_t blocks)
{
    cv_hash_kernels()->keccak(h->state.w64, data, blocks, h->kind->block / 8);
}

/* Domain bits and the first bit of the padding, then its last bit (FIPS 202, B.2). The state is permuted when the first
 * byte is squeezed. */
static void pad(cv_hash *h)
{
    memset(h->block + h->held, 0, h->kind->block - h->held);
    h->block[h->held] = h->pad;
    h->block[h->kind->block - 1] |= 0x80;
    compress(h, h->block, 1);
    h->held = 0;
}

/* Copies bytes of the state from `at` on. */
static void extract(const cv_hash *h, uint8_t *out, size_t at, size_t len)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    cv_copy_any(out, (const uint8_t *)h->state.w64 + at, len);
#else
    for (; len; at++, out++, len--)
        *out = (uint8_t)(h->state.w64[at / 8] >> 8 * (at % 8));
#endif
}

void cv_generic_keccak_squeeze(uint64_t state[25], uint8_t *out, size_t blocks, size_t lanes)
{
    for (; blocks; blocks--) {
        cv_hash_kernels()->keccak(state, out, 1, 0);
        for (size_t i = 0; i < lanes; i++, out += 8)
            cv_store_le64(out, state[i]);
    }
}

static void finish(cv_hash *h, uint8_t *digest)
{
    pad(h);
    extract(h, digest, 0, h->kind->size);
}

/* The first call ends the message, as a wipe does: without a kind, the context takes no more of it. `squeezes` is then the rate,
 * and 0 in a context that absorbs or was wiped. */
void cv_xof_squeeze(cv_hash *h, uint8_t *out, size_t len)
{
    size_t rate;
    if (!h->squeezes) {
        if (cv_has_ended(h->kind))
            return;
        pad(h);
        h->squeezes = (uint8_t)h->kind->block;
        h->kind = NULL;
    }
    rate = h->squeezes;
    while (len) {
        size_t n;
        if (h->held == rate && len >= rate) {
            n = len / rate;
            cv_hash_kernels()->keccak_squeeze(h->state.w64, out, n, rate / 8);
            out += n * rate, len -= n * rate;
            continue;
        }
        if (h->held == rate) {
            cv_hash_kernels()->keccak(h->state.w64, h->block, 1, 0);
            h->held = 0;
        }
        n = rate - h->held < len ? rate - h->held : len;
        extract(h, out, h->held, n);
        h->held += (uint32_t)n, out += n, len -= n;
    }
}

#define KECCAK(out, capacity, first) \
    { .size = out, .block = 200 - 2 * (capacity), .pad = first, .compress = compress, .finish = finish }

const cv_hash_kind cv_sha3_224 = KECCAK(28, 28, 0x06), cv_sha3_256 = KECCAK(32, 32, 0x06);
const cv_hash_kind cv_sha3_384 = KECCAK(48, 48, 0x06), cv_sha3_512 = KECCAK(64, 64, 0x06);
const cv_hash_kind cv_shake128 = KECCAK(0, 16, 0x1f), cv_shake256 = KECCAK(0, 32, 0x1f);

/* left_encode and right_encode (SP 800-185, 2.3.1): a number's bytes, with their count before or after them. Returns
 * the length. */
static size_t encode(uint8_t out[9], uint64_t x, int right)
{
    size_t n = 1;
    while (n < 8 && x >> 8 * n)
        n++;
    for (size_t i = 0; i < n; i++)
        out[i + !right] = (uint8_t)(x >> 8 * (n - 1 - i));
    out[right ? n : 0] = (uint8_t)n;
    return n + 1;
}

static void absorb_number(cv_hash *h, uint64_t x, int right)
{
    uint8_t bytes[9];
    cv_hash_update(h, bytes, encode(bytes, x, right));
}

/* encode_string (2.3.2). */
static void absorb_string(cv_hash *h, const uint8_t *text, size_t len)
{
    absorb_number(h, (uint64_t)len << 3, 0);
    cv_hash_update(h, text, len);
}

/* The end of bytepad (2.3.3): zeros up to a whole block. */
static void absorb_zeros(cv_hash *h)
{
    static const uint8_t zeros[8];
    while (h->held)
        cv_hash_update(h, zeros, h->held % 8 ? 8 - h->held % 8 : 8);
}

void cv_cshake_init(cv_hash *h, const cv_hash_kind *kind, const uint8_t *name, size_t name_len, const uint8_t *custom,
                    size_t custom_len)
{
    cv_hash_init(h, kind);
    if (name_len == 0 && custom_len == 0)
        return;
    h->pad = 0x04;
    absorb_number(h, kind->block, 0);
    absorb_string(h, name, name_len);
    absorb_string(h, custom, custom_len);
    absorb_zeros(h);
}

void cv_kmac_init(cv_hash *h, const cv_hash_kind *kind, const uint8_t *key, size_t key_len, const uint8_t *custom,
                  size_t custom_len)
{
    cv_cshake_init(h, kind, (const uint8_t *)"KMAC", 4, custom, custom_len);
    absorb_number(h, kind->block, 0);
    absorb_string(h, key, key_len);
    absorb_zeros(h);
}

void cv_kmac_final(cv_hash *h, uint8_t *code, size_t len)
{
    if (!cv_has_ended(h->kind)) {
        absorb_number(h, (uint64_t)len << 3, 1);
        cv_xof_squeeze(h, code, len);
    }
    cv_wipe(h, sizeof *h);
}

void cv_kmac_final_xof(cv_hash *h)
{
    absorb_number(h, 0, 1);
    cv_xof_squeeze(h, NULL, 0);
}

/* HMAC of a TLS record in CBC, whose length is secret until the code has been compared (see tls_cbc.c).
 *
 * All blocks that the longest possible text needs are compressed. In each of them, bytes of the text, the padding bit
 * and the length are selected by masks; of the resulting states, that of the block in which the message ends is
 * selected in the same way. */
#include "tls_hmac.h"
#include "ct.h"

#define MAX_PADDING 256
#define MAX_BLOCK 128

/* The inputs of the hash of a record's text. */
struct message {
    const uint8_t *header, *data;
    size_t record_len;
    size_t len; /* secret: length of header and text */
    size_t block, length_field;
};

static uint8_t byte_at(const struct message *m, size_t at)
{
    if (at < PV_TLS_HEADER)
        return m->header[at];
    at -= PV_TLS_HEADER;
    return at < m->record_len ? m->data[at] : 0;
}

/* Block `i` of the padded message; returns all ones if it is the last, else 0. The key's block precedes these. */
static size_t padded_block(const struct message *m, size_t i, uint8_t out[MAX_BLOCK])
{
    size_t shift = m->block == 64 ? 6 : 7, last = pv_mask_eq(i, (m->len + m->length_field) >> shift);
    uint64_t bits = (uint64_t)(m->block + m->len) << 3;
    for (size_t j = 0; j < m->block; j++) {
        size_t at = i * m->block + j;
        out[j] = (byte_at(m, at) & (uint8_t)~pv_mask_ge(at, m->len)) | (0x80 & (uint8_t)pv_mask_eq(at, m->len));
    }
    for (size_t j = 0; j < 8; j++)
        out[m->block - 1 - j] |= (uint8_t)(bits >> 8 * j) & (uint8_t)last;
    return last;
}

/* The digest is the state's words, big-endian. */
static void store_state(const cv_hash *h, uint8_t *digest, size_t block, size_t size)
{
    size_t word = block / 16;
    for (size_t i = 0; i < size; i++) {
        uint64_t w = word == 8 ? h->state.w64[i / 8] : h->state.w32[i / 4];
        digest[i] = (uint8_t)(w >> 8 * (word - 1 - i % word));
    }
}

int pv_tls_hmac(const cv_hmac *hmac, const cv_hash_kind *kind, uint8_t *code, const uint8_t header[PV_TLS_HEADER],
                const uint8_t *data, size_t len, size_t record_len)
{
    size_t size = cv_hash_size(kind), block = cv_hash_block(kind), longest, shortest, blocks, at;
    struct message m = { header, data, record_len, PV_TLS_HEADER + len, block, block / 8 };
    uint64_t state[8] = { 0 };
    uint8_t bytes[MAX_BLOCK], digest[EVP_MAX_MD_SIZE];
    cv_hash h = hmac->inner;
    if ((block != 64 && block != 128) || record_len < size + 1)
        return 0;
    longest = PV_TLS_HEADER + record_len - size - 1;
    shortest = longest - PV_TLS_HEADER > MAX_PADDING - 1 ? longest - (MAX_PADDING - 1) : PV_TLS_HEADER;
    /* The part that is text in any case. */
    at = shortest / block;
    if (at) {
        cv_hash_update(&h, header, PV_TLS_HEADER);
        cv_hash_update(&h, data, at * block - PV_TLS_HEADER);
    }
    blocks = (longest + m.length_field) / block;
    for (size_t i = at; i <= blocks; i++) {
        size_t last = padded_block(&m, i, bytes);
        cv_hash_update(&h, bytes, block);
        for (size_t w = 0; w < 8; w++)
            state[w] |= h.state.w64[w] & (0 - (uint64_t)(last & 1));
    }
    memcpy(h.state.w64, state, sizeof state);
    store_state(&h, digest, block, size);
    h = hmac->outer;
    cv_hash_update(&h, digest, size);
    cv_hash_final(&h, code);
    OPENSSL_cleanse(digest, sizeof digest);
    OPENSSL_cleanse(bytes, sizeof bytes);
    OPENSSL_cleanse(state, sizeof state);
    OPENSSL_cleanse(&h, sizeof h);
    return 1;
}

/* Offset codebook mode (RFC 7253). */
#include "gf128_double.h"

/* Number of blocks processed at once where no kernel does more. */
#define BATCH 32

#if UINTPTR_MAX > UINT32_MAX
/* Kernels for 64-bit RISC-V rely on these offsets. */
_Static_assert(offsetof(cv_ocb, l) == 48 && offsetof(cv_ocb, offset) == 560 && offsetof(cv_ocb, checksum) == 576
                   && offsetof(cv_ocb, blocks) == 656,
               "the layout of cv_ocb");
#endif

/* Computes L[i] for i below `n`, unless they exist. */
static void fill_table(cv_ocb *ocb, uint32_t n)
{
    uint32_t i = ocb->filled;
    struct cv_words x;
    if (i >= n)
        return;
    x = cv_load_words(i ? ocb->l[i - 1] : ocb->dollar);
    for (; i < n; i++) {
        x = cv_twice(x);
        cv_store_words(ocb->l[i], x);
    }
    ocb->filled = n;
}

/* Prepares the table for blocks up to this number. */
static void prepare_table(cv_ocb *ocb, uint64_t number)
{
    uint32_t n = 0;
    for (; number; number >>= 1)
        n++;
    fill_table(ocb, n);
}

/* Entries that kernels may read: those for 2^11 lanes, which VLEN 65536 has, and the next. */
#define FILLED_FIRST 13

static unsigned trailing_zeros(uint64_t x)
{
    unsigned n = 0;
    for (; !(x & 1); x >>= 1)
        n++;
    return n;
}

/* Ends the message: a context with more blocks than a message can have accepts neither text nor associated data. */
static void end(cv_ocb *ocb)
{
    ocb->blocks = ocb->aad_blocks = CV_OCB_BLOCKS;
}

static int has_ended(const cv_ocb *ocb)
{
    return ocb->blocks >= CV_OCB_BLOCKS;
}

void cv_ocb_init(cv_ocb *ocb, const cv_block_key *key)
{
    ocb->key = key;
    cv_zero_block(ocb->star);
    key->ops->ecb_encrypt(key, ocb->star, ocb->star, 1);
    cv_store_words(ocb->dollar, cv_twice(cv_load_words(ocb->star)));
    end(ocb);
    ocb->filled = 0;
    fill_table(ocb, FILLED_FIRST);
}

/* The first offset: 128 bits of Ktop || (Ktop[1..64] ^ Ktop[9..72]) starting at bit `bottom`, which is a part of the
 * nonce (RFC 7253, 4.2). */
static void first_offset(cv_ocb *ocb, const uint8_t top[CV_BLOCK], unsigned bottom)
{
    uint64_t first = cv_load_be64(top), second = cv_load_be64(top + 8);
    if (bottom) {
        uint64_t third = first ^ (first << 8 | second >> 56);
        first = first << bottom | second >> (64 - bottom);
        second = second << bottom | third >> (64 - bottom);
    }
    cv_store_be64(ocb->offset, first);
    cv_store_be64(ocb->offset + 8, second);
}

int cv_ocb_start(cv_ocb *ocb, const uint8_t *nonce, size_t len, size_t tag_len)
{
    uint8_t top[CV_BLOCK] __attribute__((aligned(16))) = { 0 };
    unsigned bottom;
    if (len == 0 || len > 15 || tag_len == 0 || tag_len > 16)
        return CV_ERR_LENGTH;
    cv_copy(top + CV_BLOCK - len, nonce, len);
    top[0] |= (uint8_t)(8 * tag_len % 128 << 1);
    top[15 - len] |= 1;
    bottom = top[15] & 63;
    top[15] &= 0xc0;
    ocb->key->ops->ecb_encrypt(ocb->key, top, top, 1);
    first_offset(ocb, top, bottom);
    cv_wipe_block(top);
    cv_zero_block(ocb->checksum);
    cv_zero_block(ocb->aad_offset);
    cv_zero_block(ocb->aad_sum);
    ocb->blocks = ocb->aad_blocks = 0;
    ocb->held = ocb->aad_held = 0;
    ocb->tag_len = (uint32_t)tag_len;
    return CV_OK;
}

/* The next `n` offsets. */
static void next_offsets(const cv_ocb *ocb, uint8_t *out, uint8_t offset[CV_BLOCK], uint64_t index, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cv_xor_block(offset, offset, ocb->l[trailing_zeros(index + i + 1)]);
        memcpy(out + i * CV_BLOCK, offset, CV_BLOCK);
    }
}

static void hash_blocks(cv_ocb *ocb, const uint8_t *aad, size_t blocks)
{
    uint8_t text[BATCH * CV_BLOCK] __attribute__((aligned(16)));
    prepare_table(ocb, ocb->aad_blocks + blocks);
    while (blocks) {
        size_t n = blocks < BATCH ? blocks : BATCH;
        next_offsets(ocb, text, ocb->aad_offset, ocb->aad_blocks, n);
        cv_xor(text, text, aad, n * CV_BLOCK);
        ocb->key->ops->ecb_encrypt(ocb->key, text, text, n);
        for (size_t i = 0; i < n; i++)
            cv_xor_block(ocb->aad_sum, ocb->aad_sum, text + i * CV_BLOCK);
        ocb->aad_blocks += n;
        aad += n * CV_BLOCK, blocks -= n;
    }
}

/* Whether `len` bytes after `blocks` whole blocks and `held` bytes would complete a block for which the table has no
 * offset. */
static int too_long(uint64_t blocks, uint32_t held, size_t len)
{
    return len / CV_BLOCK + (held + len % CV_BLOCK) / CV_BLOCK >= CV_OCB_BLOCKS - blocks;
}

int cv_ocb_aad(cv_ocb *ocb, const uint8_t *aad, size_t len)
{
    size_t blocks;
    if (too_long(ocb->aad_blocks, ocb->aad_held, len))
        return CV_ERR_LENGTH;
    if (len == 0)
        return CV_OK;
    if (ocb->aad_held) {
        size_t n = CV_BLOCK - ocb->aad_held < len ? CV_BLOCK - ocb->aad_held : len;
        memcpy(ocb->aad_last + ocb->aad_held, aad, n);
        ocb->aad_held += (uint32_t)n;
        aad += n, len -= n;
        if (ocb->aad_held < CV_BLOCK)
            return CV_OK;
        hash_blocks(ocb, ocb->aad_last, 1);
    }
    blocks = len / CV_BLOCK;
    hash_blocks(ocb, aad, blocks);
    ocb->aad_held = (uint32_t)(len % CV_BLOCK);
    memcpy(ocb->aad_last, aad + blocks * CV_BLOCK, ocb->aad_held);
    return CV_OK;
}

static void generic(cv_ocb *ocb, uint8_t *out, const uint8_t *in, size_t blocks, int encrypt)
{
    const struct cv_block_ops *ops = ocb->key->ops;
    uint8_t offsets[BATCH * CV_BLOCK] __attribute__((aligned(16))), text[BATCH * CV_BLOCK] __attribute__((aligned(16)));
    uint64_t index = ocb->blocks;
    while (blocks) {
        size_t n = blocks < BATCH ? blocks : BATCH, len = n * CV_BLOCK;
        next_offsets(ocb, offsets, ocb->offset, index, n);
        memcpy(text, in, len);
        for (size_t i = 0; i < len; i += CV_BLOCK) {
            if (encrypt)
                cv_xor_block(ocb->checksum, ocb->checksum, text + i);
            cv_xor_block(text + i, text + i, offsets + i);
        }
        (encrypt ? ops->ecb_encrypt : ops->ecb_decrypt)(ocb->key, text, text, n);
        for (size_t i = 0; i < len; i += CV_BLOCK) {
            cv_xor_block(text + i, text + i, offsets + i);
            if (!encrypt)
                cv_xor_block(ocb->checksum, ocb->checksum, text + i);
        }
        memcpy(out, text, len);
        out += len, in += len, blocks -= n, index += n;
    }
    cv_wipe(text, sizeof text);
}

void cv_generic_ocb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, cv_ocb *ocb)
{
    (void)key;
    generic(ocb, out, in, blocks, 1);
}

void cv_generic_ocb_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, cv_ocb *ocb)
{
    (void)key;
    generic(ocb, out, in, blocks, 0);
}

static void crypt_blocks(cv_ocb *ocb, uint8_t *out, const uint8_t *in, size_t blocks, int encrypt)
{
    const struct cv_block_ops *ops = ocb->key->ops;
    if (blocks == 0)
        return;
    prepare_table(ocb, ocb->blocks + blocks);
    (encrypt ? ops->ocb_encrypt : ops->ocb_decrypt)(ocb->key, out, in, blocks, ocb);
    ocb->blocks += blocks;
}

/* The last bytes are output only with the tag: only then is it known whether they are a whole block. An unfinished
 * block is held back until it is full. */
static size_t crypt(cv_ocb *ocb, uint8_t *out, const uint8_t *in, size_t len, int encrypt)
{
    size_t done = 0, blocks;
    if (len == 0)
        return 0;
    if (ocb->held) {
        size_t n = CV_BLOCK - ocb->held < len ? CV_BLOCK - ocb->held : len;
        cv_copy(ocb->last + ocb->held, in, n);
        ocb->held += (uint32_t)n;
        in += n, len -= n;
        if (ocb->held < CV_BLOCK)
            return 0;
        crypt_blocks(ocb, out, ocb->last, 1, encrypt);
        done = CV_BLOCK;
    }
    blocks = len / CV_BLOCK;
    crypt_blocks(ocb, out + done, in, blocks, encrypt);
    done += blocks * CV_BLOCK;
    ocb->held = (uint32_t)(len % CV_BLOCK);
    cv_copy(ocb->last, in + blocks * CV_BLOCK, ocb->held);
    return done;
}

int cv_ocb_encrypt(cv_ocb *ocb, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len)
{
    if (too_long(ocb->blocks, ocb->held, len))
        return CV_ERR_LENGTH;
    *out_len = crypt(ocb, out, in, len, 1);
    return CV_OK;
}

int cv_ocb_decrypt(cv_ocb *ocb, uint8_t *out, size_t *out_len, const uint8_t *in, size_t len)
{
    if (too_long(ocb->blocks, ocb->held, len))
        return CV_ERR_LENGTH;
    *out_len = crypt(ocb, out, in, len, 0);
    return CV_OK;
}

/* The hash of the associated data, including its last block. */
static void finish_aad(cv_ocb *ocb)
{
    if (ocb->aad_held == 0)
        return;
    memset(ocb->aad_last + ocb->aad_held, 0, CV_BLOCK - ocb->aad_held);
    ocb->aad_last[ocb->aad_held] = 0x80;
    cv_xor_block(ocb->aad_offset, ocb->aad_offset, ocb->star);
    cv_xor_block(ocb->aad_last, ocb->aad_last, ocb->aad_offset);
    ocb->key->ops->ecb_encrypt(ocb->key, ocb->aad_last, ocb->aad_last, 1);
    cv_xor_block(ocb->aad_sum, ocb->aad_sum, ocb->aad_last);
    ocb->aad_held = 0;
}

/* The bytes of the last block, and the complete tag. */
static void finish(cv_ocb *ocb, uint8_t *out, size_t *out_len, uint8_t tag[CV_BLOCK], int encrypt)
{
    uint8_t pad[CV_BLOCK] __attribute__((aligned(16)));
    *out_len = ocb->held;
    if (ocb->held) {
        cv_xor_block(ocb->offset, ocb->offset, ocb->star);
        ocb->key->ops->ecb_encrypt(ocb->key, pad, ocb->offset, 1);
        if (encrypt)
            cv_xor(ocb->checksum, ocb->checksum, ocb->last, ocb->held);
        cv_xor(out, ocb->last, pad, ocb->held);
        if (!encrypt)
            cv_xor(ocb->checksum, ocb->checksum, out, ocb->held);
        ocb->checksum[ocb->held] ^= 0x80;
        ocb->held = 0;
        cv_wipe(pad, sizeof pad);
    }
    finish_aad(ocb);
    cv_xor_block(ocb->checksum, ocb->checksum, ocb->offset);
    cv_xor_block(ocb->checksum, ocb->checksum, ocb->dollar);
    ocb->key->ops->ecb_encrypt(ocb->key, ocb->checksum, ocb->checksum, 1);
    cv_xor(tag, ocb->checksum, ocb->aad_sum, CV_BLOCK);
    end(ocb);
}

int cv_ocb_tag(cv_ocb *ocb, uint8_t *out, size_t *out_len, uint8_t *tag)
{
    uint8_t whole[CV_BLOCK];
    if (has_ended(ocb)) {
        *out_len = 0;
        return CV_ERR_LENGTH;
    }
    finish(ocb, out, out_len, whole, 1);
    cv_copy(tag, whole, ocb->tag_len);
    return CV_OK;
}

int cv_ocb_verify(cv_ocb *ocb, uint8_t *out, size_t *out_len, const uint8_t *tag)
{
    uint8_t whole[CV_BLOCK];
    int error = CV_OK;
    if (has_ended(ocb)) {
        *out_len = 0;
        return CV_ERR_TAG;
    }
    finish(ocb, out, out_len, whole, 0);
    if (!cv_same(whole, tag, ocb->tag_len)) {
        cv_wipe(out, *out_len);
        *out_len = 0;
        error = CV_ERR_TAG;
    }
    cv_wipe(whole, sizeof whole);
    return error;
}

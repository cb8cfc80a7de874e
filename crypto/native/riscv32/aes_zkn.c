/* AES by Zkne and Zknd on RV32 (RISC-V Cryptography Extensions Volume I, "aes32esmi" and its relatives).
 *
 * An instruction processes one byte of a column: four of them, with row r taken from the column r positions further on
 * (for decryption, before), and MixColumns, produce a column of the next state, starting from the round key. Words hold
 * columns with row 0 in the lowest byte. */
#include "insn.h"
#include "internal.h"

enum { COLUMNS = 4, MOST = 15 };

#define COLUMN(STEP, start, s, first, second, third, fourth) \
    STEP(STEP(STEP(STEP(start, s[first], 0), s[second], 1), s[third], 2), s[fourth], 3)

#define ENCRYPT(STEP, t, s, k) \
    do { \
        t[0] = COLUMN(STEP, (k)[0], s, 0, 1, 2, 3); \
        t[1] = COLUMN(STEP, (k)[1], s, 1, 2, 3, 0); \
        t[2] = COLUMN(STEP, (k)[2], s, 2, 3, 0, 1); \
        t[3] = COLUMN(STEP, (k)[3], s, 3, 0, 1, 2); \
    } while (0)

#define DECRYPT(STEP, t, s, k) \
    do { \
        t[0] = COLUMN(STEP, (k)[0], s, 0, 3, 2, 1); \
        t[1] = COLUMN(STEP, (k)[1], s, 1, 0, 3, 2); \
        t[2] = COLUMN(STEP, (k)[2], s, 2, 1, 0, 3); \
        t[3] = COLUMN(STEP, (k)[3], s, 3, 2, 1, 0); \
    } while (0)

/* The rounds after the first round key, two at a time; their number is even. */
#define ROUNDS(WAY, MIDDLE, LAST) \
    do { \
        for (uint32_t r = 0; r < rounds - 2; r += 2) { \
            WAY(MIDDLE, t, s, k + COLUMNS * (r + 1)); \
            WAY(MIDDLE, s, t, k + COLUMNS * (r + 2)); \
        } \
        WAY(MIDDLE, t, s, k + COLUMNS * (rounds - 1)); \
        WAY(LAST, s, t, k + COLUMNS * rounds); \
    } while (0)

static inline void load(uint32_t s[COLUMNS], const uint8_t *in, const uint32_t *k)
{
    for (size_t c = 0; c < COLUMNS; c++)
        s[c] = cv_load_le32(in + 4 * c) ^ k[c];
}

static inline void store(uint8_t *out, const uint32_t s[COLUMNS])
{
    for (size_t c = 0; c < COLUMNS; c++)
        cv_store_le32(out + 4 * c, s[c]);
}

void cv_aes32_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    const uint32_t *k = __builtin_assume_aligned(key->round_key, 16), rounds = key->rounds;
    for (; blocks; blocks--, out += CV_BLOCK, in += CV_BLOCK) {
        uint32_t s[COLUMNS], t[COLUMNS];
        load(s, in, k);
        ROUNDS(ENCRYPT, cv_aes32esmi, cv_aes32esi);
        store(out, s);
    }
}

void cv_aes32_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
{
    const uint32_t *k = __builtin_assume_aligned(key->round_key, 16), rounds = key->rounds;
    uint32_t s[COLUMNS], t[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        s[c] = cv_load_le32(iv + 4 * c);
    for (; blocks; blocks--, out += CV_BLOCK, in += CV_BLOCK) {
        load(t, in, k);
        for (size_t c = 0; c < COLUMNS; c++)
            s[c] ^= t[c];
        ROUNDS(ENCRYPT, cv_aes32esmi, cv_aes32esi);
        store(out, s);
    }
}

/* InvMixColumns of a word: InvMixColumns(InvSubBytes(SubBytes(word))). */
static inline uint32_t inverse_mix(uint32_t word)
{
    uint32_t box = 0;
    box = cv_aes32esi(box, word, 0), box = cv_aes32esi(box, word, 1);
    box = cv_aes32esi(box, word, 2), box = cv_aes32esi(box, word, 3);
    word = cv_aes32dsmi(0, box, 0), word = cv_aes32dsmi(word, box, 1);
    return word = cv_aes32dsmi(word, box, 2), cv_aes32dsmi(word, box, 3);
}

/* The equivalent inverse cipher (FIPS 197, 5.3.5): round keys in reverse order, InvMixColumns applied to all but the
 * outer ones. */
void cv_aes32_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    const uint32_t *words = __builtin_assume_aligned(key->round_key, 16), rounds = key->rounds;
    uint32_t k[COLUMNS * MOST];
    for (size_t r = 0; r <= rounds; r++)
        for (size_t c = 0; c < COLUMNS; c++) {
            uint32_t word = words[COLUMNS * (rounds - r) + c];
            k[COLUMNS * r + c] = r == 0 || r == rounds ? word : inverse_mix(word);
        }
    for (; blocks; blocks--, out += CV_BLOCK, in += CV_BLOCK) {
        uint32_t s[COLUMNS], t[COLUMNS];
        load(s, in, k);
        ROUNDS(DECRYPT, cv_aes32dsmi, cv_aes32dsi);
        store(out, s);
    }
    cv_wipe(k, sizeof k);
}

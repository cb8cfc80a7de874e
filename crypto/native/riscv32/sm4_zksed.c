/* SM4 by Zksed (RISC-V Cryptography Extensions Volume I, "sm4ed").
 *
 * An instruction adds L of the S-box of one byte, so four of them make a round: X[r+4] = X[r] ^ L(tau(X[r+1] ^ X[r+2] ^
 * X[r+3] ^ rk[r])). Words have the standard's first byte lowest, so that blocks are loaded unchanged; the round keys,
 * which a context holds as numbers, are byte-swapped once per call. */
#include "insn.h"
#include "internal.h"

enum { ROUNDS = 32, WORDS = 4 };

static inline uint32_t round_of(uint32_t x, uint32_t t)
{
    x = cv_sm4ed(x, t, 0), x = cv_sm4ed(x, t, 1);
    return x = cv_sm4ed(x, t, 2), cv_sm4ed(x, t, 3);
}

/* Each block is added to `chain`, which is the result of the block before, or zeros. */
static void crypt(const uint8_t *round_keys, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
{
    uint32_t k[ROUNDS], chain[WORDS] = { 0 };
    for (size_t r = 0; r < ROUNDS; r++)
        k[r] = cv_load_be32(round_keys + sizeof k[r] * r);
    for (size_t i = 0; iv && i < WORDS; i++)
        chain[i] = cv_load_le32(iv + 4 * i);
    for (; blocks; blocks--, out += CV_BLOCK, in += CV_BLOCK) {
        uint32_t a = chain[0] ^ cv_load_le32(in), b = chain[1] ^ cv_load_le32(in + 4);
        uint32_t c = chain[2] ^ cv_load_le32(in + 8), d = chain[3] ^ cv_load_le32(in + 12);
        for (size_t r = 0; r < ROUNDS; r += WORDS) {
            a = round_of(a, b ^ c ^ d ^ k[r]);
            b = round_of(b, c ^ d ^ a ^ k[r + 1]);
            c = round_of(c, d ^ a ^ b ^ k[r + 2]);
            d = round_of(d, a ^ b ^ c ^ k[r + 3]);
        }
        cv_store_le32(out, d), cv_store_le32(out + 4, c);
        cv_store_le32(out + 8, b), cv_store_le32(out + 12, a);
        if (iv)
            chain[0] = d, chain[1] = c, chain[2] = b, chain[3] = a;
    }
    cv_wipe(k, sizeof k);
}

void cv_sm4_zksed_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    crypt(key->round_key[0], out, in, blocks, NULL);
}

void cv_sm4_zksed_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                              const uint8_t *iv)
{
    crypt(key->round_key[0], out, in, blocks, iv);
}

/* The same with the round keys in reverse order, which are stored after them. */
void cv_sm4_zksed_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
{
    crypt(key->round_key[8], out, in, blocks, NULL);
}

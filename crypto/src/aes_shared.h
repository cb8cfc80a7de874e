/* What the portable AES files share. */
#ifndef CV_AES_SHARED_H
#define CV_AES_SHARED_H

#include "internal.h"

/* aes_one.c: C = E(P), P = D(C); cbc_encrypt, cfb_encrypt and mac as in operations.h; the S-box of each byte of a word. */
void cv_aes_one_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in);
void cv_aes_one_decrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in);
void cv_aes_one_cbc_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv);
void cv_aes_one_cfb_encrypt(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv);
void cv_aes_one_mac(const cv_block_key *key, uint8_t *mac, const uint8_t *in, size_t blocks);
uint32_t cv_aes_sub_word(uint32_t word);

/* Moves the bytes of a word to every other position, and back. */
static inline uint64_t cv_spread(uint32_t word)
{
    uint64_t x = word;
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    return (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
}

static inline uint32_t cv_gather(uint64_t x)
{
    x &= UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(x | x >> 16);
}

#endif

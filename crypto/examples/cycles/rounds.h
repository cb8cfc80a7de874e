/* Loops over the instructions alone. */
#include <stdint.h>

/* Expands the key in the first 16 of these 176 bytes into eleven round keys. */
void aes128_expand(uint8_t *keys);
/* Encrypts a block, loading the round keys one at a time, as the published benchmark of Marian does. */
void aes128_block(const uint8_t *keys, uint8_t *out, const uint8_t *in);
/* Encrypts 256 blocks, in 32 iterations over two groups of four (vl = 16); blocks and round keys stay in registers. */
void aes128_resident(const uint8_t *keys, uint8_t *blocks);
/* GHASH of 256 blocks in registers, in 32 iterations over two groups of four (vl = 16). */
void ghash_resident(uint8_t *blocks);

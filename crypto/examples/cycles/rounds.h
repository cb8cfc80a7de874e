/* Loops over the instructions alone. */
#include <stdint.h>

/* The key in the first 16 of these 176 bytes becomes eleven round keys. */
void aes128_expand(uint8_t *keys);
/* Encrypts a block, loading the round keys one at a time, as the published benchmark of Marian does. */
void aes128_block(const uint8_t *keys, uint8_t *out, const uint8_t *in);
/* Encrypts 32 times four blocks (vl = 16), twice in turn, so 256 blocks; blocks and round keys stay in registers. */
void aes128_resident(const uint8_t *keys, uint8_t *blocks);
/* 32 times four steps of GHASH (vl = 16), twice in turn, so 256 blocks, in registers. */
void ghash_resident(uint8_t *blocks);

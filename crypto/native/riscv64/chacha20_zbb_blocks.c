/* ChaCha20 with the stream of chacha20_zbb.S. */
#include "internal.h"

void cv_chacha20_zbb_block(uint32_t out[16], const uint32_t state[16], uint32_t counter);
void cv_chacha20_zbb(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t state[16]);

void cv_chacha20_zbb(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t state[16])
{
    uint32_t stream[16] __attribute__((aligned(8)));
    uint32_t counter = state[12];
    for (; blocks; blocks--, in += 64, out += 64) {
        cv_chacha20_zbb_block(stream, state, counter++);
        cv_xor(out, in, (const uint8_t *)stream, 64);
    }
    cv_wipe(stream, sizeof stream);
}

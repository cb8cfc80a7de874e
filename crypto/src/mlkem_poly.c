/* ML-KEM: sampling, and arithmetic by coefficients. */
#include "mlkem.h"

/* The portable kernels. */
const struct cv_mlkem_ops cv_portable_mlkem = {
    .same = cv_portable_mlkem_same,
    .ntt = cv_portable_mlkem_ntt,
    .inverse = cv_portable_mlkem_inverse,
    .multiply = cv_portable_mlkem_multiply,
    .add = cv_portable_mlkem_add,
    .subtract = cv_portable_mlkem_subtract,
    .add_reduced = cv_portable_mlkem_add_reduced,
    .reject = cv_portable_mlkem_reject,
    .cbd2 = cv_portable_mlkem_cbd2,
#ifndef CV_NO_MLKEM512
    .cbd3 = cv_portable_mlkem_cbd3,
#endif
    .pack = cv_portable_mlkem_pack,
    .unpack = cv_portable_mlkem_unpack,
    .compress = cv_portable_mlkem_compress,
    .decompress = cv_portable_mlkem_decompress,
};

int cv_portable_mlkem_same(const uint8_t *a, const uint8_t *b, size_t len)
{
    return cv_same(a, b, len);
}

void cv_portable_mlkem_add(uint16_t h[N], const uint16_t f[N], const uint16_t g[N])
{
    for (size_t i = 0; i < N; i++)
        h[i] = (uint16_t)(f[i] + g[i]);
}

void cv_portable_mlkem_subtract(uint16_t h[N], const uint16_t f[N], const uint16_t g[N])
{
    for (size_t i = 0; i < N; i++)
        h[i] = (uint16_t)(f[i] + Q - g[i]);
}

void cv_portable_mlkem_add_reduced(uint16_t h[N], const uint16_t f[N], const uint16_t g[N])
{
    for (size_t i = 0; i < N; i++) {
        uint32_t sum = (uint32_t)f[i] + g[i] - Q;
        h[i] = (uint16_t)(sum + (Q & cv_mask(sum >> 31)));
    }
}

/* Algorithm 7, without a branch on whether a number is taken: it is stored, and overwritten if it was not. */
size_t cv_portable_mlkem_reject(uint16_t *out, size_t room, const uint8_t *bytes, size_t len)
{
    size_t n = 0;
    for (; len >= 3 && n < room; len -= 3, bytes += 3) {
        uint32_t pair = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
        uint32_t low = pair & 0xfff, high = pair >> 12;
        out[n] = (uint16_t)low;
        n += low < Q;
        if (n == room)
            break;
        out[n] = (uint16_t)high;
        n += high < Q;
    }
    return n;
}

/* Algorithm 8 for a word: each field of 4 bits becomes 4 + x - y, where x and y are sums of two bits. */
void cv_portable_mlkem_cbd2(uint16_t f[N], const uint8_t bytes[128])
{
    const uint64_t ones = UINT64_C(0x5555555555555555), twos = UINT64_C(0x3333333333333333);
    for (size_t i = 0; i < N; i += 16) {
        uint64_t bits = cv_load_le64(bytes + i / 2);
        uint64_t sums = (bits & ones) + (bits >> 1 & ones);
        uint64_t fields = (sums & twos) + UINT64_C(0x4444444444444444) - (sums >> 2 & twos);
        for (size_t j = 0; j < 16; j++)
            f[i + j] = (uint16_t)((fields >> 4 * j & 15) + Q - 4);
    }
}

#ifndef CV_NO_MLKEM512
/* The same for 3 bytes and fields of 6 bits, where x and y are sums of three bits. */
void cv_portable_mlkem_cbd3(uint16_t f[N], const uint8_t bytes[192])
{
    for (size_t i = 0; i < N; i += 4, bytes += 3) {
        uint32_t bits = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
        uint32_t sums = (bits & 0x249249) + (bits >> 1 & 0x249249) + (bits >> 2 & 0x249249);
        uint32_t fields = (sums & 0x1c71c7) + 0x104104 - (sums >> 3 & 0x1c71c7);
        for (size_t j = 0; j < 4; j++)
            f[i + j] = (uint16_t)((fields >> 6 * j & 63) + Q - 4);
    }
}
#endif

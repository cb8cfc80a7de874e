/* ML-KEM: encoding and compression (FIPS 203, 4.2.1). */
#include "bits.h"
#include "mlkem.h"

void cv_portable_mlkem_pack(uint8_t *out, const uint16_t f[N])
{
    struct cv_bits_out bits = { out, 0, 0 };
    for (size_t i = 0; i < N; i++)
        cv_put_bits(&bits, f[i], 12);
}

/* The time does not depend on the coefficients, which may be secret. */
int cv_portable_mlkem_unpack(uint16_t f[N], const uint8_t *in)
{
    struct cv_bits_in bits = { in, 0, 0 };
    uint32_t reduced = UINT32_MAX;
    for (size_t i = 0; i < N; i++) {
        uint32_t x = cv_get_bits(&bits, 12);
        f[i] = (uint16_t)x;
        reduced &= x - Q;
    }
    return (int)(reduced >> 31);
}

/* round(2^d x / q) modulo 2^d. q is odd, so nothing lies halfway, and the quotient is floor((2^d x + (q - 1) / 2) / q).
 * For x below 2^14 and d up to 11 the numerator is below 2^26; multiplied by ceil(2^40 / q) / 2^40 instead of 1 / q it
 * is too large by less than 2^-14, and its distance from the next integer is at least 1 / q. No division: its time may
 * depend on a secret. */
void cv_portable_mlkem_compress(uint8_t *out, const uint16_t f[N], unsigned d)
{
    struct cv_bits_out bits = { out, 0, 0 };
    uint32_t mask = (UINT32_C(1) << d) - 1;
    for (size_t i = 0; i < N; i++) {
        uint32_t numerator = ((uint32_t)f[i] << d) + (Q - 1) / 2;
        cv_put_bits(&bits, (uint32_t)(numerator * UINT64_C(330282857) >> 40) & mask, d);
    }
}

/* round(q y / 2^d). */
void cv_portable_mlkem_decompress(uint16_t f[N], const uint8_t *in, unsigned d)
{
    struct cv_bits_in bits = { in, 0, 0 };
    uint32_t half = UINT32_C(1) << (d - 1);
    for (size_t i = 0; i < N; i++)
        f[i] = (uint16_t)((cv_get_bits(&bits, d) * Q + half) >> d);
}

/* ML-DSA: encoding of polynomials (FIPS 204, 7.1). */
#include "bits.h"
#include "mldsa.h"

/* SimpleBitPack (algorithm 16). */
void cv_portable_mldsa_pack(uint8_t *out, const uint32_t f[N], unsigned d)
{
    struct cv_bits_out bits = { out, 0, 0 };
    for (size_t i = 0; i < N; i++)
        cv_put_bits(&bits, f[i], d);
}

void cv_portable_mldsa_unpack(uint32_t f[N], const uint8_t *in, unsigned d)
{
    struct cv_bits_in bits = { in, 0, 0 };
    for (size_t i = 0; i < N; i++)
        f[i] = cv_get_bits(&bits, d);
}

/* BitPack (algorithm 17): top - f. */
void cv_portable_mldsa_pack_below(uint8_t *out, const uint32_t f[N], unsigned d, uint32_t top)
{
    struct cv_bits_out bits = { out, 0, 0 };
    for (size_t i = 0; i < N; i++)
        cv_put_bits(&bits, cv_mldsa_positive(top - f[i]), d);
}

void cv_portable_mldsa_unpack_below(uint32_t f[N], const uint8_t *in, unsigned d, uint32_t top)
{
    struct cv_bits_in bits = { in, 0, 0 };
    for (size_t i = 0; i < N; i++)
        f[i] = cv_mldsa_positive(top - cv_get_bits(&bits, d));
}

/* SHA-2 (FIPS 180-4): initial values. */
#include "hash.h"

/* 5.3.3: square roots of the first eight primes. */
static const uint32_t initial_256[8] CV_INITIAL = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

/* 5.3.5: the same, with 64 bits. */
static const uint64_t initial_512[8] = {
    UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
    UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
    UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
};

/* 5.3.4: square roots of the ninth to sixteenth prime. */
static const uint64_t initial_384[8] = {
    UINT64_C(0xcbbb9d5dc1059ed8), UINT64_C(0x629a292a367cd507), UINT64_C(0x9159015a3070dd17),
    UINT64_C(0x152fecd8f70e5939), UINT64_C(0x67332667ffc00b31), UINT64_C(0x8eb44a8768581511),
    UINT64_C(0xdb0c2e0d64f98fa7), UINT64_C(0x47b5481dbefa4fa4),
};

/* 5.3.2: the low halves of SHA-384's. */
static const uint32_t initial_224[8] CV_INITIAL = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
};

/* 5.3.6: the hash of "SHA-512/t" by SHA-512 with initial words XORed with 0xa5a5a5a5a5a5a5a5. */
static const uint64_t initial_512_224[8] = {
    UINT64_C(0x8c3d37c819544da2), UINT64_C(0x73e1996689dcd4d6), UINT64_C(0x1dfab7ae32ff9c82),
    UINT64_C(0x679dd514582f9fcf), UINT64_C(0x0f6d2b697bd44da8), UINT64_C(0x77e36f7304c48942),
    UINT64_C(0x3f9d85a86a1d36c8), UINT64_C(0x1112e6ad91d692a1),
};
static const uint64_t initial_512_256[8] = {
    UINT64_C(0x22312194fc2bf72c), UINT64_C(0x9f555fa3c84c64c2), UINT64_C(0x2393b86b6f53b151),
    UINT64_C(0x963877195940eabd), UINT64_C(0x96283ee2a88effe3), UINT64_C(0xbe5e1e2553863992),
    UINT64_C(0x2b0199fc2c85b8aa), UINT64_C(0x0eb72ddc81c52ca2),
};

static void compress_256(cv_hash *h, const uint8_t *data, size_t blocks)
{
    cv_hash_kernels()->sha256(h->state.w32, data, blocks);
}

static void compress_512(cv_hash *h, const uint8_t *data, size_t blocks)
{
    cv_hash_kernels()->sha512(h->state.w64, data, blocks);
}

#define SHA256(out, from) \
    { .size = out, \
      .block = 64, \
      .words = 8, \
      .initial = (const cv_pair *)from, \
      .compress = compress_256, \
      .finish = cv_finish_be32 }
#define SHA512(out, from) \
    { .size = out, \
      .block = 128, \
      .words = 16, \
      .initial = (const cv_pair *)from, \
      .compress = compress_512, \
      .finish = cv_finish_be64 }

const cv_hash_kind cv_sha224 = SHA256(28, initial_224), cv_sha256 = SHA256(32, initial_256);
const cv_hash_kind cv_sha384 = SHA512(48, initial_384), cv_sha512 = SHA512(64, initial_512);
const cv_hash_kind cv_sha512_224 = SHA512(28, initial_512_224), cv_sha512_256 = SHA512(32, initial_512_256);

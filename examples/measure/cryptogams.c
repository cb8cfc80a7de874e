/* Measures kernels of Cryptogams for RISC-V (https://github.com/dot-asm/cryptogams), whose comments state cycles on boards:
 * docs/silicon.md compares them with core models. The kernels themselves are not here. */
#include <capvec/measure.h>
#include <string.h>

void sha256_block_data_order(uint32_t state[8], const void *in, size_t blocks);
void sha512_block_data_order(uint64_t state[8], const void *in, size_t blocks);
size_t SHA3_absorb(uint64_t state[5][5], const uint8_t *in, size_t len, size_t rate);
void ChaCha20_ctr32(uint8_t *out, const uint8_t *in, size_t len, const uint32_t key[8], const uint32_t counter[4]);
void ChaCha20_ctr32_v(uint8_t *out, const uint8_t *in, size_t len, const uint32_t key[8], const uint32_t counter[4]);
void ChaCha20_ctr32_vx(uint8_t *out, const uint8_t *in, size_t len, const uint32_t key[8], const uint32_t counter[4]);
void poly1305_init(void *state, const uint8_t key[16], void *functions);
void poly1305_blocks(void *state, const uint8_t *in, size_t len, uint32_t pad_bit);
void poly1305_blocks_vx(void *state, const uint8_t *in, size_t len, uint32_t pad_bit);
void poly1305_emit(void *state, uint8_t tag[16], const uint32_t nonce[4]);

#define RATE 136 /* bytes of a block of SHA3-256 */

#ifdef __riscv_v
# define CHACHA20 ChaCha20_ctr32_v
# define POLY1305 poly1305_blocks_vx
#else
# define CHACHA20 ChaCha20_ctr32
# define POLY1305 poly1305_blocks
#endif

static uint32_t h256[8], key[8], counter[4];
static uint64_t h512[8], keccak[5][5], mac[64];
static uint8_t *in, *out;

static void prepare(size_t size)
{
    static const uint8_t r[32] __attribute__((aligned(8))) = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    in = capvec_buffer(size + 1, 64);
    out = capvec_buffer(size, 64);
    poly1305_init(mac, r, mac + 32);
}

/* FIPS 180-4, the message "abc". */
static int sha2_is_right(void)
{
    uint32_t a[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    uint8_t block[128] = { 'a', 'b', 'c', 0x80 };
    block[63] = 24;
    sha256_block_data_order(a, block, 1);
    return a[0] == 0xba7816bf && a[7] == 0xf20015ad;
}

static int sha512_is_right(void)
{
    uint64_t a[8] = { 0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                      0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179 };
    uint8_t block[128] = { 'a', 'b', 'c', 0x80 };
    block[127] = 24;
    sha512_block_data_order(a, block, 1);
    return a[0] == 0xddaf35a193617aba && a[7] == 0x2a9ac94fa54ca49f;
}

/* FIPS 202, the empty message; the digest is the state's beginning. */
static int sha3_is_right(void)
{
    uint64_t state[5][5] = { { 0 } };
    uint8_t block[RATE] = { 6 };
    block[RATE - 1] = 0x80;
    SHA3_absorb(state, block, RATE, RATE);
    return memcmp(state, "\xa7\xff\xc6\xf8\xbf\x1e\xd7\x66", 8) == 0;
}

/* RFC 8439, section 2.3.2. */
static int chacha20_is_right(void (*encrypt)(uint8_t *, const uint8_t *, size_t, const uint32_t *, const uint32_t *))
{
    static const uint32_t nonce[4] = { 1, 0x09000000, 0x4a000000, 0 };
    uint32_t k[8], zero[64] = { 0 }, stream[64];
    for (int i = 0; i < 8; i++)
        k[i] = 0x03020100u + 0x04040404u * (uint32_t)i;
    encrypt((uint8_t *)stream, (const uint8_t *)zero, sizeof stream, k, nonce);
    return stream[0] == 0xe4e7f110 && stream[15] == 0x4e3c50a2;
}

/* RFC 8439, section 2.5.2. */
static int poly1305_is_right(void)
{
    static const uint8_t k[16] __attribute__((aligned(8))) = { 0x85, 0xd6, 0xbe, 0x78, 0x57, 0x55, 0x6d, 0x33,
                                                               0x7f, 0x44, 0x52, 0xfe, 0x42, 0xd5, 0x06, 0xa8 };
    static const uint32_t nonce[4] = { 0x8a800301, 0xfdb20dfb, 0xaff6bf4a, 0x1bf54941 };
    static const uint8_t expected[16] = { 0xa8, 0x06, 0x1d, 0xc1, 0x30, 0x51, 0x36, 0xc6,
                                          0xc2, 0x2b, 0x8b, 0xaf, 0x0c, 0x01, 0x27, 0xa9 };
    uint8_t text[48] __attribute__((aligned(8))) = "Cryptographic Forum Research Group\x01", tag[16];
    uint64_t state[64];
    poly1305_init(state, k, state + 32);
    poly1305_blocks(state, text, 32, 1);
    poly1305_blocks(state, text + 32, 16, 0);
    poly1305_emit(state, tag, nonce);
    return memcmp(tag, expected, sizeof tag) == 0;
}

CAPVEC_SETUP(prepare)
CAPVEC_CHECK("sha256", sha2_is_right())
CAPVEC_CHECK("sha512", sha512_is_right())
CAPVEC_CHECK("sha3-256", sha3_is_right())
CAPVEC_CHECK("chacha20", chacha20_is_right(CHACHA20))
CAPVEC_CHECK("poly1305", poly1305_is_right())
CAPVEC_MEASURE("sha256", n, sha256_block_data_order(h256, in, n / 64))
CAPVEC_MEASURE("sha512", n, sha512_block_data_order(h512, in, n / 128))
CAPVEC_MEASURE("sha3-256", n, SHA3_absorb(keccak, in, n, RATE))
CAPVEC_MEASURE("chacha20", n, CHACHA20(out, in, n, key, counter))
CAPVEC_MEASURE("chacha20-misaligned", n, ChaCha20_ctr32(out, in + 1, n, key, counter))
CAPVEC_MEASURE("poly1305", n, POLY1305(mac, in, n, 1))
#ifdef __riscv_v
CAPVEC_CHECK("chacha20-vertical", chacha20_is_right(ChaCha20_ctr32_vx))
CAPVEC_MEASURE("chacha20-vertical", n, ChaCha20_ctr32_vx(out, in, n, key, counter))
#endif

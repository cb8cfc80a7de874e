/* Kernels for 64-bit RISC-V, grouped by the extensions that they need. */
#include "caps_table.h"
#include "operations.h"

/* Prototypes, by the kind of kernel; BOTH: for both directions. */
#define EXPAND(name) void name(cv_block_key *key, const uint8_t *bytes, unsigned bits)
#define BOTH(one, name) \
    one(name##_encrypt); \
    one(name##_decrypt)
#define ECB(name) void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks)
#define CHAIN(name) \
    void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv)
#define CTR32(name) \
    void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv, \
              uint32_t counter)
#define XTS(name) void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *tweak)
#define GCM(name) \
    void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, const uint8_t *iv, \
              uint32_t counter, const cv_ghash_key *hash, uint8_t *y)
#define MAC(name) void name(const cv_block_key *key, uint8_t *mac, const uint8_t *in, size_t blocks)
#define OCB(name) void name(const cv_block_key *key, uint8_t *out, const uint8_t *in, size_t blocks, cv_ocb *ocb)
#define GHASH(name) void name(const cv_ghash_key *key, uint8_t *y, const uint8_t *in, size_t blocks)

EXPAND(cv_aes_zkn_key);
BOTH(ECB, cv_aes_zkn_ecb);
CHAIN(cv_aes_zkn_cbc_encrypt);
CHAIN(cv_aes_zkn_cfb_encrypt);
MAC(cv_aes_zkn_mac);
EXPAND(cv_aes_zvkned_expand);
BOTH(ECB, cv_aes_zvkned_ecb);
BOTH(CHAIN, cv_aes_zvkned_cbc);
BOTH(CHAIN, cv_aes_zvkned_cfb);
MAC(cv_aes_zvkned_mac);
BOTH(OCB, cv_aes_zvkned_ocb);
CTR32(cv_aes_zvkned_zvkb_ctr32);
BOTH(XTS, cv_aes_zvkned_xts);
BOTH(XTS, cv_aes_zvkned_zvkb_zvkg_xts);
BOTH(GCM, cv_aes_zvkned_zvkb_zvkg_gcm);
BOTH(GCM, cv_aes_zvkned_zvkb_zvkgs0p7_gcm);
GHASH(cv_ghash_zbkc_zbkb);
GHASH(cv_ghash_zvbc32e0p7);
GHASH(cv_ghash_zvbc_zvkb);
GHASH(cv_ghash_zvkg);
GHASH(cv_ghash_zvkgs0p7);
EXPAND(cv_sm4_zksed_zbkb_expand);
BOTH(ECB, cv_sm4_zksed_zbkb_ecb);
CHAIN(cv_sm4_zksed_zbkb_cbc_encrypt);
CHAIN(cv_sm4_zksed_zbkb_cfb_encrypt);
MAC(cv_sm4_zksed_zbkb_mac);
EXPAND(cv_sm4_zvksed_zvkb_expand);
BOTH(ECB, cv_sm4_zvksed_zvkb_ecb);
BOTH(CHAIN, cv_sm4_zvksed_zvkb_cbc);
BOTH(CHAIN, cv_sm4_zvksed_zvkb_cfb);
MAC(cv_sm4_zvksed_zvkb_mac);
CTR32(cv_sm4_zvksed_zvkb_ctr32);
BOTH(XTS, cv_sm4_zvksed_zvkb_xts);
BOTH(XTS, cv_sm4_zvksed_zvkb_xts_gb);
BOTH(XTS, cv_sm4_zvksed_zvkb_zvkg_xts);
BOTH(XTS, cv_sm4_zvksed_zvkb_zvkg_xts_gb);
BOTH(GCM, cv_sm4_zvksed_zvkb_zvkg_gcm);
BOTH(GCM, cv_sm4_zvksed_zvkb_zvkgs0p7_gcm);

/* Hashes: one file each. */
void cv_sha256_zvknha_zvkb(uint32_t state[8], const uint8_t *data, size_t blocks);
void cv_sha512_zvknhb_zvkb(uint64_t state[8], const uint8_t *data, size_t blocks);
void cv_sm3_zvksh_zvkb(uint32_t state[8], const uint8_t *data, size_t blocks);
/* Scalar ones: aligned.c. */
void cv_sha256_zbb(uint32_t state[8], const uint8_t *data, size_t blocks);
void cv_sha256_zknh_zbb(uint32_t state[8], const uint8_t *data, size_t blocks);
void cv_sha512_zbb(uint64_t state[8], const uint8_t *data, size_t blocks);
void cv_sha512_zknh_zbb(uint64_t state[8], const uint8_t *data, size_t blocks);
void cv_sm3_zbb(uint32_t state[8], const uint8_t *data, size_t blocks);
void cv_sm3_zksh_zbb(uint32_t state[8], const uint8_t *data, size_t blocks);
#define MANY(name) \
    void name(uint64_t *states, size_t stride, const uint8_t *const *data, size_t blocks, size_t lanes, size_t count)
MANY(cv_keccak_many_v);
MANY(cv_keccak_many_zvkb);
void cv_keccak_extract_v(const uint64_t *states, size_t stride, uint8_t *const *out, size_t lanes, size_t count);
void cv_keccak_zbb(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes);
#define KECCAK(name) \
    void name(uint64_t state[25], const uint8_t *data, size_t blocks, size_t lanes); \
    void name##_squeeze(uint64_t state[25], uint8_t *out, size_t blocks, size_t lanes)
KECCAK(cv_keccak_zvkk0p2024);
KECCAK(cv_keccak_zvknhk0p1);
KECCAK(cv_keccak_zvknhk0p2);
/* ChaCha20 and Poly1305. */
void cv_chacha20_zbb(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t state[16]);
void cv_chacha20_v(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t state[16]);
void cv_chacha20_zvkb(uint8_t *out, const uint8_t *in, size_t blocks, const uint32_t state[16]);
void cv_poly1305_m(uint64_t h[3], const uint64_t r[2], const uint8_t *data, size_t blocks);
void cv_poly1305_v(uint64_t h[3], const uint64_t r[2], const uint8_t *data, size_t blocks);
/* ML-DSA. */
#define MLDSA_RING(suffix) \
    void cv_mldsa_ntt_##suffix(uint32_t f[256]); \
    void cv_mldsa_inverse_##suffix(uint32_t f[256]); \
    void cv_mldsa_multiply_##suffix(uint32_t h[256], const uint32_t *f, const uint32_t *g, size_t n)
MLDSA_RING(v);
MLDSA_RING(xcapvecmulq0p1);
void cv_mldsa_add_v(uint32_t h[256], const uint32_t f[256], const uint32_t g[256]);
void cv_mldsa_subtract_v(uint32_t h[256], const uint32_t f[256], const uint32_t g[256]);
size_t cv_mldsa_reject_v(uint32_t *out, size_t room, const uint8_t *bytes, size_t len);
size_t cv_mldsa_reject_small_v(uint32_t *out, size_t room, const uint8_t *bytes, size_t len, unsigned eta);
void cv_mldsa_shift_v(uint32_t f[256]);
void cv_mldsa_round_v(uint32_t high[256], uint32_t low[256], const uint32_t f[256]);
void cv_mldsa_decompose_v(uint32_t high[256], uint32_t low[256], const uint32_t f[256], uint32_t gamma2);
int cv_mldsa_exceeds_v(const uint32_t f[256], uint32_t bound);
size_t cv_mldsa_make_hint_v(uint32_t h[256], const uint32_t f[256], const uint32_t g[256], uint32_t gamma2);
void cv_mldsa_use_hint_v(uint32_t high[256], const uint32_t f[256], const uint32_t h[256], uint32_t gamma2);
void cv_mldsa_pack_v(uint8_t *out, const uint32_t f[256], unsigned d);
void cv_mldsa_unpack_v(uint32_t f[256], const uint8_t *in, unsigned d);
void cv_mldsa_pack_below_v(uint8_t *out, const uint32_t f[256], unsigned d, uint32_t top);
void cv_mldsa_unpack_below_v(uint32_t f[256], const uint8_t *in, unsigned d, uint32_t top);
/* ML-KEM. */
int cv_mlkem_same_v(const uint8_t *a, const uint8_t *b, size_t len);
#define MLKEM_RING(suffix) \
    void cv_mlkem_ntt_##suffix(uint16_t f[256]); \
    void cv_mlkem_inverse_##suffix(uint16_t f[256]); \
    void cv_mlkem_multiply_##suffix(uint16_t h[256], const uint16_t *f, size_t step, const uint16_t *g, size_t k)
MLKEM_RING(v);
MLKEM_RING(xcapvecmulq0p1);
void cv_mlkem_add_v(uint16_t h[256], const uint16_t f[256], const uint16_t g[256]);
void cv_mlkem_add_reduced_v(uint16_t h[256], const uint16_t f[256], const uint16_t g[256]);
void cv_mlkem_subtract_v(uint16_t h[256], const uint16_t f[256], const uint16_t g[256]);
size_t cv_mlkem_reject_v(uint16_t *out, size_t room, const uint8_t *bytes, size_t len);
void cv_mlkem_cbd2_v(uint16_t f[256], const uint8_t bytes[128]);
void cv_mlkem_cbd3_v(uint16_t f[256], const uint8_t bytes[192]);
void cv_mlkem_pack_v(uint8_t *out, const uint16_t f[256]);
int cv_mlkem_unpack_v(uint16_t f[256], const uint8_t *in);
void cv_mlkem_compress_v(uint8_t *out, const uint16_t f[256], unsigned d);
void cv_mlkem_decompress_v(uint16_t f[256], const uint8_t *in, unsigned d);

static const struct cv_backend backends[] = {
#ifndef CV_NO_AES
    {
        .name = "aes_zkn",
        .needs = CV_CAP_ZKNE | CV_CAP_ZKND,
        .aes = {
            .expand = cv_aes_zkn_key,
            .ecb_encrypt = cv_aes_zkn_ecb_encrypt,
            .ecb_decrypt = cv_aes_zkn_ecb_decrypt,
            .cbc_encrypt = cv_aes_zkn_cbc_encrypt,
            .cfb_encrypt = cv_aes_zkn_cfb_encrypt,
            .mac = cv_aes_zkn_mac,
        },
    },
#endif
#ifndef CV_NO_GCM
    /* Scalar products are faster on karu64, and for short messages everywhere (docs/drafts.md). */
    {
        .name = "ghash_zvbc32e0p7",
        .needs = CV_CAP_V | CV_CAP_ZVBC32E0P7 | CV_CAP_ZVKB,
        .ghash.blocks = cv_ghash_zvbc32e0p7,
    },
    {
        .name = "ghash_zbkc_zbkb",
        .needs = CV_CAP_ZBKC | CV_CAP_ZBKB,
        .ghash.blocks = cv_ghash_zbkc_zbkb,
    },
#endif
#ifndef CV_NO_AES
    {
        .name = "aes_zvkned",
        .needs = CV_CAP_V | CV_CAP_ZVKNED,
        .aes = {
            .expand = cv_aes_zvkned_expand,
            .ecb_encrypt = cv_aes_zvkned_ecb_encrypt,
            .ecb_decrypt = cv_aes_zvkned_ecb_decrypt,
            .cbc_encrypt = cv_aes_zvkned_cbc_encrypt,
            .cbc_decrypt = cv_aes_zvkned_cbc_decrypt,
            .cfb_encrypt = cv_aes_zvkned_cfb_encrypt,
            .cfb_decrypt = cv_aes_zvkned_cfb_decrypt,
            .mac = cv_aes_zvkned_mac,
# ifndef CV_NO_XTS
            .xts_encrypt = cv_aes_zvkned_xts_encrypt,
            .xts_decrypt = cv_aes_zvkned_xts_decrypt,
# endif
# ifndef CV_NO_OCB
            .ocb_encrypt = cv_aes_zvkned_ocb_encrypt,
            .ocb_decrypt = cv_aes_zvkned_ocb_decrypt,
# endif
        },
    },
    {
        .name = "aes_zvkned_zvkb",
        .needs = CV_CAP_V | CV_CAP_ZVKNED | CV_CAP_ZVKB,
        .aes = {
            .ctr32 = cv_aes_zvkned_zvkb_ctr32,
        },
    },
    {
        .name = "aes_zvkned_zvkb_zvkg",
        .needs = CV_CAP_V | CV_CAP_ZVKNED | CV_CAP_ZVKB | CV_CAP_ZVKG,
        .aes = {
# ifndef CV_NO_XTS
            .xts_encrypt = cv_aes_zvkned_zvkb_zvkg_xts_encrypt,
            .xts_decrypt = cv_aes_zvkned_zvkb_zvkg_xts_decrypt,
# endif
# ifndef CV_NO_GCM
            .gcm_encrypt = cv_aes_zvkned_zvkb_zvkg_gcm_encrypt,
            .gcm_decrypt = cv_aes_zvkned_zvkb_zvkg_gcm_decrypt,
# endif
        },
    },
# ifndef CV_NO_GCM
    {
        .name = "aes_zvkned_zvkb_zvkgs0p7",
        .needs = CV_CAP_V | CV_CAP_ZVKNED | CV_CAP_ZVKB | CV_CAP_ZVKG | CV_CAP_ZVKGS0P7,
        .aes = {
            .gcm_encrypt = cv_aes_zvkned_zvkb_zvkgs0p7_gcm_encrypt,
            .gcm_decrypt = cv_aes_zvkned_zvkb_zvkgs0p7_gcm_decrypt,
        },
    },
# endif
#endif
#ifndef CV_NO_GCM
    {
        .name = "ghash_zvbc_zvkb",
        .needs = CV_CAP_V | CV_CAP_ZVBC | CV_CAP_ZVKB,
        .ghash.blocks = cv_ghash_zvbc_zvkb,
    },
    {
        .name = "ghash_zvkg",
        .needs = CV_CAP_V | CV_CAP_ZVKG,
        .ghash.blocks = cv_ghash_zvkg,
    },
    {
        .name = "ghash_zvkgs0p7",
        .needs = CV_CAP_V | CV_CAP_ZVKG | CV_CAP_ZVKGS0P7,
        .ghash.blocks = cv_ghash_zvkgs0p7,
    },
#endif
#ifndef CV_NO_SM4
    {
        .name = "sm4_zksed_zbkb",
        .needs = CV_CAP_ZKSED | CV_CAP_ZBKB,
        .sm4 = {
            .expand = cv_sm4_zksed_zbkb_expand,
            .ecb_encrypt = cv_sm4_zksed_zbkb_ecb_encrypt,
            .ecb_decrypt = cv_sm4_zksed_zbkb_ecb_decrypt,
            .cbc_encrypt = cv_sm4_zksed_zbkb_cbc_encrypt,
            .cfb_encrypt = cv_sm4_zksed_zbkb_cfb_encrypt,
            .mac = cv_sm4_zksed_zbkb_mac,
        },
    },
    {
        .name = "sm4_zvksed_zvkb",
        .needs = CV_CAP_V | CV_CAP_ZVKSED | CV_CAP_ZVKB,
        .sm4 = {
            .expand = cv_sm4_zvksed_zvkb_expand,
            .ecb_encrypt = cv_sm4_zvksed_zvkb_ecb_encrypt,
            .ecb_decrypt = cv_sm4_zvksed_zvkb_ecb_decrypt,
            .cbc_encrypt = cv_sm4_zvksed_zvkb_cbc_encrypt,
            .cbc_decrypt = cv_sm4_zvksed_zvkb_cbc_decrypt,
            .cfb_encrypt = cv_sm4_zvksed_zvkb_cfb_encrypt,
            .cfb_decrypt = cv_sm4_zvksed_zvkb_cfb_decrypt,
            .ctr32 = cv_sm4_zvksed_zvkb_ctr32,
            .mac = cv_sm4_zvksed_zvkb_mac,
# ifndef CV_NO_XTS
            .xts_encrypt = cv_sm4_zvksed_zvkb_xts_encrypt,
            .xts_decrypt = cv_sm4_zvksed_zvkb_xts_decrypt,
            .xts_gb_encrypt = cv_sm4_zvksed_zvkb_xts_gb_encrypt,
            .xts_gb_decrypt = cv_sm4_zvksed_zvkb_xts_gb_decrypt,
# endif
        },
    },
    {
        .name = "sm4_zvksed_zvkb_zvkg",
        .needs = CV_CAP_V | CV_CAP_ZVKSED | CV_CAP_ZVKB | CV_CAP_ZVKG,
        .sm4 = {
# ifndef CV_NO_XTS
            .xts_encrypt = cv_sm4_zvksed_zvkb_zvkg_xts_encrypt,
            .xts_decrypt = cv_sm4_zvksed_zvkb_zvkg_xts_decrypt,
            .xts_gb_encrypt = cv_sm4_zvksed_zvkb_zvkg_xts_gb_encrypt,
            .xts_gb_decrypt = cv_sm4_zvksed_zvkb_zvkg_xts_gb_decrypt,
# endif
# ifndef CV_NO_GCM
            .gcm_encrypt = cv_sm4_zvksed_zvkb_zvkg_gcm_encrypt,
            .gcm_decrypt = cv_sm4_zvksed_zvkb_zvkg_gcm_decrypt,
# endif
        },
    },
# ifndef CV_NO_GCM
    {
        .name = "sm4_zvksed_zvkb_zvkgs0p7",
        .needs = CV_CAP_V | CV_CAP_ZVKSED | CV_CAP_ZVKB | CV_CAP_ZVKG | CV_CAP_ZVKGS0P7,
        .sm4 = {
            .gcm_encrypt = cv_sm4_zvksed_zvkb_zvkgs0p7_gcm_encrypt,
            .gcm_decrypt = cv_sm4_zvksed_zvkb_zvkgs0p7_gcm_decrypt,
        },
    },
# endif
#endif
    {
        .name = "sha256_zbb, sha512_zbb, sm3_zbb, keccak_zbb, chacha20_zbb",
        .needs = CV_CAP_ZBB,
        .hash = {
#ifndef CV_NO_SHA2
            .sha256 = cv_sha256_zbb,
            .sha512 = cv_sha512_zbb,
#endif
#ifndef CV_NO_SM3
            .sm3 = cv_sm3_zbb,
#endif
#ifndef CV_NO_SHA3
            .keccak = cv_keccak_zbb,
#endif
        },
#ifndef CV_NO_CHACHA20
        .chacha.chacha20 = cv_chacha20_zbb,
#endif
    },
#ifndef CV_NO_SHA2
    {
        .name = "sha256_zknh_zbb, sha512_zknh_zbb",
        .needs = CV_CAP_ZBB | CV_CAP_ZKNH,
        .hash = {
            .sha256 = cv_sha256_zknh_zbb,
            .sha512 = cv_sha512_zknh_zbb,
        },
    },
#endif
#ifndef CV_NO_SM3
    {
        .name = "sm3_zksh_zbb",
        .needs = CV_CAP_ZBB | CV_CAP_ZKSH,
        .hash.sm3 = cv_sm3_zksh_zbb,
    },
#endif
#ifndef CV_NO_SHA2
    {
        .name = "sha256_zvknha_zvkb",
        .needs = CV_CAP_V | CV_CAP_ZVKNHA | CV_CAP_ZVKB,
        .hash.sha256 = cv_sha256_zvknha_zvkb,
    },
    {
        .name = "sha512_zvknhb_zvkb",
        .needs = CV_CAP_V | CV_CAP_ZVKNHB | CV_CAP_ZVKB,
        .hash.sha512 = cv_sha512_zvknhb_zvkb,
    },
#endif
#ifndef CV_NO_SM3
    {
        .name = "sm3_zvksh_zvkb",
        .needs = CV_CAP_V | CV_CAP_ZVKSH | CV_CAP_ZVKB,
        .hash.sm3 = cv_sm3_zvksh_zvkb,
    },
#endif
#if defined(__riscv_mul) && !defined(CV_NO_POLY1305)
    {
        .name = "poly1305_m",
        .needs = CV_CAP_M,
        .chacha.poly1305 = cv_poly1305_m,
    },
#endif
    {
        .name = "chacha20_v, poly1305_v, keccak_many_v, keccak_extract_v",
        .needs = CV_CAP_V,
        .lanes = 1,
#ifndef CV_NO_SHA3
        .hash = {
            .keccak_many = cv_keccak_many_v,
            .keccak_extract = cv_keccak_extract_v,
        },
#endif
        .chacha = {
#ifndef CV_NO_CHACHA20
            .chacha20 = cv_chacha20_v,
#endif
#ifndef CV_NO_POLY1305
            .poly1305 = cv_poly1305_v,
#endif
        },
    },
    {
        .name = "chacha20_zvkb, keccak_many_zvkb",
        .needs = CV_CAP_V | CV_CAP_ZVKB,
        .lanes = 1,
#ifndef CV_NO_SHA3
        .hash.keccak_many = cv_keccak_many_zvkb,
#endif
#ifndef CV_NO_CHACHA20
        .chacha.chacha20 = cv_chacha20_zvkb,
#endif
    },
#ifndef CV_NO_MLDSA
    {
        .name = "mldsa_ntt_v, mldsa_multiply_v",
        .needs = CV_CAP_V,
        .mldsa = {
            .ntt = cv_mldsa_ntt_v,
            .inverse = cv_mldsa_inverse_v,
            .multiply = cv_mldsa_multiply_v,
        },
    },
    {
        .name = "mldsa_xcapvecmulq0p1",
        .needs = CV_CAP_V | CV_CAP_XCAPVECMULQ0P1,
        .mldsa = {
            .ntt = cv_mldsa_ntt_xcapvecmulq0p1,
            .inverse = cv_mldsa_inverse_xcapvecmulq0p1,
            .multiply = cv_mldsa_multiply_xcapvecmulq0p1,
        },
    },
    {
        .name = "mldsa_poly_v",
        .needs = CV_CAP_V,
        .mldsa = {
            .add = cv_mldsa_add_v,
            .subtract = cv_mldsa_subtract_v,
            .shift = cv_mldsa_shift_v,
            .round = cv_mldsa_round_v,
            .decompose = cv_mldsa_decompose_v,
            .exceeds = cv_mldsa_exceeds_v,
            .make_hint = cv_mldsa_make_hint_v,
            .use_hint = cv_mldsa_use_hint_v,
        },
    },
    {
        .name = "mldsa_sample_v",
        .needs = CV_CAP_V,
        .mldsa = {
            .reject = cv_mldsa_reject_v,
            .reject_small = cv_mldsa_reject_small_v,
        },
    },
    {
        .name = "mldsa_pack_v",
        .needs = CV_CAP_V,
        .mldsa = {
            .pack = cv_mldsa_pack_v,
            .unpack = cv_mldsa_unpack_v,
            .pack_below = cv_mldsa_pack_below_v,
            .unpack_below = cv_mldsa_unpack_below_v,
        },
    },
#endif
#ifndef CV_NO_MLKEM
    {
        .name = "mlkem_ntt_v",
        .needs = CV_CAP_V,
        .mlkem = {
            .ntt = cv_mlkem_ntt_v,
            .inverse = cv_mlkem_inverse_v,
        },
    },
    {
        .name = "mlkem_multiply_v",
        .needs = CV_CAP_V,
        .mlkem.multiply = cv_mlkem_multiply_v,
    },
    {
        .name = "mlkem_xcapvecmulq0p1",
        .needs = CV_CAP_V | CV_CAP_XCAPVECMULQ0P1,
        .mlkem = {
            .ntt = cv_mlkem_ntt_xcapvecmulq0p1,
            .inverse = cv_mlkem_inverse_xcapvecmulq0p1,
            .multiply = cv_mlkem_multiply_xcapvecmulq0p1,
        },
    },
    {
        .name = "mlkem_poly_v",
        .needs = CV_CAP_V,
        .mlkem = {
            .add = cv_mlkem_add_v,
            .subtract = cv_mlkem_subtract_v,
            .add_reduced = cv_mlkem_add_reduced_v,
        },
    },
    {
        .name = "mlkem_sample_v",
        .needs = CV_CAP_V,
        .mlkem = {
            .reject = cv_mlkem_reject_v,
            .cbd2 = cv_mlkem_cbd2_v,
            .cbd3 = cv_mlkem_cbd3_v,
        },
    },
    {
        .name = "mlkem_pack_v",
        .needs = CV_CAP_V,
        .mlkem = {
            .same = cv_mlkem_same_v,
            .pack = cv_mlkem_pack_v,
            .unpack = cv_mlkem_unpack_v,
            .compress = cv_mlkem_compress_v,
            .decompress = cv_mlkem_decompress_v,
        },
    },
#endif
#ifndef CV_NO_SHA3
    {
        .name = "keccak_zvkk0p2024",
        .needs = CV_CAP_V | CV_CAP_ZVKK0P2024,
        .hash = {
            .keccak = cv_keccak_zvkk0p2024,
            .keccak_squeeze = cv_keccak_zvkk0p2024_squeeze,
        },
    },
    {
        .name = "keccak_zvknhk0p1",
        .needs = CV_CAP_V | CV_CAP_ZVKNHK0P1,
        .hash = {
            .keccak = cv_keccak_zvknhk0p1,
            .keccak_squeeze = cv_keccak_zvknhk0p1_squeeze,
        },
    },
    {
        .name = "keccak_zvknhk0p2",
        .needs = CV_CAP_V | CV_CAP_ZVKNHK0P2,
        .hash = {
            .keccak = cv_keccak_zvknhk0p2,
            .keccak_squeeze = cv_keccak_zvknhk0p2_squeeze,
        },
    },
#endif
};

const struct cv_backend *cv_native_backend(cv_token token, size_t *next)
{
    return cv_next_backend(backends, sizeof backends / sizeof *backends, token, next);
}

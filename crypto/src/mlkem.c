/* ML-KEM (FIPS 203): encapsulation and decapsulation. */
#include "mlkem.h"

/* Secrets of K-PKE.Encrypt and K-PKE.Decrypt. */
struct work {
    uint16_t y[MOST_K][N], sum[N], other[N];
    uint8_t noise[CV_MLKEM_NOISES][CV_MLKEM_NOISE];
};

/* All noise of an encryption: for y with `eta1`, for the rest with 2. */
static void draw(struct work *w, const uint8_t random[32], unsigned k, unsigned eta1)
{
    size_t same = eta1 == 2 ? 2 * k + 1 : k;
    cv_mlkem_noise(w->noise, random, 0, same, eta1);
    cv_mlkem_noise(w->noise + same, random, (uint8_t)same, 2 * k + 1 - same, 2);
}

/* K-PKE.Encrypt (algorithm 14) of `message` with the randomness `random`. */
CV_OWN_FRAME void encrypt(const cv_mlkem_key *key, uint8_t *ciphertext, const uint8_t message[32],
                          const uint8_t random[32])
{
    const struct cv_mlkem_ops *ops = cv_mlkem_kernels();
    const cv_mlkem_kind *kind = key->kind;
    unsigned k = kind->k;
    struct work w __attribute__((aligned(8)));
    draw(&w, random, k, kind->eta1);
    for (unsigned i = 0; i < k; i++) {
        cv_mlkem_sample(w.y[i], w.noise[i], kind->eta1);
        ops->ntt(w.y[i]);
    }
    for (unsigned i = 0; i < k; i++, ciphertext += 32 * kind->du) {
        /* A column of the matrix, since it is transposed here. */
        ops->multiply(w.sum, key->matrix[i], (size_t)N * k, w.y[0], k);
        ops->inverse(w.sum);
        cv_mlkem_sample(w.other, w.noise[k + i], 2);
        ops->add(w.sum, w.sum, w.other);
        ops->compress(ciphertext, w.sum, kind->du);
    }
    ops->multiply(w.sum, key->t[0], N, w.y[0], k);
    ops->inverse(w.sum);
    cv_mlkem_sample(w.other, w.noise[2 * k], 2);
    ops->add(w.sum, w.sum, w.other);
    ops->decompress(w.other, message, 1);
    ops->add(w.sum, w.sum, w.other);
    ops->compress(ciphertext, w.sum, kind->dv);
    cv_wipe(&w, sizeof w);
}

/* K-PKE.Decrypt (algorithm 15). */
CV_OWN_FRAME void decrypt(const cv_mlkem_key *key, uint8_t message[32], const uint8_t *ciphertext)
{
    const struct cv_mlkem_ops *ops = cv_mlkem_kernels();
    const cv_mlkem_kind *kind = key->kind;
    unsigned k = kind->k;
    struct work w;
    for (unsigned i = 0; i < k; i++, ciphertext += 32 * kind->du) {
        ops->decompress(w.y[i], ciphertext, kind->du);
        ops->ntt(w.y[i]);
    }
    ops->multiply(w.sum, key->s[0], N, w.y[0], k);
    ops->inverse(w.sum);
    ops->decompress(w.other, ciphertext, kind->dv);
    ops->subtract(w.sum, w.other, w.sum);
    ops->compress(message, w.sum, 1);
    cv_wipe(&w, sizeof w);
}

/* The secret, then the randomness of the encryption: G of the message and the hash of the encapsulation key. */
static void derive(const cv_mlkem_key *key, uint8_t out[64], const uint8_t message[32])
{
    cv_hash h;
    cv_hash_init(&h, &cv_sha3_512);
    cv_hash_update(&h, message, 32);
    cv_hash_update(&h, key->public_hash, 32);
    cv_hash_final(&h, out);
}

int cv_mlkem_encaps(const cv_mlkem_key *key, uint8_t *ciphertext, uint8_t secret[CV_MLKEM_SECRET],
                    const uint8_t random[CV_MLKEM_RANDOM])
{
    struct {
        uint8_t message[32], derived[64];
    } w __attribute__((aligned(8)));
    if (!key->kind || !(key->parts & HAS_PUBLIC))
        return CV_ERR_KEY;
    memcpy(w.message, random, 32);
    derive(key, w.derived, w.message);
    encrypt(key, ciphertext, w.message, w.derived + 32);
    memcpy(secret, w.derived, 32);
    cv_wipe(&w, sizeof w);
    return CV_OK;
}

/* J of z and the ciphertext: the secret of a ciphertext that is rejected. */
static void reject(const cv_mlkem_key *key, uint8_t secret[32], const uint8_t *ciphertext, size_t len)
{
    cv_hash h;
    cv_hash_init(&h, &cv_shake256);
    cv_hash_update(&h, key->seed + 32, 32);
    cv_hash_update(&h, ciphertext, len);
    cv_xof_squeeze(&h, secret, 32);
    cv_wipe(&h, sizeof h);
}

/* Algorithm 18. Nothing that takes time depends on whether the ciphertext is rejected. */
int cv_mlkem_decaps(const cv_mlkem_key *key, uint8_t secret[CV_MLKEM_SECRET], const uint8_t *ciphertext, size_t len)
{
    struct {
        uint8_t message[32], derived[64], rejected[32], again[MOST_CIPHERTEXT];
    } w __attribute__((aligned(8)));
    uint32_t mask;
    if (!key->kind || !(key->parts & HAS_PRIVATE))
        return CV_ERR_KEY;
    if (len != cv_mlkem_ciphertext_size(key->kind))
        return CV_ERR_LENGTH;
    decrypt(key, w.message, ciphertext);
    derive(key, w.derived, w.message);
    reject(key, w.rejected, ciphertext, len);
    encrypt(key, w.again, w.message, w.derived + 32);
    mask = cv_mask((uint32_t)cv_mlkem_kernels()->same(w.again, ciphertext, len));
    for (size_t i = 0; i < 32; i++)
        secret[i] = (uint8_t)(w.rejected[i] ^ ((w.rejected[i] ^ w.derived[i]) & mask));
    cv_wipe(&w, sizeof w);
    return CV_OK;
}

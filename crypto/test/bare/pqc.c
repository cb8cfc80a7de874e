/* One run of each parameter set as in crates/cryptotest/src/accumulated.rs: the inputs are SHAKE128 of the empty string, and
 * SHAKE128 of all outputs is printed, 32 bytes; before it, for each operation, the stack that it took. */
#include "pqc.h"
#include "../../examples/bare/console.h"

static cv_hash inputs, outputs;

void require(int holds, const char *what)
{
    if (holds)
        return;
    print(" failed: ");
    print(what);
    print("\n");
    /* Ends the program like a trap. */
    __builtin_trap();
}

void draw(uint8_t *to, size_t len)
{
    cv_xof_squeeze(&inputs, to, len);
}

void put(const uint8_t *bytes, size_t len)
{
    cv_hash_update(&outputs, bytes, len);
}

void begin_set(const char *name)
{
    cv_hash_init(&inputs, &cv_shake128);
    cv_hash_init(&outputs, &cv_shake128);
    print(name);
}

void end_set(void)
{
    uint8_t digest[32];
    char text[66];
    cv_xof_squeeze(&outputs, digest, sizeof digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        text[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    text[64] = '\n';
    text[65] = 0;
    print(" ");
    print(text);
}

void measure(const char *name, void (*operation)(void))
{
    uint32_t bytes = stack_of(operation);
    print(" ");
    print(name);
    print(":");
    print_number(bytes, 0);
}

static int status;
static uint8_t seed[64];

static cv_mlkem_key kem;
static const cv_mlkem_kind *kem_kind;
static uint8_t kem_public[CV_MLKEM_MAX_PUBLIC], text[CV_MLKEM_MAX_CIPHERTEXT], random[32], secrets[2][32];

static void kem_generate(void)
{
    cv_mlkem_generate(&kem, kem_kind, seed);
}

static void kem_encaps(void)
{
    status = cv_mlkem_encaps(&kem, text, secrets[0], random);
}

static void kem_decaps(void)
{
    status = cv_mlkem_decaps(&kem, secrets[1], text, cv_mlkem_ciphertext_size(kem_kind));
}

static void check_mlkem(const char *name, const cv_mlkem_kind *kind)
{
    size_t len = cv_mlkem_ciphertext_size(kind);
    kem_kind = kind;
    begin_set(name);
    draw(seed, 64);
    measure("keygen", kem_generate);
    require(cv_mlkem_export_public(&kem, kem_public) == CV_OK, "export");
    draw(random, 32);
    measure("encaps", kem_encaps);
    require(status == CV_OK, "encapsulation");
    put(kem_public, cv_mlkem_public_size(kind));
    put(text, len);
    put(secrets[0], 32);
    measure("decaps", kem_decaps);
    for (size_t i = 0; i < 32; i++)
        require(secrets[0][i] == secrets[1][i], "decapsulation");
    draw(text, len);
    kem_decaps();
    require(status == CV_OK, "rejection");
    put(secrets[1], 32);
    end_set();
}

static cv_mldsa_key dsa;
static const cv_mldsa_kind *dsa_kind;
static uint8_t dsa_public[CV_MLDSA_MAX_PUBLIC], dsa_private[CV_MLDSA_MAX_PRIVATE], signature[CV_MLDSA_MAX_SIGNATURE];

static void dsa_generate(void)
{
    cv_mldsa_generate(&dsa, dsa_kind, seed);
}

static void dsa_import(void)
{
    status = cv_mldsa_import_private(&dsa, dsa_kind, dsa_private, cv_mldsa_private_size(dsa_kind));
}

static void dsa_sign(void)
{
    status = cv_mldsa_sign(&dsa, signature, seed, 0, NULL, 0, NULL);
}

static void dsa_verify(void)
{
    status = cv_mldsa_verify(&dsa, signature, cv_mldsa_signature_size(dsa_kind), seed, 0, NULL, 0);
}

static void check_mldsa(const char *name, const cv_mldsa_kind *kind)
{
    dsa_kind = kind;
    begin_set(name);
    draw(seed, 32);
    measure("keygen", dsa_generate);
    require(cv_mldsa_export_public(&dsa, dsa_public) == CV_OK && cv_mldsa_export_private(&dsa, dsa_private) == CV_OK,
            "export");
    measure("import", dsa_import);
    require(status == CV_OK, "import");
    measure("sign", dsa_sign);
    require(status == CV_OK, "signature");
    put(dsa_public, cv_mldsa_public_size(kind));
    put(signature, cv_mldsa_signature_size(kind));
    measure("verify", dsa_verify);
    require(status == CV_OK, "verification");
    signature[50] ^= 1;
    dsa_verify();
    require(status == CV_ERR_SIGNATURE, "refusal");
    end_set();
}

int main(void)
{
    if (cv_init(0) != CV_OK)
        return 2;
    check_mlkem("ML-KEM-512", &cv_mlkem512);
    check_mlkem("ML-KEM-768", &cv_mlkem768);
    check_mlkem("ML-KEM-1024", &cv_mlkem1024);
    check_mldsa("ML-DSA-44", &cv_mldsa44);
    check_mldsa("ML-DSA-65", &cv_mldsa65);
    check_mldsa("ML-DSA-87", &cv_mldsa87);
    check_slhdsa();
    return 0;
}

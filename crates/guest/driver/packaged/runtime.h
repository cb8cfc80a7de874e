/* For libraries of languages whose runtimes compile what is repeated: they are warmed up before anything is measured. */
#ifndef CAPVEC_RUNTIME_H
#define CAPVEC_RUNTIME_H

#include "counter_simulated.h"
#include "language.h"
#include <string.h>

/* Bytes of a message to warm up. */
enum { BYTES = 16384 };

/* The library has these. `load` begins the runtime, if it has not begun; `settle` has it collect its garbage; `fail` ends the process. */
static void load(void);
static void settle(void);
static void fail(const char *what);
/* Writes what GCM makes of a message of BYTES, and then its tag, whatever the direction of the context. */
static int seal(EVP_CIPHER_CTX *ctx, const unsigned char *message, unsigned char *sealed);
static int hash_message(const EVP_MD *md, unsigned char *out, const void *data, size_t len);

/* In the program that measures alone. */
#pragma weak do_probe

/* Repeats an operation on a message until its instructions no longer change, which is when everything is compiled. The program that checks
 * vectors takes what the runtime executes by then, compiled or not. */
static void warm_up(int (*once)(const void *context, unsigned char *message), const void *context)
{
    /* Rounds whose sums are compared, and sums. */
    enum { ROUNDS = 64, MOST = 32 };
    static unsigned char message[BYTES];
    uint64_t before = 0;
    if (!do_probe)
        return;
    for (int n = 0; n < MOST; n++) {
        uint64_t insns = read_instret();
        for (int i = 0; i < ROUNDS; i++)
            if (!once(context, message))
                fail("it does not compute");
        insns = read_instret() - insns;
        if (insns - insns / 64 < before && before < insns + insns / 64) {
            settle();
            return;
        }
        before = insns;
    }
    fail("the instructions of an operation keep changing");
}

/* A message in a context with a key. What GCM decrypts has the right tag: with a wrong one, it would be rejected early. */
static int crypt_once(const void *context, unsigned char *message)
{
    EVP_CIPHER_CTX *ctx = (EVP_CIPHER_CTX *)context;
    int is_gcm = ctx->cipher->mode == EVP_CIPH_GCM_MODE;
    if (ctx->iv_len && !library_iv(ctx))
        return 0;
    if (is_gcm && !ctx->encrypt) {
        unsigned char sealed[BYTES + LONGEST_TAG];
        if (!seal(ctx, message, sealed))
            return 0;
        memcpy(ctx->tag, sealed + BYTES, LONGEST_TAG);
        ctx->tag_len = LONGEST_TAG;
        return library_crypt(ctx, sealed, sealed, BYTES, 1) && library_tag(ctx, ctx->tag);
    }
    return library_crypt(ctx, message, message, BYTES, 1) && (!is_gcm || library_tag(ctx, ctx->tag));
}

/* The runtime begins with the first operation. The state of a cipher or hash is the number of an object. */
int library_begin(void)
{
    return 1;
}

size_t library_cipher_size(const EVP_CIPHER *cipher)
{
    (void)cipher;
    load();
    return sizeof(int32_t);
}

/* The number of ciphers, at most. */
enum { CIPHERS = 32 };

/* A cipher has got its key: warms it up if that has not been done for its direction. */
static void warm_up_cipher(EVP_CIPHER_CTX *ctx)
{
    static unsigned char is_warm[2][CIPHERS];
    unsigned char *warm = &is_warm[ctx->encrypt != 0][ctx->cipher - library_ciphers];
    EVP_CIPHER_CTX before = *ctx;
    if (*warm)
        return;
    *warm = 1;
    warm_up(crypt_once, ctx);
    *ctx = before;
}

static int hash_once(const void *context, unsigned char *message)
{
    unsigned char digest[64];
    return hash_message(context, digest, message, BYTES);
}

static void load_hash(const EVP_MD *md)
{
    static unsigned char is_warm[CIPHERS];
    load();
    if (!is_warm[hash_place(md)]) {
        is_warm[hash_place(md)] = 1;
        warm_up(hash_once, md);
    }
}

size_t library_hash_size(const EVP_MD *md)
{
    load_hash(md);
    return sizeof(int32_t);
}

int library_hash(const EVP_MD *md, unsigned char *out, const void *data, size_t len)
{
    load_hash(md);
    return hash_message(md, out, data, len);
}

#endif

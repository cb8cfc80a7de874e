/* SHA-256 of OpenSSL 3.5 with rotxorw of examples/instructions/xrotxor.toml where the hart has it; elsewhere, OpenSSL's own code.
 *
 * This file replaces crypto/sha/sha256.c of OpenSSL, which it includes as sha256.c.orig (docs/explore.md). OpenSSL's macros then name
 * its C code sha256_block_data_order_c and leave the choice of code to sha256_block_data_order, here as in its ports with assembly. */
#ifdef SHA256_ASM
# error "OpenSSL's own choice of code is in the way: build with --variant no-asm"
#endif
#define SHA256_ASM
#define INCLUDE_C_SHA256
#include "sha256.c.orig"
#include "xrotxor.h" /* from `capvec isa header` */

#include <setjmp.h>
#include <signal.h>

/* The functions of FIPS 180-4, 4.1.2. As int, x needs no conversion: registers hold numbers of 32 bits sign-extended. */
#undef Sigma0
#undef Sigma1
#undef sigma0
#undef sigma1
#define XOR(x, y, n) rotxorw((int)(x), y, n)
#define Sigma0(x) ((SHA_LONG)XOR(x, XOR(x, XOR(x, 0, 2), 13), 22))
#define Sigma1(x) ((SHA_LONG)XOR(x, XOR(x, XOR(x, 0, 6), 11), 25))
#define sigma0(x) ((SHA_LONG)XOR(x, XOR(x, (x) >> 3, 7), 18))
#define sigma1(x) ((SHA_LONG)XOR(x, XOR(x, (x) >> 10, 17), 19))

#define EIGHT(ROUND) \
    do { \
        ROUND(0, a, b, c, d, e, f, g, h); \
        ROUND(1, h, a, b, c, d, e, f, g); \
        ROUND(2, g, h, a, b, c, d, e, f); \
        ROUND(3, f, g, h, a, b, c, d, e); \
        ROUND(4, e, f, g, h, a, b, c, d); \
        ROUND(5, d, e, f, g, h, a, b, c); \
        ROUND(6, c, d, e, f, g, h, a, b); \
        ROUND(7, b, c, d, e, f, g, h, a); \
    } while (0)
/* OpenSSL's rounds, which use Sigma0 and the others as defined here. */
#define FIRST(n, a, b, c, d, e, f, g, h) \
    do { \
        SHA_LONG l; \
        (void)HOST_c2l(data, l); \
        T1 = X[i + n] = l; \
        ROUND_00_15(i + n, a, b, c, d, e, f, g, h); \
    } while (0)
#define NEXT(n, a, b, c, d, e, f, g, h) ROUND_16_63(i + n, a, b, c, d, e, f, g, h, X)

static void with_rotxorw(SHA256_CTX *ctx, const void *in, size_t num)
{
    const unsigned char *data = in;
    SHA_LONG *state = ctx->h, X[16];
    while (num--) {
        unsigned MD32_REG_T a = state[0], b = state[1], c = state[2], d = state[3];
        unsigned MD32_REG_T e = state[4], f = state[5], g = state[6], h = state[7], s0, s1, T1;
        int i = 0;
        for (; i < 16; i += 8)
            EIGHT(FIRST);
        for (; i < 64; i += 8)
            EIGHT(NEXT);
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }
}

static int have_rotxorw;
static sigjmp_buf not_there;

static void illegal(int signal)
{
    (void)signal;
    siglongjmp(not_there, 1);
}

/* No system call reports an instruction of one's own, so it is tried. */
__attribute__((constructor)) static void look_for_rotxorw(void)
{
    struct sigaction handler = { .sa_handler = illegal }, before;
    if (sigaction(SIGILL, &handler, &before) != 0)
        return;
    if (sigsetjmp(not_there, 1) == 0)
        have_rotxorw = rotxorw(1, 2, 0) == 3;
    sigaction(SIGILL, &before, NULL);
}

void sha256_block_data_order(SHA256_CTX *ctx, const void *in, size_t num)
{
    if (have_rotxorw)
        with_rotxorw(ctx, in, num);
    else
        sha256_block_data_order_c(ctx, in, num);
}

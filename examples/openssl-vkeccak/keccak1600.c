/* Keccak of OpenSSL 3.5 with vkeccak.vi of Zvknhk (0.1 or 0.2) where the hart has it and VLEN is at least 256; elsewhere,
 * OpenSSL's own code.
 *
 * This file replaces crypto/sha/keccak1600.c of OpenSSL, which it includes as keccak1600.c.orig (docs/drafts.md). */
#define SHA3_absorb stock_absorb
#define SHA3_squeeze stock_squeeze
#include "keccak1600.c.orig"
#undef SHA3_absorb
#undef SHA3_squeeze

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

size_t SHA3_absorb(uint64_t A[5][5], const unsigned char *inp, size_t len, size_t r);
void SHA3_squeeze(uint64_t A[5][5], unsigned char *out, size_t len, size_t r, int next);

/* Elements of an element group, and vkeccak.vi v0, 0: all rounds. */
#define GROUP 32
#define VKECCAK ".4byte 0xa6092077\n"
#define BEGIN ".option push\n.option arch, +v\n"
#define END ".option pop\n"
#define FOR_STATE "vsetivli zero, 25, e64, m8, tu, ma\n"

static int have_vkeccak;
static sigjmp_buf not_there;

static void illegal(int signal)
{
    (void)signal;
    siglongjmp(not_there, 1);
}

/* No system call reports a draft, so the instruction is tried. */
__attribute__((constructor)) static void look_for_vkeccak(void)
{
    struct sigaction handler = { .sa_handler = illegal }, before;
    size_t bytes;
    if (sigaction(SIGILL, &handler, &before) != 0)
        return;
    if (sigsetjmp(not_there, 1) == 0) {
        __asm__ volatile("csrr %0, 0xc22" : "=r"(bytes));
        if (bytes >= 32) {
            __asm__ volatile(BEGIN "vsetvli zero, %0, e64, m8, tu, ma\n" VKECCAK END : : "r"(GROUP));
            have_vkeccak = 1;
        }
    }
    sigaction(SIGILL, &before, NULL);
}

static void permute(uint64_t *state)
{
    __asm__ volatile(BEGIN FOR_STATE "vle64.v v0, (%0)\n"
                                     "vsetvli zero, %1, e64, m8, tu, ma\n" VKECCAK FOR_STATE "vse64.v v0, (%0)\n" END
                     :
                     : "r"(state), "r"(GROUP)
                     : "memory");
}

/* Absorbs the whole blocks of r bytes; returns the length of the rest. */
size_t SHA3_absorb(uint64_t A[5][5], const unsigned char *inp, size_t len, size_t r)
{
    size_t blocks = len / r;
    if (!have_vkeccak)
        return stock_absorb(A, inp, len, r);
    len -= blocks * r;
    if (blocks > 0)
        __asm__ volatile(BEGIN FOR_STATE "vle64.v v0, (%[state])\n"
                                         "1: vsetvli zero, %[lanes], e64, m8, tu, ma\n"
                                         "vle64.v v8, (%[in])\n"
                                         "add %[in], %[in], %[bytes]\n"
                                         "addi %[blocks], %[blocks], -1\n"
                                         "vxor.vv v0, v0, v8\n"
                                         "vsetvli zero, %[group], e64, m8, tu, ma\n" VKECCAK
                                         "bnez %[blocks], 1b\n" FOR_STATE "vse64.v v0, (%[state])\n" END
                         : [in] "+&r"(inp), [blocks] "+&r"(blocks)
                         : [state] "r"(A), [lanes] "r"(r / 8), [bytes] "r"(r), [group] "r"(GROUP)
                         : "memory");
    return len;
}

/* Writes len bytes in blocks of r, with a permutation before each, except before the first if `next` is 0. */
void SHA3_squeeze(uint64_t A[5][5], unsigned char *out, size_t len, size_t r, int next)
{
    if (!have_vkeccak) {
        stock_squeeze(A, out, len, r, next);
        return;
    }
    for (; len > 0; next = 1) {
        size_t n = len < r ? len : r;
        if (next)
            permute(&A[0][0]);
        memcpy(out, A, n);
        out += n;
        len -= n;
    }
}

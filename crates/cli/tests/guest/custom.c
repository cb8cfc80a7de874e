/* The instructions of examples/instructions by the macros that `capvec isa header` makes, against C. Prints `ok`. */
#include "xforms.h"
#include "xrotxor.h"
#include "xbutterfly.h"
#include "xkeccak.h"
#include "xreach.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define Q 3329
#define N 64

static int rotates(void)
{
    const unsigned long x = 0x0123456789abcdef, y = 0xfedcba9876543210;
    return rotxor(x, y, 19) == ((x >> 19 | x << 45) ^ y) && rotxor(x, y, 63) == ((x >> 63 | x << 1) ^ y)
        && rotxorw(1, 0, 1) == 0xffffffff80000000;
}

static int transforms(void)
{
    uint16_t a[N], b[N], sum[N], difference[N];
    for (int i = 0; i < N; i++) {
        a[i] = 37 * i;
        b[i] = 91 * i + 5;
    }
    memcpy(sum, a, sizeof a);
    memcpy(difference, b, sizeof b);
    register unsigned long z __asm__("a0") = 17;
    for (size_t i = 0, vl; i < N; i += vl) {
        __asm__ volatile("vsetvli %0, %3, e16, m2, ta, ma\n\tvle16.v v8, (%1)\n\tvle16.v v12, (%2)\n\t" VBFLY_VX(
                             8, 12, 10, 1) "\n\tvse16.v v8, (%1)\n\tvse16.v v12, (%2)"
                         : "=&r"(vl)
                         : "r"(sum + i), "r"(difference + i), "r"(N - i), "r"(z)
                         : "memory");
    }
    for (int i = 0; i < N; i++) {
        int t = 17 * b[i] % Q;
        if (sum[i] != (a[i] + t) % Q || difference[i] != (a[i] % Q + Q - t) % Q)
            return 0;
    }
    return 1;
}

/* Keccak-f[1600] of the state of zeros (the Keccak team's test vectors): its first lane. */
static int permutes(void)
{
    uint64_t state[32] = { 0 };
    __asm__ volatile("vsetvli zero, %1, e64, m8, ta, ma\n\tvle64.v v8, (%0)\n\t" XKECCAK_V(8) "\n\tvse64.v v8, (%0)"
                     :
                     : "r"(state), "r"(32UL)
                     : "memory");
    return state[0] == 0xf1258f7940e1dde7;
}

/* Memory, f registers, and masks. */
static int reaches(void)
{
    uint64_t memory[3] = { 0x0123456789abcdef, 0, 0 };
    stpair(&memory[1], 5, 6);
    if (ldrev(memory, 0) != 0xefcdab8967452301 || addmem(&memory[2], 4) != 6 || memory[1] != 5 || memory[2] != 10)
        return 0;
    if (fsign_s(1.5f, 1UL << 63) != -1.5f || fxor_d(fxor_d(3.25, 0.125), 0.125) != 3.25)
        return 0;
    const uint8_t table[8] = { 9, 8, 7, 6, 5, 4, 3, 2 };
    uint8_t bytes[8] = { 7, 6, 5, 4, 3, 2, 1, 0 };
    register const uint8_t *entries __asm__("a0") = table;
    /* The entries 2 to 9; those of odd parity are replaced by their numbers, 0 to 7. */
    __asm__ volatile("vsetivli zero, 8, e8, m1, ta, ma\n\tvle8.v v8, (%0)\n\t" VLUT_V(9, 10, 8, 1) "\n\t" VPAR_V(
                         0, 9, 1) "\n\tvid.v v10\n\t" VSEL_VVM(11, 9, 10) "\n\tvse8.v v11, (%0)"
                     :
                     : "r"(bytes), "r"(entries)
                     : "memory");
    const uint8_t expected[8] = { 0, 3, 2, 5, 6, 5, 6, 9 };
    return !memcmp(bytes, expected, sizeof bytes);
}

static int has_every_form(void)
{
    const unsigned long zero = 0, one = 1;
    uint8_t bytes[4] = { 10, 20, 30, 40 };
    __asm__ volatile("vsetivli zero, 4, e8, m1, ta, ma\n\tvle8.v v8, (%0)\n\t" VADDU_VI(12, 8, 31, 1) "\n\t" VADD3_VV(
                         16, 8, 12, 8) "\n\tvse8.v v16, (%0)"
                     :
                     : "r"(bytes)
                     : "memory");
    return csel(zero, 7, 9) == 9 && csel(one, 7, 9) == 7 && subi(5, -2048) == 2053 && subi(5, 2047) == -2042UL
        && upper(0x7fff8000) == 0x7fff8000 && gap(1, -64) == -63UL && gap(1, 56) == 57 && bytes[3] == 3 * 40 + 31;
}

int main(void)
{
    puts(!has_every_form()   ? "forms"
             : !rotates()    ? "rotates"
             : !transforms() ? "transforms"
             : !permutes()   ? "permutes"
             : !reaches()    ? "reaches"
                             : "ok");
}

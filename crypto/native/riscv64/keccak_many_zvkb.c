/* Keccak-f[1600] of many states with Zvkb: whole registers of them, then the rest. */
#include "operations.h"

#define KERNEL(name) \
    void name(uint64_t *states, size_t stride, const uint8_t *const *data, size_t blocks, size_t lanes, size_t count)
KERNEL(cv_keccak_full_zvkb);
KERNEL(cv_keccak_part_zvkb);
KERNEL(cv_keccak_many_zvkb);

KERNEL(cv_keccak_many_zvkb)
{
    size_t whole;
    __asm__("csrr %0, 0xc22" : "=r"(whole));
    /* 64-bit words of a register, a power of two. */
    whole = count & ~(whole / 8 - 1);
    if (whole)
        cv_keccak_full_zvkb(states, stride, data, blocks, lanes, whole);
    if (count > whole)
        cv_keccak_part_zvkb(states + whole, stride, data + whole, blocks, lanes, count - whole);
}

#include "console.h"

volatile uint64_t tohost __attribute__((section(".htif"), aligned(64)));
volatile uint64_t fromhost __attribute__((section(".htif"), aligned(64)));

enum { SYS_WRITE = 64 };

/* A system call of the host, which reads the call's words at the address in tohost. The console device would need a
 * store of 64 bits to tohost at once, which RV32 cannot do. */
void print(const char *text)
{
    static volatile uint64_t call[8] __attribute__((aligned(64)));
    uint32_t len = 0;
    while (text[len])
        len++;
    call[0] = SYS_WRITE;
    call[1] = 1;
    call[2] = (uintptr_t)text;
    call[3] = len;
    __asm__ volatile("fence" ::: "memory");
    tohost = (uintptr_t)call;
    while (!fromhost)
        ;
    fromhost = 0;
}

void print_number(uint32_t value, int decimals)
{
    char text[16];
    char *at = text + sizeof text;
    *--at = 0;
    for (int digit = 0; value || digit <= decimals; digit++) {
        if (digit && digit == decimals)
            *--at = '.';
        *--at = (char)('0' + value % 10);
        value /= 10;
    }
    print(at);
}

/* Functions that compilers call, and that a hosted program has from libc. They copy words where both sides are aligned;
 * the loops must not be replaced by calls of the functions themselves. */
void *memcpy(void *restrict to, const void *restrict from, __SIZE_TYPE__ len)
{
    __SIZE_TYPE__ at = 0;
    if ((((uintptr_t)to | (uintptr_t)from) & (sizeof(long) - 1)) == 0)
        for (; at + sizeof(long) <= len; at += sizeof(long))
            *(volatile long *)((char *)to + at) = *(const long *)((const char *)from + at);
    for (; at < len; at++)
        ((volatile char *)to)[at] = ((const char *)from)[at];
    return to;
}

void *memset(void *to, int byte, __SIZE_TYPE__ len)
{
    for (__SIZE_TYPE__ i = 0; i < len; i++)
        ((volatile char *)to)[i] = (char)byte;
    return to;
}

void *memmove(void *to, const void *from, __SIZE_TYPE__ len)
{
    volatile char *out = to;
    const char *in = from;
    for (__SIZE_TYPE__ i = 0; i < len; i++) {
        __SIZE_TYPE__ at = (uintptr_t)out < (uintptr_t)in ? i : len - 1 - i;
        out[at] = in[at];
    }
    return to;
}

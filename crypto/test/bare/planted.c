/* Leaks, each with a twin in constant time, for `capvec ct --bare --secret leaky_NAME_key`, or `steady_`. */
#include <stddef.h>
#include <stdint.h>

uint8_t leaky_compare_key[16], steady_compare_key[16];
uint8_t leaky_table_key[16], steady_table_key[16];
uint32_t leaky_division_key, steady_division_key;
uint32_t leaky_trap_key, steady_trap_key;
static volatile uint32_t sink;
static uint8_t other[16], table[256];

/* The comparison ends at the first difference. */
static __attribute__((noinline)) void leaky_compare(void)
{
    for (size_t i = 0; i < 16; i++)
        if (leaky_compare_key[i] != other[i])
            return;
    sink = 1;
}

static __attribute__((noinline)) void steady_compare(void)
{
    uint32_t different = 0;
    for (size_t i = 0; i < 16; i++)
        different |= steady_compare_key[i] ^ other[i];
    sink = different;
}

static __attribute__((noinline)) void leaky_table(void)
{
    for (size_t i = 0; i < 16; i++)
        sink = ((volatile uint8_t *)table)[leaky_table_key[i]];
}

static __attribute__((noinline)) void steady_table(void)
{
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t found = 0;
        for (uint32_t k = 0; k < 256; k++) {
            /* All ones where k is the index: k - index - 1 borrows only then, if both are below 256. */
            uint32_t apart = k ^ steady_table_key[i];
            found |= ((volatile uint8_t *)table)[k] & (0 - ((apart - 1) >> 31));
        }
        sink = found;
    }
}

static __attribute__((noinline)) void leaky_division(void)
{
    uint32_t quotient;
    __asm__ volatile("divu %0, %1, %2" : "=r"(quotient) : "r"(leaky_division_key), "r"(7));
    sink = quotient;
}

/* The quotient by 7 of a number below 2^15, without a division. */
static __attribute__((noinline)) void steady_division(void)
{
    sink = (steady_division_key & 0x7fff) * 37450 >> 18;
}

/* A machine-mode CSR keeps the secret, as a trap handler keeps a register. */
static __attribute__((noinline)) void leaky_trap(void)
{
    __asm__ volatile("csrw mscratch, %0" ::"r"(leaky_trap_key));
}

static __attribute__((noinline)) void steady_trap(void)
{
    __asm__ volatile("csrw mscratch, %0" ::"r"(&steady_trap_key));
}

int main(void)
{
    leaky_compare();
    steady_compare();
    leaky_table();
    steady_table();
    leaky_division();
    steady_division();
    leaky_trap();
    steady_trap();
    return 0;
}

/* Indirect jumps: an interpreter of byte codes, and calls of functions through a table. Prints a sum, so that
   the compiler cannot remove any work. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PUSH, ADD, SUB, XOR, DUP, SWAP, ROTATE, LOOP, END };

static uint64_t interpret(const uint8_t *code, uint64_t count)
{
    static const void *const labels[] = { &&push, &&add, &&sub, &&xor, &&dup, &&swap, &&rotate, &&loop, &&end };
    uint64_t stack[16] = { 1, 2, 3 }, *top = stack + 2, t;
    const uint8_t *pc = code;
#define NEXT goto *labels[*pc++]
    NEXT;
push:
    *++top = *pc++;
    NEXT;
add:
    top--;
    top[0] += top[1];
    NEXT;
sub:
    top--;
    top[0] -= top[1];
    NEXT;
    xor : top--;
    top[0] ^= top[1];
    NEXT;
dup:
    top++;
    top[0] = top[-1];
    NEXT;
swap:
    t = top[0];
    top[0] = top[-1];
    top[-1] = t;
    NEXT;
rotate:
    top[0] = top[0] << 7 | top[0] >> 57;
    NEXT;
loop:
    if (--count)
        pc = code;
    NEXT;
end:
    return top[0] ^ top[-1];
}

static uint64_t twice(uint64_t x)
{
    return x * 2 + 1;
}
static uint64_t half(uint64_t x)
{
    return x >> 1 ^ 0x5555;
}
static uint64_t mixed(uint64_t x)
{
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9;
}
static uint64_t minus(uint64_t x)
{
    return -x;
}

int main(int argc, char **argv)
{
    static const uint8_t code[] = { PUSH, 7,   ADD, DUP,    ROTATE, XOR,  SWAP, PUSH, 3,    SUB, DUP, PUSH,
                                    9,    XOR, ADD, ROTATE, SWAP,   DUP,  XOR,  PUSH, 200,  ADD, ADD, DUP,
                                    ADD,  DUP, SUB, PUSH,   5,      SWAP, ADD,  ADD,  LOOP, END };
    static uint64_t (*volatile table[])(uint64_t) = { twice, half, mixed, minus };
    long rounds = argc > 1 ? atol(argv[1]) : 1;
    uint64_t sum = 0;
    for (long round = 0; round < rounds; round++) {
        sum += interpret(code, 500);
        for (int i = 0; i < 4000; i++)
            sum = table[(sum >> 3 ^ i) & 3](sum);
    }
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}

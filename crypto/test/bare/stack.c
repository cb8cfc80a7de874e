/* How much stack an operation takes: it is painted before, and what has changed is counted after. */
#include "pqc.h"

enum { PAINT = 0xa5 };

/* Read by examples/bare/bare.ld. */
__asm__(".globl stack_size\n.set stack_size, 0x20000\n");

extern uint8_t stack_bottom[];

uint32_t __attribute__((noinline)) stack_of(void (*operation)(void))
{
    uint8_t *top = __builtin_frame_address(0), *at;
    /* This function's own frame, and more than a call needs below it. */
    top -= 256;
    for (at = stack_bottom; at < top; at++)
        *(volatile uint8_t *)at = PAINT;
    operation();
    for (at = stack_bottom; at < top && *(volatile uint8_t *)at == PAINT; at++)
        ;
    return (uint32_t)(top + 256 - at);
}

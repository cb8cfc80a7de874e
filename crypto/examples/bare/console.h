/* Text for the host, through HTIF (riscv-isa-sim's host-target interface). */
#include <stdint.h>

void print(const char *text);
/* In decimal, with this many digits after the point. */
void print_number(uint32_t value, int decimals);

/* Regions whose counts are known from the assembly. */
#include <stdio.h>

__asm__(
    ".text\n.globl counted\n.type counted, @function\n"
    "counted:\n1:\taddi a0, a0, -1\n\tbnez a0, 1b\n\tret\n.size counted, .-counted\n"
    ".globl twice\n.type twice, @function\n"
    "twice:\n\tmv t1, ra\n\tli a0, 5\n\tjal ra, counted\n\tli a0, 7\n\tjal ra, counted\n\tjr t1\n.size twice, .-twice\n");
void twice(void);

int main(void)
{
    unsigned long before, after;
    for (int i = 0; i < 10; i++)
        __asm__ volatile("slti x0, x0, 7\n\tnop\n\tnop\n\tnop\n\tsltiu x0, x0, 7");
    __asm__ volatile("slti x0, x0, 8\n\tli a0, 100\n\tjal ra, counted\n\tsltiu x0, x0, 8" : : : "a0", "ra");
    __asm__ volatile(".option push\n\t.option arch, +v\n\tslti x0, x0, 9\n\t"
                     "vsetivli x0, 8, e32, m2, ta, ma\n\tvadd.vv v8, v8, v8\n\tvadd.vv v8, v8, v8\n\t"
                     "vsetivli x0, 3, e8, mf2, ta, ma\n\tvxor.vv v8, v8, v8\n\t"
                     "sltiu x0, x0, 9\n\t.option pop");
    /* Belongs to no region: it ends a region that has not begun. */
    __asm__ volatile("sltiu x0, x0, 100");
    twice();
    __asm__ volatile("rdcycle %0\n\tmul t0, t0, t0\n\tmul t0, t0, t0\n\trdcycle %1"
                     : "=&r"(before), "=&r"(after)
                     :
                     : "t0");
    printf("%lu\n", after - before);
    return 0;
}

/* Memory surrounded by nothing, faults and a console for a bare hart, for guard.c: the linker script defines the
 * memory, whose segments are far apart; try.S returns after traps. */
#include "../guest/guard.h"
#include "../../examples/bare/console.h"

#define SECTION(n) \
    { \
        static uint8_t room[GUARD_ROOM] __attribute__((section(".guard" #n))); \
        memory[n] = room; \
    }

int guard_map(uint8_t *memory[GUARD_ARGUMENTS])
{
    SECTION(0) SECTION(1) SECTION(2) SECTION(3) SECTION(4) SECTION(5) SECTION(6) SECTION(7) return 1;
}

/* CV_CAPS_FIXED lists the hart's extensions. */
int guard_use_kernels(void)
{
    return cv_init(NULL) == CV_OK;
}

void guard_print(const char *text)
{
    print(text);
}

void guard_print_number(unsigned long number)
{
    print_number((uint32_t)number, 0);
}

int memcmp(const void *a, const void *b, size_t len)
{
    const uint8_t *x = a, *y = b;
    for (size_t i = 0; i < len; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return 0;
}

/* A test as maintainers write it for ctgrind: it knows memcheck, and nothing of capvec. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>

static int equal_early(const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) /* leaks */
            return 0;
    return 1;
}

static int equal_steady(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint8_t different = 0;
    for (size_t i = 0; i < n; i++)
        different |= a[i] ^ b[i];
    VALGRIND_MAKE_MEM_DEFINED(&different, sizeof different);
    return different == 0;
}

int main(int argc, char **argv)
{
    uint8_t tag[16] = { 1, 2, 3 }, expected[16] = { 1, 2, 3 };
    VALGRIND_MAKE_MEM_UNDEFINED(expected, sizeof expected);
    int early = argc > 1 && strcmp(argv[1], "early") == 0;
    int equal = early ? equal_early(tag, expected, sizeof tag) : equal_steady(tag, expected, sizeof tag);
    VALGRIND_MAKE_MEM_DEFINED(&equal, sizeof equal);
    puts(equal ? "equal" : "different");
    return 0;
}

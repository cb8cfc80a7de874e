/* Tables for a bare hart, which has no environment to query: with no extensions, with those of each backend, with all
 * that backends need, and with all of these but one. */
#include "../guest/table.h"
#include "../../examples/bare/console.h"

void table_print(const char *text)
{
    print(text);
}

static int table_of(uint64_t caps)
{
    char text[TABLE_NAMES];
    cv_token_names((cv_token){ caps }, text, sizeof text);
    if (cv_init(text) != CV_OK)
        return 0;
    table_of_kernels_in_use();
    return 1;
}

int main(void)
{
    const cv_token all = { ~UINT64_C(0) };
    const struct cv_backend *b;
    uint64_t needed = 0;
    size_t next = 0;
    int done = table_of(0);
    while ((b = cv_native_backend(all, &next))) {
        needed |= b->needs;
        done = done && table_of(b->needs);
    }
    for (uint64_t left = needed; left; left &= left - 1)
        done = done && table_of(needed & ~(left & -left));
    return !(done && table_of(needed));
}

/* The table for the capabilities in CAPVEC_CAPS, or those of the hart. */
#include "table.h"
#include <stdio.h>

void table_print(const char *text)
{
    fputs(text, stdout);
}

int main(void)
{
    if (cv_init_environment() != CV_OK)
        return 1;
    table_of_kernels_in_use();
    return 0;
}

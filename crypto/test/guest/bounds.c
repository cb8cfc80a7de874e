/* Checks the bounds on which lazy reductions rely. Prints `bounds`, then ` NAME` for each that does not hold, then
 * ` checked:NUMBER`. */
#include "bounds.h"
#include "capvec.h"
#include <stdio.h>

static unsigned long checked;

void require(int holds, const char *name)
{
    static const char *last;
    checked++;
    if (!holds && last != name)
        printf(" %s", last = name);
}

int main(void)
{
    if (cv_init_environment() != CV_OK)
        return 1;
    fputs("bounds", stdout);
    bounds_mlkem();
    bounds_mlkem_kernels();
    bounds_mldsa();
    bounds_mldsa_kernels();
    printf(" checked:%lu\n", checked);
    return 0;
}

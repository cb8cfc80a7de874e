/* What the dispatch has and what it selected, as lines from which docs/kernels.md is generated. They are printed by
 * table.c; table_linux.c and bare/table_bare.c have main and a console. */
#ifndef TABLE_H
#define TABLE_H

#include "internal.h"

/* Prints `caps = STRING`, then `backend NEEDS TABLE.FIELD... = NAME` in the order in which later ones replace earlier
 * ones, then `used TABLE.FIELD = NAME`, or `portable`. */
void table_of_kernels_in_use(void);

/* Size of a capability string. */
#define TABLE_NAMES 1024

void table_print(const char *text);

#endif

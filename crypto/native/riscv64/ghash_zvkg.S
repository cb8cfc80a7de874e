/* GHASH. Needs: V, Zvkg. */
#include "ghash_groups.h"

ghash_groups cv_ghash_zvkg, 0

.section .note.GNU-stack, "", @progbits

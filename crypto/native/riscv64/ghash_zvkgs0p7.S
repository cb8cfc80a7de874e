/* GHASH. Needs: V, Zvkg, Zvkgs 0.7 (a draft), whose instructions take one hash key for all lanes. */
#include "ghash_groups.h"
#include "insn_draft.h"

ghash_groups cv_ghash_zvkgs0p7, 1

.section .note.GNU-stack, "", @progbits

/* SM4 in Galois/counter mode. Needs: V, Zvksed, Zvkb, Zvkg, Zvkgs 0.7 (a draft). */
#include "sm4_gcm.h"
#include "insn_draft.h"

sm4_gcm cv_sm4_zvksed_zvkb_zvkgs0p7_gcm, 1

.section .note.GNU-stack, "", @progbits

/* AES in Galois/counter mode. Needs: V, Zvkned, Zvkb, Zvkg, Zvkgs 0.7 (a draft). */
#include "aes_gcm.h"
#include "insn_draft.h"

aes_gcm cv_aes_zvkned_zvkb_zvkgs0p7_gcm, 1

.section .note.GNU-stack, "", @progbits

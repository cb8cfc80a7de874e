/* Keccak-f[1600], one state. Needs: V, Zvknhk 0.2 (a draft), which permutes the element groups up to vl. */
#include "keccak_zvknhk.h"
#include "insn_draft.h"

keccak_zvknhk cv_keccak_zvknhk0p2, 1, 0, 1

.section .note.GNU-stack, "", @progbits

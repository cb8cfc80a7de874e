/* Keccak-f[1600], one state. Needs: V, Zvknhk 0.1 (a draft), which permutes one element group, whatever vl is. */
#include "keccak_zvknhk.h"
#include "insn_draft.h"

keccak_zvknhk cv_keccak_zvknhk0p1, 0, 0, 1

.section .note.GNU-stack, "", @progbits

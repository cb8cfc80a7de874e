/* Keccak-f[1600], one state. Needs: V, VLEN at least 256, the prototype of vkeccak.vi (2024), which permutes the element
 * groups up to vl; the immediate is the number of rounds. */
#include "keccak_zvknhk.h"
#include "insn_zvkk.h"

keccak_zvknhk cv_keccak_zvkk0p2024, 1, 24, 0

.section .note.GNU-stack, "", @progbits

/* SM4 in Galois/counter mode. Needs: V, Zvksed, Zvkb, Zvkg. */
#include "sm4_gcm.h"

sm4_gcm cv_sm4_zvksed_zvkb_zvkg_gcm, 0

.section .note.GNU-stack, "", @progbits

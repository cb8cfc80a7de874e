/* rotxor by its assembler macro, and vbfly.vv by its own: assembled only. */
#include "xrotxor.h"
#include "xbutterfly.h"
    rotxor a0, a1, a2, 19
    rotxorw a0, a1, zero, 31
    vbfly.vv v8, v12, v16
    vbfly.vx v8, v12, a0, v0.t

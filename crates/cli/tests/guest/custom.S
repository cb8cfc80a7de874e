/* Instructions by their assembler macros: assembled only. */
#include "xforms.h"
#include "xrotxor.h"
#include "xbutterfly.h"
#include "xreach.h"
    rotxor a0, a1, a2, 19
    rotxorw a0, a1, zero, 31
    vbfly.vv v8, v12, v16
    vbfly.vx v8, v12, a0, v0.t
    csel fp, a1, a2, a3
    subi a0, a1, -1
    vaddu.vi v8, v9, 31, v0.t
    ldrev a0, a1, -8
    stpair a1, a2, a3
    fxor.d ft0, fa1, fs5
    vlut.v v8, a1, v12, v0.t
    vsgap.v v4, a6, x16
    vsel.vvm v4, v16, v0, v0

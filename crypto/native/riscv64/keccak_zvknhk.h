/* Keccak-f[1600], one state, by vkeccak.vi, which the file that includes this one defines as a macro. */
#include "vector.h"

#define STATE  a0
#define DATA   a1
#define BLOCKS a2
#define LANES  a3
#define BYTES  a4 /* of a block */
#define GROUP  a5 /* elements of an element group */
#define LOW    a6 /* lanes in v0 ... v7 at VLEN 128 */
#define HIGH   a7 /* lanes in v8 ... v15 */
#define AT     t2 /* where the latter are */

/* The state is in v0 ... v7, or at VLEN 128 in v0 ... v15, of which LMUL 8 holds 16 lanes. There, jumps
 * to `short` if that is given. */
.macro begin short
    .ifnb \short
    csrr        t0, 0xc22
    .endif
    li          GROUP, 32
    slli        BYTES, LANES, 3
    .ifnb \short
    bltu        t0, GROUP, \short
    .endif
    vsetivli    zero, 25, e64, m8, tu, ma
    vle64.v     v0, (STATE)
.endm

.macro end
    vsetivli    zero, 25, e64, m8, tu, ma
    vse64.v     v0, (STATE)
    cv_return
.endm

.macro begin_short
    li          LOW, 16
    bgeu        LANES, LOW, .Lmany\@
    mv          LOW, LANES
.Lmany\@:
    sub         HIGH, LANES, LOW
    vsetivli    zero, 16, e64, m8, tu, ma
    vle64.v     v0, (STATE)
    addi        AT, STATE, 128
    vsetivli    zero, 9, e64, m8, tu, ma
    vle64.v     v8, (AT)
.endm

.macro end_short
    vsetivli    zero, 16, e64, m8, tu, ma
    vse64.v     v0, (STATE)
    addi        AT, STATE, 128
    vsetivli    zero, 9, e64, m8, tu, ma
    vse64.v     v8, (AT)
    cv_return
.endm

/* cv_hash_ops.keccak and keccak_squeeze. `groups` is 1 where vl says which element groups are permuted. `all` is the
 * immediate for all rounds. VLEN is at least 128, or 256 without `short`. */
.macro keccak_zvknhk name, groups, all, short
cv_function \name
    .if \short
    begin       .Lshort_\name
    .else
    begin
    .endif
.Lblock_\name:
    vsetvli     zero, LANES, e64, m8, tu, ma
    vle64.v     v8, (DATA)
    add         DATA, DATA, BYTES
    addi        BLOCKS, BLOCKS, -1
    vxor.vv     v0, v0, v8
    .if \groups
    vsetvli     zero, GROUP, e64, m8, tu, ma
    .endif
    vkeccak.vi  v0, \all
    bnez        BLOCKS, .Lblock_\name
    end
    .if \short
.Lshort_\name:
    begin_short
.Lblock_short_\name:
    vsetvli     zero, LOW, e64, m8, tu, ma
    vle64.v     v16, (DATA)
    addi        AT, DATA, 128
    vxor.vv     v0, v0, v16
    vsetvli     zero, HIGH, e64, m8, tu, ma
    vle64.v     v16, (AT)
    add         DATA, DATA, BYTES
    addi        BLOCKS, BLOCKS, -1
    vxor.vv     v8, v8, v16
    vkeccak.vi  v0, \all
    bnez        BLOCKS, .Lblock_short_\name
    end_short
    .endif
cv_end \name

cv_function \name\()_squeeze
    .if \short
    begin       .Lshort_squeeze_\name
    .else
    begin
    .endif
    .if \groups == 0
    vsetvli     zero, LANES, e64, m8, tu, ma
    .endif
.Lsqueeze_\name:
    .if \groups
    vsetvli     zero, GROUP, e64, m8, tu, ma
    .endif
    vkeccak.vi  v0, \all
    .if \groups
    vsetvli     zero, LANES, e64, m8, tu, ma
    .endif
    vse64.v     v0, (DATA)
    addi        BLOCKS, BLOCKS, -1
    add         DATA, DATA, BYTES
    bnez        BLOCKS, .Lsqueeze_\name
    end
    .if \short
.Lshort_squeeze_\name:
    begin_short
.Lsqueeze_short_\name:
    vkeccak.vi  v0, \all
    vsetvli     zero, LOW, e64, m8, tu, ma
    vse64.v     v0, (DATA)
    addi        AT, DATA, 128
    vsetvli     zero, HIGH, e64, m8, tu, ma
    vse64.v     v8, (AT)
    addi        BLOCKS, BLOCKS, -1
    add         DATA, DATA, BYTES
    bnez        BLOCKS, .Lsqueeze_short_\name
    end_short
    .endif
cv_end \name\()_squeeze
.endm

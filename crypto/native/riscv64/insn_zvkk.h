/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.
 *
 * Instructions of the prototype of vkeccak.vi as macros, for assemblers that do not know them. */

#include "insn_names.h"

.macro vkeccak.vi vd:req, uimm:req
	.4byte 0xa608a077 | ((.Lcv_\vd) & 31) << 7 | ((\uimm) & 31) << 20
.endm

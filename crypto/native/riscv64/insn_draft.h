/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.
 *
 * Instructions of drafts as macros, for assemblers that do not know them. */

#include "insn_names.h"

.macro vghsh.vs vd:req, vs2:req, vs1:req
	.4byte 0x8e002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vgmul.vs vd:req, vs2:req
	.4byte 0xa608a077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vkeccak.vi vd:req, uimm:req
	.4byte 0xa6092077 | ((.Lcv_\vd) & 31) << 7 | ((\uimm) & 31) << 20
.endm

/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.
 *
 * Instructions of products modulo a prime as macros, for assemblers that do not know them. */

#include "insn_names.h"

.macro vmulq.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x9400207b | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmulq.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x9400607b | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmacq.vv vd:req, vs1:req, vs2:req, vm=
	.4byte 0xb400207b | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vmacq.vx vd:req, rs1:req, vs2:req, vm=
	.4byte 0xb400607b | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm

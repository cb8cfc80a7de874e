/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.
 *
 * Instructions of vector cryptography as macros, for assemblers that do not know them. */

#include "insn_names.h"

.macro vandn.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x4000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vandn.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x4004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vbrev.v vd:req, vs2:req, vm=
	.4byte 0x48052057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vbrev8.v vd:req, vs2:req, vm=
	.4byte 0x48042057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vrev8.v vd:req, vs2:req, vm=
	.4byte 0x4804a057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vclz.v vd:req, vs2:req, vm=
	.4byte 0x48062057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vctz.v vd:req, vs2:req, vm=
	.4byte 0x4806a057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vcpop.v vd:req, vs2:req, vm=
	.4byte 0x48072057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vrol.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x54000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vrol.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x54004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vror.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x50000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vror.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x50004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vror.vi vd:req, vs2:req, uimm:req, vm=
	.4byte 0x50003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | (((\uimm) >> 5) & 1) << 26 | ((\uimm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsll.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xd4000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsll.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xd4004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsll.vi vd:req, vs2:req, uimm:req, vm=
	.4byte 0xd4003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vclmul.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x30002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vclmul.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x30006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vclmulh.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x34002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vclmulh.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x34006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vgmul.vv vd:req, vs2:req
	.4byte 0xa208a077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vghsh.vv vd:req, vs2:req, vs1:req
	.4byte 0xb2002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vaesdf.vv vd:req, vs2:req
	.4byte 0xa200a077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vaesdf.vs vd:req, vs2:req
	.4byte 0xa600a077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vaesdm.vv vd:req, vs2:req
	.4byte 0xa2002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vaesdm.vs vd:req, vs2:req
	.4byte 0xa6002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vaesef.vv vd:req, vs2:req
	.4byte 0xa201a077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vaesef.vs vd:req, vs2:req
	.4byte 0xa601a077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vaesem.vv vd:req, vs2:req
	.4byte 0xa2012077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vaesem.vs vd:req, vs2:req
	.4byte 0xa6012077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vaesz.vs vd:req, vs2:req
	.4byte 0xa603a077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vaeskf1.vi vd:req, vs2:req, uimm:req
	.4byte 0x8a002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15
.endm
.macro vaeskf2.vi vd:req, vs2:req, uimm:req
	.4byte 0xaa002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15
.endm
.macro vsha2ms.vv vd:req, vs2:req, vs1:req
	.4byte 0xb6002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vsha2ch.vv vd:req, vs2:req, vs1:req
	.4byte 0xba002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vsha2cl.vv vd:req, vs2:req, vs1:req
	.4byte 0xbe002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vsm4k.vi vd:req, vs2:req, uimm:req
	.4byte 0x86002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15
.endm
.macro vsm4r.vv vd:req, vs2:req
	.4byte 0xa2082077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vsm4r.vs vd:req, vs2:req
	.4byte 0xa6082077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vsm3c.vi vd:req, vs2:req, uimm:req
	.4byte 0xae002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15
.endm
.macro vsm3me.vv vd:req, vs2:req, vs1:req
	.4byte 0x82002077 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm

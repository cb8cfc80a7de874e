/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.
 *
 * Instructions of the vector extension as macros, for assemblers that do not know them. */

#include "insn_names.h"

.macro vmadc.vxm vd:req, vs2:req, rs1:req, v0=v0
	.4byte 0x44004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro vmadc.vx vd:req, vs2:req, rs1:req
	.4byte 0x46004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro vmsbc.vxm vd:req, vs2:req, rs1:req, v0=v0
	.4byte 0x4c004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro vmsbc.vx vd:req, vs2:req, rs1:req
	.4byte 0x4e004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro vmseq.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x60004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsne.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x64004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsltu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x68004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmslt.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x6c004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsleu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x70004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsle.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x74004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsgtu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x78004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsgt.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x7c004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmadc.vvm vd:req, vs2:req, vs1:req, v0=v0
	.4byte 0x44000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmadc.vv vd:req, vs2:req, vs1:req
	.4byte 0x46000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmsbc.vvm vd:req, vs2:req, vs1:req, v0=v0
	.4byte 0x4c000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmsbc.vv vd:req, vs2:req, vs1:req
	.4byte 0x4e000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmseq.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x60000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsne.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x64000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsltu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x68000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmslt.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x6c000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsleu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x70000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsle.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x74000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmadc.vim vd:req, vs2:req, imm:req, v0=v0
	.4byte 0x44003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15
.endm
.macro vmadc.vi vd:req, vs2:req, imm:req
	.4byte 0x46003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15
.endm
.macro vmseq.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0x60003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsne.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0x64003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsleu.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0x70003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsle.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0x74003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsgtu.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0x78003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmsgt.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0x7c003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vsetivli rd:req, zimm:req, sew:req, lmul:req, ta:req, ma:req
	.4byte 0xc0007057 | ((.Lcv_\rd) & 31) << 7 | ((\zimm) & 31) << 15 | (.Lcv_\sew + .Lcv_\lmul + .Lcv_\ta + .Lcv_\ma) << 20
.endm
.macro vsetvli rd:req, rs1:req, sew:req, lmul:req, ta:req, ma:req
	.4byte 0x7057 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | (.Lcv_\sew + .Lcv_\lmul + .Lcv_\ta + .Lcv_\ma) << 20
.endm
.macro vsetvl rd:req, rs1:req, rs2:req
	.4byte 0x80007057 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro vadd.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x4057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vsub.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x8004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vrsub.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xc004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vminu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x10004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmin.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x14004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmaxu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x18004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmax.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x1c004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vand.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x24004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vor.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x28004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vxor.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x2c004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vadc.vxm vd:req, vs2:req, rs1:req, v0=v0
	.4byte 0x40004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro vsbc.vxm vd:req, vs2:req, rs1:req, v0=v0
	.4byte 0x48004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro vmerge.vxm vd:req, vs2:req, rs1:req, v0=v0
	.4byte 0x5c004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro vmv.v.x vd:req, rs1:req
	.4byte 0x5e004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro vsll.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x94004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vsrl.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xa0004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vsra.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xa4004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vnsrl.wx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xb0004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vnsra.wx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xb4004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vadd.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x57 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vsub.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x8000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vminu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x10000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmin.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x14000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmaxu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x18000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmax.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x1c000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vand.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x24000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vor.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x28000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vxor.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x2c000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vadc.vvm vd:req, vs2:req, vs1:req, v0=v0
	.4byte 0x40000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vsbc.vvm vd:req, vs2:req, vs1:req, v0=v0
	.4byte 0x48000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmerge.vvm vd:req, vs2:req, vs1:req, v0=v0
	.4byte 0x5c000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmv.v.v vd:req, vs1:req
	.4byte 0x5e000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vsll.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x94000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vsrl.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xa0000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vsra.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xa4000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vnsrl.wv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xb0000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vnsra.wv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xb4000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vadd.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0x3057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vrsub.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0xc003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vand.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0x24003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vor.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0x28003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vxor.vi vd:req, vs2:req, imm:req, vm=
	.4byte 0x2c003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vadc.vim vd:req, vs2:req, imm:req, v0=v0
	.4byte 0x40003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15
.endm
.macro vmerge.vim vd:req, vs2:req, imm:req, v0=v0
	.4byte 0x5c003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\imm) & 31) << 15
.endm
.macro vmv.v.i vd:req, imm:req
	.4byte 0x5e003057 | ((.Lcv_\vd) & 31) << 7 | ((\imm) & 31) << 15
.endm
.macro vsll.vi vd:req, vs2:req, uimm:req, vm=
	.4byte 0x94003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vsrl.vi vd:req, vs2:req, uimm:req, vm=
	.4byte 0xa0003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vsra.vi vd:req, vs2:req, uimm:req, vm=
	.4byte 0xa4003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vnsrl.wi vd:req, vs2:req, uimm:req, vm=
	.4byte 0xb0003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vnsra.wi vd:req, vs2:req, uimm:req, vm=
	.4byte 0xb4003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vzext.vf8 vd:req, vs2:req, vm=
	.4byte 0x48012057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vsext.vf8 vd:req, vs2:req, vm=
	.4byte 0x4801a057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vzext.vf4 vd:req, vs2:req, vm=
	.4byte 0x48022057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vsext.vf4 vd:req, vs2:req, vm=
	.4byte 0x4802a057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vzext.vf2 vd:req, vs2:req, vm=
	.4byte 0x48032057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vsext.vf2 vd:req, vs2:req, vm=
	.4byte 0x4803a057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vwaddu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xc0002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwadd.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xc4002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsubu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xc8002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsub.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xcc002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwaddu.wv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xd0002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwadd.wv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xd4002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsubu.wv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xd8002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsub.wv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xdc002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwaddu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xc0006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwadd.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xc4006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsubu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xc8006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsub.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xcc006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwaddu.wx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xd0006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwadd.wx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xd4006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsubu.wx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xd8006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwsub.wx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xdc006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmandn.mm vd:req, vs2:req, vs1:req
	.4byte 0x62002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmand.mm vd:req, vs2:req, vs1:req
	.4byte 0x66002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmor.mm vd:req, vs2:req, vs1:req
	.4byte 0x6a002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmxor.mm vd:req, vs2:req, vs1:req
	.4byte 0x6e002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmorn.mm vd:req, vs2:req, vs1:req
	.4byte 0x72002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmnand.mm vd:req, vs2:req, vs1:req
	.4byte 0x76002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmnor.mm vd:req, vs2:req, vs1:req
	.4byte 0x7a002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmxnor.mm vd:req, vs2:req, vs1:req
	.4byte 0x7e002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmsbf.m vd:req, vs2:req, vm=
	.4byte 0x5000a057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vmsof.m vd:req, vs2:req, vm=
	.4byte 0x50012057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vmsif.m vd:req, vs2:req, vm=
	.4byte 0x5001a057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro viota.m vd:req, vs2:req, vm=
	.4byte 0x50082057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vid.v vd:req, vm=
	.4byte 0x5008a057 | ((.Lcv_\vd) & 31) << 7 | .Lcv_vm_\vm
.endm
.macro vcpop.m rd:req, vs2:req, vm=
	.4byte 0x40082057 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vfirst.m rd:req, vs2:req, vm=
	.4byte 0x4008a057 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vlm.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 0, x\n, 43\rs1
	.endif
	.endr
.endm
.macro vsm.v vs3:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.insn i 0x27, 0, x\n, 43\rs1
	.endif
	.endr
.endm
.macro vle8.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 0, x\n, 32\rs1
	.else
	.insn i 0x7, 0, x\n, 0\rs1
	.endif
	.endif
	.endr
.endm
.macro vlseg3e8.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 0, x\n, 1056\rs1
	.else
	.insn i 0x7, 0, x\n, 1024\rs1
	.endif
	.endif
	.endr
.endm
.macro vle16.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 5, x\n, 32\rs1
	.else
	.insn i 0x7, 5, x\n, 0\rs1
	.endif
	.endif
	.endr
.endm
.macro vlseg2e16.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 5, x\n, 544\rs1
	.else
	.insn i 0x7, 5, x\n, 512\rs1
	.endif
	.endif
	.endr
.endm
.macro vle32.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 6, x\n, 32\rs1
	.else
	.insn i 0x7, 6, x\n, 0\rs1
	.endif
	.endif
	.endr
.endm
.macro vlseg4e32.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 6, x\n, 1568\rs1
	.else
	.insn i 0x7, 6, x\n, 1536\rs1
	.endif
	.endif
	.endr
.endm
.macro vle64.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 7, x\n, 32\rs1
	.else
	.insn i 0x7, 7, x\n, 0\rs1
	.endif
	.endif
	.endr
.endm
.macro vlseg2e64.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 7, x\n, 544\rs1
	.else
	.insn i 0x7, 7, x\n, 512\rs1
	.endif
	.endif
	.endr
.endm
.macro vse8.v vs3:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 0, x\n, 32\rs1
	.else
	.insn i 0x27, 0, x\n, 0\rs1
	.endif
	.endif
	.endr
.endm
.macro vsseg3e8.v vs3:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 0, x\n, 1056\rs1
	.else
	.insn i 0x27, 0, x\n, 1024\rs1
	.endif
	.endif
	.endr
.endm
.macro vse16.v vs3:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 5, x\n, 32\rs1
	.else
	.insn i 0x27, 5, x\n, 0\rs1
	.endif
	.endif
	.endr
.endm
.macro vsseg2e16.v vs3:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 5, x\n, 544\rs1
	.else
	.insn i 0x27, 5, x\n, 512\rs1
	.endif
	.endif
	.endr
.endm
.macro vse32.v vs3:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 6, x\n, 32\rs1
	.else
	.insn i 0x27, 6, x\n, 0\rs1
	.endif
	.endif
	.endr
.endm
.macro vsseg4e32.v vs3:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 6, x\n, 1568\rs1
	.else
	.insn i 0x27, 6, x\n, 1536\rs1
	.endif
	.endif
	.endr
.endm
.macro vse64.v vs3:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 7, x\n, 32\rs1
	.else
	.insn i 0x27, 7, x\n, 0\rs1
	.endif
	.endif
	.endr
.endm
.macro vsseg2e64.v vs3:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 7, x\n, 544\rs1
	.else
	.insn i 0x27, 7, x\n, 512\rs1
	.endif
	.endif
	.endr
.endm
.macro vluxei8.v vd:req, rs1:req, vs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 0, x\n, 96 + .Lcv_\vs2\()\rs1
	.else
	.insn i 0x7, 0, x\n, 64 + .Lcv_\vs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vluxei16.v vd:req, rs1:req, vs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 5, x\n, 96 + .Lcv_\vs2\()\rs1
	.else
	.insn i 0x7, 5, x\n, 64 + .Lcv_\vs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vluxei32.v vd:req, rs1:req, vs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 6, x\n, 96 + .Lcv_\vs2\()\rs1
	.else
	.insn i 0x7, 6, x\n, 64 + .Lcv_\vs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vluxei64.v vd:req, rs1:req, vs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 7, x\n, 96 + .Lcv_\vs2\()\rs1
	.else
	.insn i 0x7, 7, x\n, 64 + .Lcv_\vs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vsuxei8.v vs3:req, rs1:req, vs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 0, x\n, 96 + .Lcv_\vs2\()\rs1
	.else
	.insn i 0x27, 0, x\n, 64 + .Lcv_\vs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vsuxei16.v vs3:req, rs1:req, vs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 5, x\n, 96 + .Lcv_\vs2\()\rs1
	.else
	.insn i 0x27, 5, x\n, 64 + .Lcv_\vs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vsuxei32.v vs3:req, rs1:req, vs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 6, x\n, 96 + .Lcv_\vs2\()\rs1
	.else
	.insn i 0x27, 6, x\n, 64 + .Lcv_\vs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vsuxei64.v vs3:req, rs1:req, vs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 7, x\n, 96 + .Lcv_\vs2\()\rs1
	.else
	.insn i 0x27, 7, x\n, 64 + .Lcv_\vs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vlse8.v vd:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 0, x\n, 160 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x7, 0, x\n, 128 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vlse16.v vd:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 5, x\n, 160 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x7, 5, x\n, 128 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vlse32.v vd:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 6, x\n, 160 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x7, 6, x\n, 128 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vlsseg8e32.v vd:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 6, x\n, -352 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x7, 6, x\n, -384 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vlsseg4e32.v vd:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 6, x\n, 1696 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x7, 6, x\n, 1664 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vlse64.v vd:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 7, x\n, 160 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x7, 7, x\n, 128 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vsse8.v vs3:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 0, x\n, 160 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x27, 0, x\n, 128 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vsse16.v vs3:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 5, x\n, 160 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x27, 5, x\n, 128 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vsse32.v vs3:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 6, x\n, 160 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x27, 6, x\n, 128 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vssseg8e32.v vs3:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 6, x\n, -352 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x27, 6, x\n, -384 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vssseg4e32.v vs3:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 6, x\n, 1696 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x27, 6, x\n, 1664 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vsse64.v vs3:req, rs1:req, rs2:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.ifb \vm
	.insn i 0x27, 7, x\n, 160 + .Lcv_\rs2\()\rs1
	.else
	.insn i 0x27, 7, x\n, 128 + .Lcv_\rs2\()\rs1
	.endif
	.endif
	.endr
.endm
.macro vle8ff.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 0, x\n, 48\rs1
	.else
	.insn i 0x7, 0, x\n, 16\rs1
	.endif
	.endif
	.endr
.endm
.macro vle16ff.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 5, x\n, 48\rs1
	.else
	.insn i 0x7, 5, x\n, 16\rs1
	.endif
	.endif
	.endr
.endm
.macro vle32ff.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 6, x\n, 48\rs1
	.else
	.insn i 0x7, 6, x\n, 16\rs1
	.endif
	.endif
	.endr
.endm
.macro vle64ff.v vd:req, rs1:req, vm=
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.ifb \vm
	.insn i 0x7, 7, x\n, 48\rs1
	.else
	.insn i 0x7, 7, x\n, 16\rs1
	.endif
	.endif
	.endr
.endm
.macro vl1re8.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 0, x\n, 40\rs1
	.endif
	.endr
.endm
.macro vl1re16.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 5, x\n, 40\rs1
	.endif
	.endr
.endm
.macro vl1re32.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 6, x\n, 40\rs1
	.endif
	.endr
.endm
.macro vl1re64.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 7, x\n, 40\rs1
	.endif
	.endr
.endm
.macro vl2re8.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 0, x\n, 552\rs1
	.endif
	.endr
.endm
.macro vl2re16.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 5, x\n, 552\rs1
	.endif
	.endr
.endm
.macro vl2re32.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 6, x\n, 552\rs1
	.endif
	.endr
.endm
.macro vl2re64.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 7, x\n, 552\rs1
	.endif
	.endr
.endm
.macro vl4re8.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 0, x\n, 1576\rs1
	.endif
	.endr
.endm
.macro vl4re16.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 5, x\n, 1576\rs1
	.endif
	.endr
.endm
.macro vl4re32.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 6, x\n, 1576\rs1
	.endif
	.endr
.endm
.macro vl4re64.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 7, x\n, 1576\rs1
	.endif
	.endr
.endm
.macro vl8re8.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 0, x\n, -472\rs1
	.endif
	.endr
.endm
.macro vl8re16.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 5, x\n, -472\rs1
	.endif
	.endr
.endm
.macro vl8re32.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 6, x\n, -472\rs1
	.endif
	.endr
.endm
.macro vl8re64.v vd:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vd,v\n
	.insn i 0x7, 7, x\n, -472\rs1
	.endif
	.endr
.endm
.macro vs1r.v vs3:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.insn i 0x27, 0, x\n, 40\rs1
	.endif
	.endr
.endm
.macro vs2r.v vs3:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.insn i 0x27, 0, x\n, 552\rs1
	.endif
	.endr
.endm
.macro vs4r.v vs3:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.insn i 0x27, 0, x\n, 1576\rs1
	.endif
	.endr
.endm
.macro vs8r.v vs3:req, rs1:req
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.ifc \vs3,v\n
	.insn i 0x27, 0, x\n, -472\rs1
	.endif
	.endr
.endm
.macro vdivu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x80002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vdiv.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x84002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vremu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x88002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vrem.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x8c002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmulhu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x90002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmul.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x94002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmulhsu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x98002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmulh.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x9c002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmadd.vv vd:req, vs1:req, vs2:req, vm=
	.4byte 0xa4002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vnmsub.vv vd:req, vs1:req, vs2:req, vm=
	.4byte 0xac002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vmacc.vv vd:req, vs1:req, vs2:req, vm=
	.4byte 0xb4002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vnmsac.vv vd:req, vs1:req, vs2:req, vm=
	.4byte 0xbc002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vwmulu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xe0002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwmulsu.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xe8002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwmul.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0xec002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwmaccu.vv vd:req, vs1:req, vs2:req, vm=
	.4byte 0xf0002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vwmacc.vv vd:req, vs1:req, vs2:req, vm=
	.4byte 0xf4002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vwmaccsu.vv vd:req, vs1:req, vs2:req, vm=
	.4byte 0xfc002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vdivu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x80006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vdiv.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x84006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vremu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x88006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vrem.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x8c006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmulhu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x90006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmul.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x94006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmulhsu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x98006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmulh.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x9c006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmadd.vx vd:req, rs1:req, vs2:req, vm=
	.4byte 0xa4006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vnmsub.vx vd:req, rs1:req, vs2:req, vm=
	.4byte 0xac006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vmacc.vx vd:req, rs1:req, vs2:req, vm=
	.4byte 0xb4006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vnmsac.vx vd:req, rs1:req, vs2:req, vm=
	.4byte 0xbc006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vwmulu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xe0006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwmulsu.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xe8006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwmul.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0xec006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwmaccu.vx vd:req, rs1:req, vs2:req, vm=
	.4byte 0xf0006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vwmacc.vx vd:req, rs1:req, vs2:req, vm=
	.4byte 0xf4006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vwmaccus.vx vd:req, rs1:req, vs2:req, vm=
	.4byte 0xf8006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vwmaccsu.vx vd:req, rs1:req, vs2:req, vm=
	.4byte 0xfc006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\vs2) & 31) << 20 | .Lcv_vm_\vm
.endm
.macro vrgather.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x30004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vslideup.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x38004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vslidedown.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x3c004057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vrgather.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x30000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vrgatherei16.vv vd:req, vs2:req, vs1:req, vm=
	.4byte 0x38000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vrgather.vi vd:req, vs2:req, uimm:req, vm=
	.4byte 0x30003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vslideup.vi vd:req, vs2:req, uimm:req, vm=
	.4byte 0x38003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vslidedown.vi vd:req, vs2:req, uimm:req, vm=
	.4byte 0x3c003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((\uimm) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vmv1r.v vd:req, vs2:req
	.4byte 0x9e003057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vmv2r.v vd:req, vs2:req
	.4byte 0x9e00b057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vmv4r.v vd:req, vs2:req
	.4byte 0x9e01b057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vmv8r.v vd:req, vs2:req
	.4byte 0x9e03b057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vmv.x.s rd:req, vs2:req
	.4byte 0x42002057 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20
.endm
.macro vcompress.vm vd:req, vs2:req, vs1:req
	.4byte 0x5e002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15
.endm
.macro vmv.s.x vd:req, rs1:req
	.4byte 0x42006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro vslide1up.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x38006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vslide1down.vx vd:req, vs2:req, rs1:req, vm=
	.4byte 0x3c006057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\rs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwredsumu.vs vd:req, vs2:req, vs1:req, vm=
	.4byte 0xc0000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vwredsum.vs vd:req, vs2:req, vs1:req, vm=
	.4byte 0xc4000057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vredsum.vs vd:req, vs2:req, vs1:req, vm=
	.4byte 0x2057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vredand.vs vd:req, vs2:req, vs1:req, vm=
	.4byte 0x4002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vredor.vs vd:req, vs2:req, vs1:req, vm=
	.4byte 0x8002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vredxor.vs vd:req, vs2:req, vs1:req, vm=
	.4byte 0xc002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vredminu.vs vd:req, vs2:req, vs1:req, vm=
	.4byte 0x10002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vredmin.vs vd:req, vs2:req, vs1:req, vm=
	.4byte 0x14002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vredmaxu.vs vd:req, vs2:req, vs1:req, vm=
	.4byte 0x18002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm
.macro vredmax.vs vd:req, vs2:req, vs1:req, vm=
	.4byte 0x1c002057 | ((.Lcv_\vd) & 31) << 7 | ((.Lcv_\vs2) & 31) << 20 | ((.Lcv_\vs1) & 31) << 15 | .Lcv_vm_\vm
.endm

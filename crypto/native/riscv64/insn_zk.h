/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.
 *
 * Instructions of scalar ciphers and GHASH as macros, for assemblers that do not know them. */

#include "insn_names.h"

.macro clmul rd:req, rs1:req, rs2:req
	.4byte 0xa001033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro clmulr rd:req, rs1:req, rs2:req
	.4byte 0xa002033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro clmulh rd:req, rs1:req, rs2:req
	.4byte 0xa003033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro pack rd:req, rs1:req, rs2:req
	.4byte 0x8004033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro packh rd:req, rs1:req, rs2:req
	.4byte 0x8007033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro brev8 rd:req, rs1:req
	.4byte 0x68705013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro packw rd:req, rs1:req, rs2:req
	.4byte 0x800403b | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro aes64dsm rd:req, rs1:req, rs2:req
	.4byte 0x3e000033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro aes64ds rd:req, rs1:req, rs2:req
	.4byte 0x3a000033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro aes64ks1i rd:req, rs1:req, uimm:req
	.4byte 0x31001013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((\uimm) & 15) << 20
.endm
.macro aes64im rd:req, rs1:req
	.4byte 0x30001013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro aes64ks2 rd:req, rs1:req, rs2:req
	.4byte 0x7e000033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro aes64esm rd:req, rs1:req, rs2:req
	.4byte 0x36000033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro aes64es rd:req, rs1:req, rs2:req
	.4byte 0x32000033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro sm4ed rd:req, rs1:req, rs2:req, uimm:req
	.4byte 0x30000033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20 | ((\uimm) & 3) << 30
.endm
.macro sm4ks rd:req, rs1:req, rs2:req, uimm:req
	.4byte 0x34000033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20 | ((\uimm) & 3) << 30
.endm

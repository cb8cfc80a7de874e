/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.
 *
 * Instructions of bit manipulation and scalar hashes as macros, for assemblers that do not know them. */

#include "insn_names.h"

.macro zext.h rd:req, rs1:req
	.4byte 0x800403b | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro andn rd:req, rs1:req, rs2:req
	.4byte 0x40007033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro orn rd:req, rs1:req, rs2:req
	.4byte 0x40006033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro xnor rd:req, rs1:req, rs2:req
	.4byte 0x40004033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro clz rd:req, rs1:req
	.4byte 0x60001013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro ctz rd:req, rs1:req
	.4byte 0x60101013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro cpop rd:req, rs1:req
	.4byte 0x60201013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro max rd:req, rs1:req, rs2:req
	.4byte 0xa006033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro maxu rd:req, rs1:req, rs2:req
	.4byte 0xa007033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro min rd:req, rs1:req, rs2:req
	.4byte 0xa004033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro minu rd:req, rs1:req, rs2:req
	.4byte 0xa005033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro sext.b rd:req, rs1:req
	.4byte 0x60401013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sext.h rd:req, rs1:req
	.4byte 0x60501013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro rol rd:req, rs1:req, rs2:req
	.4byte 0x60001033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro ror rd:req, rs1:req, rs2:req
	.4byte 0x60005033 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro orc.b rd:req, rs1:req
	.4byte 0x28705013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro clzw rd:req, rs1:req
	.4byte 0x6000101b | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro ctzw rd:req, rs1:req
	.4byte 0x6010101b | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro cpopw rd:req, rs1:req
	.4byte 0x6020101b | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro rolw rd:req, rs1:req, rs2:req
	.4byte 0x6000103b | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro rorw rd:req, rs1:req, rs2:req
	.4byte 0x6000503b | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((.Lcv_\rs2) & 31) << 20
.endm
.macro roriw rd:req, rs1:req, uimm:req
	.4byte 0x6000501b | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((\uimm) & 31) << 20
.endm
.macro rori rd:req, rs1:req, uimm:req
	.4byte 0x60005013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15 | ((\uimm) & 63) << 20
.endm
.macro rev8 rd:req, rs1:req
	.4byte 0x6b805013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sha256sum0 rd:req, rs1:req
	.4byte 0x10001013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sha256sum1 rd:req, rs1:req
	.4byte 0x10101013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sha256sig0 rd:req, rs1:req
	.4byte 0x10201013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sha256sig1 rd:req, rs1:req
	.4byte 0x10301013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sha512sum0 rd:req, rs1:req
	.4byte 0x10401013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sha512sum1 rd:req, rs1:req
	.4byte 0x10501013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sha512sig0 rd:req, rs1:req
	.4byte 0x10601013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sha512sig1 rd:req, rs1:req
	.4byte 0x10701013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sm3p0 rd:req, rs1:req
	.4byte 0x10801013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm
.macro sm3p1 rd:req, rs1:req
	.4byte 0x10901013 | ((.Lcv_\rd) & 31) << 7 | ((.Lcv_\rs1) & 31) << 15
.endm

/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.
 *
 * Scalar cryptography of RV32 for C. Operands called bs and n are constants. */
#ifndef CV_INSN_H
#define CV_INSN_H

#include <stdint.h>

#define CV_INSN_R(opcode, f3, f7, rs1, rs2) \
    ({ \
        uint32_t rd_; \
        __asm__(".insn r " #opcode ", " #f3 ", %3, %0, %1, %2" : "=r"(rd_) : "r"(rs1), "r"(rs2), "i"(f7)); \
        rd_; \
    })
#define CV_INSN_I(opcode, f3, imm, rs1) \
    ({ \
        uint32_t rd_; \
        __asm__(".insn i " #opcode ", " #f3 ", %0, %1, %2" : "=r"(rd_) : "r"(rs1), "i"(imm)); \
        rd_; \
    })

#define cv_andn(rs1, rs2) CV_INSN_R(0x33, 7, 0x20, rs1, rs2)
#define cv_orn(rs1, rs2) CV_INSN_R(0x33, 6, 0x20, rs1, rs2)
#define cv_xnor(rs1, rs2) CV_INSN_R(0x33, 4, 0x20, rs1, rs2)
#define cv_rol(rs1, rs2) CV_INSN_R(0x33, 1, 0x30, rs1, rs2)
#define cv_ror(rs1, rs2) CV_INSN_R(0x33, 5, 0x30, rs1, rs2)
#define cv_rori(rs1, n) CV_INSN_I(0x13, 5, 0x600 | (n), rs1)
#define cv_rev8(rs1) CV_INSN_I(0x13, 5, 0x698, rs1)
#define cv_clmul(rs1, rs2) CV_INSN_R(0x33, 1, 0x5, rs1, rs2)
#define cv_clmulh(rs1, rs2) CV_INSN_R(0x33, 3, 0x5, rs1, rs2)
#define cv_pack(rs1, rs2) CV_INSN_R(0x33, 4, 0x4, rs1, rs2)
#define cv_packh(rs1, rs2) CV_INSN_R(0x33, 7, 0x4, rs1, rs2)
#define cv_brev8(rs1) CV_INSN_I(0x13, 5, 0x687, rs1)
#define cv_zip(rs1) CV_INSN_I(0x13, 1, 0x8f, rs1)
#define cv_unzip(rs1) CV_INSN_I(0x13, 5, 0x8f, rs1)
#define cv_aes32dsi(rs1, rs2, bs) CV_INSN_R(0x33, 0, 0x15 | (bs) << 5, rs1, rs2)
#define cv_aes32dsmi(rs1, rs2, bs) CV_INSN_R(0x33, 0, 0x17 | (bs) << 5, rs1, rs2)
#define cv_aes32esi(rs1, rs2, bs) CV_INSN_R(0x33, 0, 0x11 | (bs) << 5, rs1, rs2)
#define cv_aes32esmi(rs1, rs2, bs) CV_INSN_R(0x33, 0, 0x13 | (bs) << 5, rs1, rs2)
#define cv_sha256sum0(rs1) CV_INSN_I(0x13, 1, 0x100, rs1)
#define cv_sha256sum1(rs1) CV_INSN_I(0x13, 1, 0x101, rs1)
#define cv_sha256sig0(rs1) CV_INSN_I(0x13, 1, 0x102, rs1)
#define cv_sha256sig1(rs1) CV_INSN_I(0x13, 1, 0x103, rs1)
#define cv_sha512sig0l(rs1, rs2) CV_INSN_R(0x33, 0, 0x2a, rs1, rs2)
#define cv_sha512sig0h(rs1, rs2) CV_INSN_R(0x33, 0, 0x2e, rs1, rs2)
#define cv_sha512sig1l(rs1, rs2) CV_INSN_R(0x33, 0, 0x2b, rs1, rs2)
#define cv_sha512sig1h(rs1, rs2) CV_INSN_R(0x33, 0, 0x2f, rs1, rs2)
#define cv_sha512sum0r(rs1, rs2) CV_INSN_R(0x33, 0, 0x28, rs1, rs2)
#define cv_sha512sum1r(rs1, rs2) CV_INSN_R(0x33, 0, 0x29, rs1, rs2)
#define cv_sm4ed(rs1, rs2, bs) CV_INSN_R(0x33, 0, 0x18 | (bs) << 5, rs1, rs2)
#define cv_sm4ks(rs1, rs2, bs) CV_INSN_R(0x33, 0, 0x1a | (bs) << 5, rs1, rs2)
#define cv_sm3p0(rs1) CV_INSN_I(0x13, 1, 0x108, rs1)
#define cv_sm3p1(rs1) CV_INSN_I(0x13, 1, 0x109, rs1)

#endif

// Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.

// The instruction that a word encodes, the extensions any of which makes it legal, and its
// operands.
module zvku_op_table (
  input  logic [31:0] insn_i,
  output zvku_op_pkg::op_e op_o,
  output logic [zvku_op_pkg::EXT_COUNT-1:0] exts_o,
  output logic has_vs1_o,  // a vector register
  output logic has_rs1_o,  // an integer register
  output logic has_imm_o,  // an immediate
  output logic has_vm_o    // may be masked
);
  always_comb begin
    {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0;
    op_o = zvku_op_pkg::NONE;
    exts_o = '0;
    unique casez (insn_i)
      32'b100101_?_?????_?????_010_?????_1111011: begin  // vmulq.vv
        op_o = zvku_op_pkg::VMULQ_VV;
        exts_o = 13'b0100000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1001;
      end
      32'b100101_?_?????_?????_110_?????_1111011: begin  // vmulq.vx
        op_o = zvku_op_pkg::VMULQ_VX;
        exts_o = 13'b0100000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0101;
      end
      32'b101101_?_?????_?????_010_?????_1111011: begin  // vmacq.vv
        op_o = zvku_op_pkg::VMACQ_VV;
        exts_o = 13'b0100000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1001;
      end
      32'b101101_?_?????_?????_110_?????_1111011: begin  // vmacq.vx
        op_o = zvku_op_pkg::VMACQ_VX;
        exts_o = 13'b0100000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0101;
      end
      32'b000001_?_?????_?????_000_?????_1010111: begin  // vandn.vv
        op_o = zvku_op_pkg::VANDN_VV;
        exts_o = 13'b0000000000011;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1001;
      end
      32'b000001_?_?????_?????_100_?????_1010111: begin  // vandn.vx
        op_o = zvku_op_pkg::VANDN_VX;
        exts_o = 13'b0000000000011;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0101;
      end
      32'b010010_?_?????_01010_010_?????_1010111: begin  // vbrev.v
        op_o = zvku_op_pkg::VBREV_V;
        exts_o = 13'b0000000000001;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0001;
      end
      32'b010010_?_?????_01000_010_?????_1010111: begin  // vbrev8.v
        op_o = zvku_op_pkg::VBREV8_V;
        exts_o = 13'b0000000000011;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0001;
      end
      32'b010010_?_?????_01001_010_?????_1010111: begin  // vrev8.v
        op_o = zvku_op_pkg::VREV8_V;
        exts_o = 13'b0000000000011;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0001;
      end
      32'b010010_?_?????_01100_010_?????_1010111: begin  // vclz.v
        op_o = zvku_op_pkg::VCLZ_V;
        exts_o = 13'b0000000000001;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0001;
      end
      32'b010010_?_?????_01101_010_?????_1010111: begin  // vctz.v
        op_o = zvku_op_pkg::VCTZ_V;
        exts_o = 13'b0000000000001;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0001;
      end
      32'b010010_?_?????_01110_010_?????_1010111: begin  // vcpop.v
        op_o = zvku_op_pkg::VCPOP_V;
        exts_o = 13'b0000000000001;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0001;
      end
      32'b010101_?_?????_?????_000_?????_1010111: begin  // vrol.vv
        op_o = zvku_op_pkg::VROL_VV;
        exts_o = 13'b0000000000011;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1001;
      end
      32'b010101_?_?????_?????_100_?????_1010111: begin  // vrol.vx
        op_o = zvku_op_pkg::VROL_VX;
        exts_o = 13'b0000000000011;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0101;
      end
      32'b010100_?_?????_?????_000_?????_1010111: begin  // vror.vv
        op_o = zvku_op_pkg::VROR_VV;
        exts_o = 13'b0000000000011;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1001;
      end
      32'b010100_?_?????_?????_100_?????_1010111: begin  // vror.vx
        op_o = zvku_op_pkg::VROR_VX;
        exts_o = 13'b0000000000011;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0101;
      end
      32'b01010?_?_?????_?????_011_?????_1010111: begin  // vror.vi
        op_o = zvku_op_pkg::VROR_VI;
        exts_o = 13'b0000000000011;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0011;
      end
      32'b110101_?_?????_?????_000_?????_1010111: begin  // vwsll.vv
        op_o = zvku_op_pkg::VWSLL_VV;
        exts_o = 13'b0000000000001;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1001;
      end
      32'b110101_?_?????_?????_100_?????_1010111: begin  // vwsll.vx
        op_o = zvku_op_pkg::VWSLL_VX;
        exts_o = 13'b0000000000001;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0101;
      end
      32'b110101_?_?????_?????_011_?????_1010111: begin  // vwsll.vi
        op_o = zvku_op_pkg::VWSLL_VI;
        exts_o = 13'b0000000000001;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0011;
      end
      32'b001100_?_?????_?????_010_?????_1010111: begin  // vclmul.vv
        op_o = zvku_op_pkg::VCLMUL_VV;
        exts_o = 13'b0000000000100;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1001;
      end
      32'b001100_?_?????_?????_110_?????_1010111: begin  // vclmul.vx
        op_o = zvku_op_pkg::VCLMUL_VX;
        exts_o = 13'b0000000000100;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0101;
      end
      32'b001101_?_?????_?????_010_?????_1010111: begin  // vclmulh.vv
        op_o = zvku_op_pkg::VCLMULH_VV;
        exts_o = 13'b0000000000100;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1001;
      end
      32'b001101_?_?????_?????_110_?????_1010111: begin  // vclmulh.vx
        op_o = zvku_op_pkg::VCLMULH_VX;
        exts_o = 13'b0000000000100;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0101;
      end
      32'b101000_1_?????_10001_010_?????_1110111: begin  // vgmul.vv
        op_o = zvku_op_pkg::VGMUL_VV;
        exts_o = 13'b0000000001000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101100_1_?????_?????_010_?????_1110111: begin  // vghsh.vv
        op_o = zvku_op_pkg::VGHSH_VV;
        exts_o = 13'b0000000001000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b101000_1_?????_00001_010_?????_1110111: begin  // vaesdf.vv
        op_o = zvku_op_pkg::VAESDF_VV;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101001_1_?????_00001_010_?????_1110111: begin  // vaesdf.vs
        op_o = zvku_op_pkg::VAESDF_VS;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101000_1_?????_00000_010_?????_1110111: begin  // vaesdm.vv
        op_o = zvku_op_pkg::VAESDM_VV;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101001_1_?????_00000_010_?????_1110111: begin  // vaesdm.vs
        op_o = zvku_op_pkg::VAESDM_VS;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101000_1_?????_00011_010_?????_1110111: begin  // vaesef.vv
        op_o = zvku_op_pkg::VAESEF_VV;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101001_1_?????_00011_010_?????_1110111: begin  // vaesef.vs
        op_o = zvku_op_pkg::VAESEF_VS;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101000_1_?????_00010_010_?????_1110111: begin  // vaesem.vv
        op_o = zvku_op_pkg::VAESEM_VV;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101001_1_?????_00010_010_?????_1110111: begin  // vaesem.vs
        op_o = zvku_op_pkg::VAESEM_VS;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101001_1_?????_00111_010_?????_1110111: begin  // vaesz.vs
        op_o = zvku_op_pkg::VAESZ_VS;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b100010_1_?????_?????_010_?????_1110111: begin  // vaeskf1.vi
        op_o = zvku_op_pkg::VAESKF1_VI;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0010;
      end
      32'b101010_1_?????_?????_010_?????_1110111: begin  // vaeskf2.vi
        op_o = zvku_op_pkg::VAESKF2_VI;
        exts_o = 13'b0000000010000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0010;
      end
      32'b000000_1_?????_?????_010_?????_1111011: begin  // vaese128.vv
        op_o = zvku_op_pkg::VAESE128_VV;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b000001_1_?????_?????_010_?????_1111011: begin  // vaese128.vs
        op_o = zvku_op_pkg::VAESE128_VS;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b000010_1_?????_?????_010_?????_1111011: begin  // vaesd128.vv
        op_o = zvku_op_pkg::VAESD128_VV;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b000011_1_?????_?????_010_?????_1111011: begin  // vaesd128.vs
        op_o = zvku_op_pkg::VAESD128_VS;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b000100_1_?????_?????_010_?????_1111011: begin  // vaese256.vv
        op_o = zvku_op_pkg::VAESE256_VV;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b000101_1_?????_?????_010_?????_1111011: begin  // vaese256.vs
        op_o = zvku_op_pkg::VAESE256_VS;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b000110_1_?????_?????_010_?????_1111011: begin  // vaesd256.vv
        op_o = zvku_op_pkg::VAESD256_VV;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b000111_1_?????_?????_010_?????_1111011: begin  // vaesd256.vs
        op_o = zvku_op_pkg::VAESD256_VS;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b001000_1_?????_00000_010_?????_1111011: begin  // vaes128k10.v
        op_o = zvku_op_pkg::VAES128K10_V;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b001001_1_?????_?????_010_?????_1111011: begin  // vaes256k13.vv
        op_o = zvku_op_pkg::VAES256K13_VV;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b001010_1_?????_?????_010_?????_1111011: begin  // vaes256k14.vv
        op_o = zvku_op_pkg::VAES256K14_VV;
        exts_o = 13'b1000000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b101101_1_?????_?????_010_?????_1110111: begin  // vsha2ms.vv
        op_o = zvku_op_pkg::VSHA2MS_VV;
        exts_o = 13'b0000001100000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b101110_1_?????_?????_010_?????_1110111: begin  // vsha2ch.vv
        op_o = zvku_op_pkg::VSHA2CH_VV;
        exts_o = 13'b0000001100000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b101111_1_?????_?????_010_?????_1110111: begin  // vsha2cl.vv
        op_o = zvku_op_pkg::VSHA2CL_VV;
        exts_o = 13'b0000001100000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      32'b101001_1_?????_10010_010_?????_1110111: begin  // vkeccak.vi
        op_o = zvku_op_pkg::VKECCAK_VI;
        exts_o = 13'b0011000000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0010;
      end
      32'b100001_1_?????_?????_010_?????_1110111: begin  // vsm4k.vi
        op_o = zvku_op_pkg::VSM4K_VI;
        exts_o = 13'b0000010000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0010;
      end
      32'b101000_1_?????_10000_010_?????_1110111: begin  // vsm4r.vv
        op_o = zvku_op_pkg::VSM4R_VV;
        exts_o = 13'b0000010000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101001_1_?????_10000_010_?????_1110111: begin  // vsm4r.vs
        op_o = zvku_op_pkg::VSM4R_VS;
        exts_o = 13'b0000010000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0000;
      end
      32'b101011_1_?????_?????_010_?????_1110111: begin  // vsm3c.vi
        op_o = zvku_op_pkg::VSM3C_VI;
        exts_o = 13'b0000100000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0010;
      end
      32'b100000_1_?????_?????_010_?????_1110111: begin  // vsm3me.vv
        op_o = zvku_op_pkg::VSM3ME_VV;
        exts_o = 13'b0000100000000;
        {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b1000;
      end
      default: ;
    endcase
  end
endmodule

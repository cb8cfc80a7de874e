// A scalar instruction's immediate and control.
module zvcore_decode (
  input  logic [31:0]            insn_i,
  output zvcore_op_pkg::op_e     op_o,
  output zvcore_op_pkg::class_e  class_o,
  output zvcore_pkg::ctrl_t      ctrl_o,
  output logic                   use_imm_o,
  output logic [63:0]            imm_o,
  output logic                   has_vs2_o,
  output logic                   has_vs1_o,
  output logic                   vector_o  // in the table, or possibly one of the crypto unit
);
  zvcore_op_pkg::imm_e format;
  logic has_rd;
  zvcore_op_table u_table (
    .insn_i, .op_o, .class_o, .imm_o(format), .has_rd_o(has_rd), .has_vs2_o, .has_vs1_o
  );

  always_comb begin
    unique case (format)
      zvcore_op_pkg::IMM_S: imm_o = {{52{insn_i[31]}}, insn_i[31:25], insn_i[11:7]};
      zvcore_op_pkg::IMM_B: imm_o = {{52{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8],
          1'b0};
      zvcore_op_pkg::IMM_U: imm_o = {{32{insn_i[31]}}, insn_i[31:12], 12'b0};
      zvcore_op_pkg::IMM_J: imm_o = {{44{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21],
          1'b0};
      zvcore_op_pkg::IMM_V: imm_o = {{59{insn_i[19]}}, insn_i[19:15]};
      zvcore_op_pkg::IMM_VU: imm_o = {59'b0, insn_i[19:15]};
      zvcore_op_pkg::IMM_SHIFT: imm_o = {58'b0, insn_i[25:20]};
      default: imm_o = {{52{insn_i[31]}}, insn_i[31:20]};
    endcase
  end
  assign use_imm_o = format != zvcore_op_pkg::NO_IMM;

  always_comb begin
    ctrl_o.load = class_o == zvcore_op_pkg::CLASS_LOAD;
    ctrl_o.store = class_o == zvcore_op_pkg::CLASS_STORE;
    ctrl_o.size = insn_i[13:12];
    ctrl_o.sign = !insn_i[14];
    ctrl_o.mul = class_o == zvcore_op_pkg::CLASS_MUL;
    ctrl_o.div = class_o == zvcore_op_pkg::CLASS_DIV;
    ctrl_o.csr = class_o == zvcore_op_pkg::CLASS_CSR;
    ctrl_o.csr_write = insn_i[13:12] == 2'b01 || insn_i[19:15] != '0;
    ctrl_o.csr_imm = insn_i[14];
    ctrl_o.jump = class_o == zvcore_op_pkg::CLASS_JUMP;
    ctrl_o.branch = class_o == zvcore_op_pkg::CLASS_BRANCH;
    ctrl_o.rd = has_rd && insn_i[11:7] != '0;
  end

  always_comb begin
    case (insn_i[6:0])
      7'h57, 7'h77, 7'h7b: vector_o = 1'b1;  // OP-V, OP-VE, custom-3
      7'h07, 7'h27: vector_o = op_o != zvcore_op_pkg::NONE;
      default: vector_o = 1'b0;
    endcase
  end
endmodule

// Integer arithmetic, and whether a branch is taken.
module zvcore_alu (
  input  zvcore_op_pkg::op_e op_i,
  input  logic [63:0]        a_i,
  input  logic [63:0]        b_i,
  output logic [63:0]        y_o,
  output logic               taken_o
);
  logic equal, less, less_u;
  assign equal = a_i == b_i;
  assign less = $signed(a_i) < $signed(b_i);
  assign less_u = a_i < b_i;

  logic [63:0] sum, difference;
  logic [31:0] sll, srl, sra;
  assign sum = a_i + b_i;
  assign difference = a_i - b_i;
  assign sll = a_i[31:0] << b_i[4:0];
  assign srl = a_i[31:0] >> b_i[4:0];
  assign sra = 32'($signed(a_i[31:0]) >>> b_i[4:0]);

  always_comb begin
    case (op_i)
      zvcore_op_pkg::SUB: y_o = difference;
      zvcore_op_pkg::SLL, zvcore_op_pkg::SLLI: y_o = a_i << b_i[5:0];
      zvcore_op_pkg::SRL, zvcore_op_pkg::SRLI: y_o = a_i >> b_i[5:0];
      zvcore_op_pkg::SRA, zvcore_op_pkg::SRAI: y_o = 64'($signed(a_i) >>> b_i[5:0]);
      zvcore_op_pkg::SLT, zvcore_op_pkg::SLTI: y_o = {63'b0, less};
      zvcore_op_pkg::SLTU, zvcore_op_pkg::SLTIU: y_o = {63'b0, less_u};
      zvcore_op_pkg::XOR, zvcore_op_pkg::XORI: y_o = a_i ^ b_i;
      zvcore_op_pkg::OR, zvcore_op_pkg::ORI: y_o = a_i | b_i;
      zvcore_op_pkg::AND, zvcore_op_pkg::ANDI: y_o = a_i & b_i;
      zvcore_op_pkg::ADDW, zvcore_op_pkg::ADDIW: y_o = {{32{sum[31]}}, sum[31:0]};
      zvcore_op_pkg::SUBW: y_o = {{32{difference[31]}}, difference[31:0]};
      zvcore_op_pkg::SLLW, zvcore_op_pkg::SLLIW: y_o = {{32{sll[31]}}, sll};
      zvcore_op_pkg::SRLW, zvcore_op_pkg::SRLIW: y_o = {{32{srl[31]}}, srl};
      zvcore_op_pkg::SRAW, zvcore_op_pkg::SRAIW: y_o = {{32{sra[31]}}, sra};
      default: y_o = sum;  // add, addi, lui, auipc, addresses
    endcase
    case (op_i)
      zvcore_op_pkg::BEQ: taken_o = equal;
      zvcore_op_pkg::BNE: taken_o = !equal;
      zvcore_op_pkg::BLT: taken_o = less;
      zvcore_op_pkg::BGE: taken_o = !less;
      zvcore_op_pkg::BLTU: taken_o = less_u;
      default: taken_o = !less_u;
    endcase
  end
endmodule

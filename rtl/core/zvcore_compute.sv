// Arithmetic: the sum or address of an instruction, whether a branch is taken, and what a register
// gets, which multiplication and division compute in several cycles.
module zvcore_compute (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               go_i,  // the instruction is executed
  input  zvcore_op_pkg::op_e op_i,
  input  zvcore_pkg::ctrl_t  ctrl_i,
  input  logic               use_imm_i,
  input  logic [63:0]        pc_i,
  input  logic [63:0]        imm_i,
  input  logic [63:0]        rs1_i,
  input  logic [63:0]        rs2_i,
  output logic [63:0]        y_o,
  output logic               taken_o,
  output logic               done_o,
  output logic [63:0]        computed_o
);
  // A branch compares registers, so its target has an adder of its own.
  logic [63:0] a, b, product, quotient;
  logic mul_done, div_done;
  assign a = op_i == zvcore_op_pkg::LUI ? '0 : op_i == zvcore_op_pkg::AUIPC ? pc_i : rs1_i;
  assign b = use_imm_i && !ctrl_i.branch ? imm_i : rs2_i;
  zvcore_alu u_alu (.op_i, .a_i(a), .b_i(b), .y_o, .taken_o);
  zvcore_mul u_mul (
    .clk_i, .rst_ni, .start_i(go_i && ctrl_i.mul), .op_i, .a_i(rs1_i), .b_i(rs2_i),
    .done_o(mul_done), .y_o(product)
  );
  zvcore_div u_div (
    .clk_i, .rst_ni, .start_i(go_i && ctrl_i.div), .op_i, .a_i(rs1_i), .b_i(rs2_i),
    .done_o(div_done), .y_o(quotient)
  );
  assign done_o = (!ctrl_i.mul || mul_done) && (!ctrl_i.div || div_done);
  always_comb begin
    if (ctrl_i.mul) computed_o = product;
    else if (ctrl_i.div) computed_o = quotient;
    else computed_o = y_o;
  end

  logic unused;
  assign unused = ^ctrl_i;
endmodule

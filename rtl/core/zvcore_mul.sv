// Multiplication: the operands are registered, and the product is ready in the next cycle, whatever
// the operands.
module zvcore_mul (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               start_i,  // held until `done_o`
  input  zvcore_op_pkg::op_e op_i,     // held as well: it also selects the product's half
  input  logic [63:0]        a_i,
  input  logic [63:0]        b_i,
  output logic               done_o,
  output logic [63:0]        y_o
);
  logic done_q;
  logic [64:0] a_q, b_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q <= 1'b0;
    else done_q <= start_i && !done_q;
  end
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      a_q <= {op_i != zvcore_op_pkg::MULHU && a_i[63], a_i};
      b_q <= {op_i == zvcore_op_pkg::MULH && b_i[63], b_i};
    end
  end

  logic [129:0] product;
  assign product = {{65{a_q[64]}}, a_q} * {{65{b_q[64]}}, b_q};
  always_comb begin
    case (op_i)
      zvcore_op_pkg::MUL: y_o = product[63:0];
      zvcore_op_pkg::MULW: y_o = {{32{product[31]}}, product[31:0]};
      default: y_o = product[127:64];
    endcase
  end
  assign done_o = done_q;

  logic unused;
  assign unused = ^product[129:128];
endmodule

// Operands of a datapath. In hardware these are wires.
//
// With ZVKU_HOLD, for simulation only, they change only in the cycles in which the datapath is
// used, so that Verilator does not evaluate it in the others. This needs inputs that change with
// the clock: `token_d` must not change twice in a cycle.
module zvku_hold #(
  parameter int unsigned W = 128
) (
  input  logic         clk_i,
  input  logic         use_i,
  input  logic [W-1:0] data_i,
  output logic [W-1:0] data_o
);
`ifdef ZVKU_HOLD
  logic token_d, token_q;
  assign token_d = token_q ^ use_i;
  always_ff @(posedge clk_i) token_q <= token_d;
  always @(token_d) data_o = data_i;
`else
  assign data_o = data_i;
  logic unused;
  assign unused = clk_i ^ use_i;
`endif
endmodule

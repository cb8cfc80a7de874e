// x1 to x31: two reads, and one write at the end of the cycle.
module zvcore_xregs (
  input  logic        clk_i,
  input  logic [4:0]  rs1_i,
  input  logic [4:0]  rs2_i,
  output logic [63:0] rs1_o,
  output logic [63:0] rs2_o,
  input  logic        we_i,
  input  logic [4:0]  rd_i,
  input  logic [63:0] data_i
);
  logic [63:0] x_q[1:31];

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 1; i < 32; i++) begin
      if (we_i && rd_i == 5'(i)) x_q[i] <= data_i;
    end
  end
  assign rs1_o = rs1_i == '0 ? '0 : x_q[rs1_i];
  assign rs2_o = rs2_i == '0 ? '0 : x_q[rs2_i];
endmodule

// Destinations of the instructions in zvku, in order, since its results do not name them.
//
// At most seven instructions are in it: one whose beats are taken, and those whose results are in
// its pipe of four places, in its output register, or in the second half of that (DLEN 64).
module zvcore_vnames (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        push_i,
  input  logic [12:0] name_i,
  input  logic        pop_i,
  output logic [12:0] name_o
);
  localparam int unsigned Depth = 8;
  logic [13*Depth-1:0] names_q;
  logic [2:0] first_q, next_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      next_q <= '0;
    end else begin
      if (push_i) next_q <= next_q + 3'd1;
      if (pop_i) first_q <= first_q + 3'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (push_i) names_q[13*next_q+:13] <= name_i;
  end
  assign name_o = names_q[13*first_q+:13];
endmodule

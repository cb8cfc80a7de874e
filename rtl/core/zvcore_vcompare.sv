// Compares two zero-extended elements.
module zvcore_vcompare (
  input  logic [2:0]  compare_i,  // see zvcore_v_pkg::ctrl_t
  input  logic [1:0]  eew_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  output logic        holds_o
);
  logic [5:0] top;
  logic equal, less;
  assign top = (6'd8 << eew_i) - 6'd1;
  always_comb begin
    equal = a_i == b_i;
    less = a_i < b_i;
    // If the signs differ, the signed order is the reverse.
    if (compare_i[0] && compare_i[2:1] != 2'b00) less ^= a_i[top] ^ b_i[top];
    case (compare_i[2:1])
      2'd0: holds_o = equal ^ compare_i[0];
      2'd1: holds_o = less;
      2'd2: holds_o = less || equal;
      default: holds_o = !less && !equal;
    endcase
  end
endmodule

// zvku_sm3_round against GB/T 32905-2016, sections 4.3, 4.4 and 5.3.3.
module sm3 (
  input logic         late_i,
  input logic [31:0]  constant_i,
  input logic [255:0] state_i,
  input logic [31:0]  w_i,
  input logic [31:0]  w4_i,
  output logic [255:0] bad_o  // must be zeros
);
  logic [255:0] state, want;
  zvku_sm3_round dut (.late_i, .constant_i, .state_i, .w_i, .w4_i, .state_o(state));

  function automatic logic [31:0] left(logic [31:0] x, int unsigned by);
    left = x << by | x >> (32 - by);
  endfunction
  logic [31:0] a, b, c, d, e, f, g, h, ss1, ss2, tt1, tt2, ff, gg;
  assign {h, g, f, e, d, c, b, a} = state_i;
  assign ff = late_i ? (a & b) | (a & c) | (b & c) : a ^ b ^ c;
  assign gg = late_i ? (e & f) | (~e & g) : e ^ f ^ g;
  assign ss1 = left(left(a, 12) + e + constant_i, 7);
  assign ss2 = ss1 ^ left(a, 12);
  assign tt1 = ff + d + ss2 + (w_i ^ w4_i);
  assign tt2 = gg + h + ss1 + w_i;
  assign want = {g, left(f, 19), e, tt2 ^ left(tt2, 9) ^ left(tt2, 17), c, left(b, 9), a, tt1};
  assign bad_o = state ^ want;
endmodule

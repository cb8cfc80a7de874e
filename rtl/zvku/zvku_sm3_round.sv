// A round of SM3 (GB/T 32905-2016 section 5.3.3). The caller handles element order and endianness.
module zvku_sm3_round (
  input  logic         late_i,      // 1 in rounds 16 to 63, where FF and GG differ
  input  logic [31:0]  constant_i,  // T_j rotated by j
  input  logic [255:0] state_i,     // {h, .., a}
  input  logic [31:0]  w_i,
  input  logic [31:0]  w4_i,        // W[j+4]
  output logic [255:0] state_o
);
  logic [31:0] a, b, c, d, e, f, g, h;
  assign {h, g, f, e, d, c, b, a} = state_i;

  logic [31:0] a12, ss1_in, ss1, ff, gg, tt1, tt2, p0;
  assign a12 = {a[19:0], a[31:20]};
  assign ss1_in = a12 + e + constant_i;
  assign ss1 = {ss1_in[24:0], ss1_in[31:25]};
  assign ff = late_i ? (a & b) | (c & (a | b)) : a ^ b ^ c;
  assign gg = late_i ? g ^ (e & (f ^ g)) : e ^ f ^ g;
  assign tt1 = ff + d + (ss1 ^ a12) + (w_i ^ w4_i);
  assign tt2 = gg + h + ss1 + w_i;
  assign p0 = tt2 ^ {tt2[22:0], tt2[31:23]} ^ {tt2[14:0], tt2[31:15]};

  assign state_o = {g, {f[12:0], f[31:13]}, e, p0, c, {b[22:0], b[31:23]}, a, tt1};
endmodule

// Inversion in GF(((2^2)^2)^2), zero maps to zero: the only nonlinear part of the S-boxes of AES
// and SM4.
//
// Normal bases; see zvku_sbox_in. For g = g1 Y^16 + g0 Y with norm nu of Y, the inverse is (g0 Y^16
// + g1 Y) / t with t = nu (g1 + g0)^2 + g1 g0, and the same one level below (Canright, CHES 2005,
// section 3).
module zvku_gf8_inv (
  input  logic [7:0] x_i,
  output logic [7:0] y_o
);
  // GF(2^2), basis {W^2, W}. Inversion is squaring, which swaps the bits.
  function automatic logic [1:0] mul2(logic [1:0] a, logic [1:0] b);
    mul2 = {a[1] & b[1], a[0] & b[0]} ^ {2{(^a) & (^b)}};
  endfunction

  // GF(2^4) with norm N = 1 (the tuple of bits), which maps (a1, a0) to (a1 + a0, a1).
  function automatic logic [3:0] mul4(logic [3:0] a, logic [3:0] b);
    logic [1:0] f;
    f = mul2(a[3:2] ^ a[1:0], b[3:2] ^ b[1:0]);
    f = {^f, f[1]};
    mul4 = {mul2(a[3:2], b[3:2]) ^ f, mul2(a[1:0], b[1:0]) ^ f};
  endfunction

  logic [3:0] sum, scaled, norm, inverse;
  logic [1:0] sum4, scaled4, norm4;

  // nu s^2, nu = 2.
  assign sum = x_i[7:4] ^ x_i[3:0];
  assign scaled = {sum[2] ^ sum[0], sum[3] ^ sum[1], sum[1], sum[1] ^ sum[0]};
  assign norm = scaled ^ mul4(x_i[7:4], x_i[3:0]);

  // N s^2.
  assign sum4 = norm[3:2] ^ norm[1:0];
  assign scaled4 = {^sum4, sum4[0]};
  assign norm4 = scaled4 ^ mul2(norm[3:2], norm[1:0]);
  assign inverse = {mul2({norm4[0], norm4[1]}, norm[1:0]), mul2({norm4[0], norm4[1]}, norm[3:2])};

  assign y_o = {mul4(inverse, x_i[3:0]), mul4(inverse, x_i[7:4])};
endmodule

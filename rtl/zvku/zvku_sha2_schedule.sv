// The message schedule of SHA-2: words 16 and 17, and words 18 and 19 without their sigma1 terms.
//
// FIPS 180-4 sections 6.2.2 and 6.4.2: w[t] = sigma1(w[t-2]) + w[t-7] + sigma0(w[t-15]) + w[t-16].
module zvku_sha2_schedule #(
  parameter bit Sha512 = 1'b1,
  parameter bit Upper = 1'b1
) (
  input  logic        sew64_i,
  input  logic [63:0] w0_i,
  input  logic [63:0] w1_i,
  input  logic [63:0] w2_i,
  input  logic [63:0] w3_i,
  input  logic [63:0] w4_i,
  input  logic [63:0] w9_i,
  input  logic [63:0] w10_i,
  input  logic [63:0] w11_i,
  input  logic [63:0] w12_i,
  input  logic [63:0] w14_i,
  input  logic [63:0] w15_i,
  output logic [63:0] w16_o,
  output logic [63:0] w17_o,
  output logic [63:0] part18_o,
  output logic [63:0] part19_o
);
  logic [255:0] sigma0_in, sigma0;
  assign sigma0_in = {w4_i, w3_i, w2_i, w1_i};
  for (genvar k = 0; k < 4; k++) begin : gen_sigma0
    zvku_sha2_sigma #(
      .Sha512(Sha512), .Shift(1'b1), .A32(7), .B32(18), .C32(3), .A64(1), .B64(8), .C64(7)
    ) u_sigma0 (
      .sew64_i, .x_i(sigma0_in[64*k+:64]), .y_o(sigma0[64*k+:64])
    );
  end
  logic [127:0] sigma1_in, sigma1;
  assign sigma1_in = {w15_i, w14_i};
  for (genvar k = 0; k < 2; k++) begin : gen_sigma1
    zvku_sha2_sigma #(
      .Sha512(Sha512), .Shift(1'b1), .A32(17), .B32(19), .C32(10), .A64(19), .B64(61), .C64(6)
    ) u_sigma1 (
      .sew64_i, .x_i(sigma1_in[64*k+:64]), .y_o(sigma1[64*k+:64])
    );
  end

  zvku_sum #(.N(4), .Upper(Upper)) u_w16 (
    .sew64_i, .x_i({sigma1[63:0], w9_i, sigma0[63:0], w0_i}), .sum_o(w16_o)
  );
  zvku_sum #(.N(4), .Upper(Upper)) u_w17 (
    .sew64_i, .x_i({sigma1[127:64], w10_i, sigma0[127:64], w1_i}), .sum_o(w17_o)
  );
  zvku_sum #(.N(3), .Upper(Upper)) u_part18 (
    .sew64_i, .x_i({w11_i, sigma0[191:128], w2_i}), .sum_o(part18_o)
  );
  zvku_sum #(.N(3), .Upper(Upper)) u_part19 (
    .sew64_i, .x_i({w12_i, sigma0[255:192], w3_i}), .sum_o(part19_o)
  );
endmodule

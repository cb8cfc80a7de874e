// A round of SHA-512, or one each of two blocks of SHA-256: the new a and e (FIPS 180-4 sections
// 6.2.2 and 6.4.2).
module zvku_sha2_round #(
  parameter bit Sha512 = 1'b1,
  parameter bit Upper = 1'b1  // two blocks of SHA-256, or SHA-512
) (
  input  logic        sew64_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  input  logic [63:0] c_i,
  input  logic [63:0] d_i,
  input  logic [63:0] e_i,
  input  logic [63:0] f_i,
  input  logic [63:0] g_i,
  input  logic [63:0] hw_i,  // h plus message word and constant
  output logic [63:0] a_o,
  output logic [63:0] e_o
);
  logic [63:0] sum0, sum1, choice, majority, t1;
  zvku_sha2_sigma #(
    .Sha512(Sha512), .A32(2), .B32(13), .C32(22), .A64(28), .B64(34), .C64(39)
  ) u_sum0 (
    .sew64_i, .x_i(a_i), .y_o(sum0)
  );
  zvku_sha2_sigma #(
    .Sha512(Sha512), .A32(6), .B32(11), .C32(25), .A64(14), .B64(18), .C64(41)
  ) u_sum1 (
    .sew64_i, .x_i(e_i), .y_o(sum1)
  );
  assign choice = g_i ^ (e_i & (f_i ^ g_i));
  assign majority = (a_i & b_i) | (c_i & (a_i | b_i));

  zvku_sum #(.N(3), .Upper(Upper)) u_t1 (.sew64_i, .x_i({hw_i, sum1, choice}), .sum_o(t1));
  zvku_sum #(.N(2), .Upper(Upper)) u_e (.sew64_i, .x_i({d_i, t1}), .sum_o(e_o));
  zvku_sum #(.N(3), .Upper(Upper)) u_a (.sew64_i, .x_i({t1, sum0, majority}), .sum_o(a_o));
endmodule

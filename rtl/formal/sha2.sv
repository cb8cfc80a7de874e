// zvku_sha2_round and zvku_sha2_schedule as FIPS 180-4 describes them, sections 4.1.2, 4.1.3, 6.2.2
// and 6.4.2, for one word of 64 bits or two of 32. Wires that have the datapath's names are proved
// equal first. Sums are left to `sums`, but for the order of their operands.
module sha2_round (
  input  logic        sew64_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  input  logic [63:0] c_i,
  input  logic [63:0] d_i,
  input  logic [63:0] e_i,
  input  logic [63:0] f_i,
  input  logic [63:0] g_i,
  input  logic [63:0] hw_i,
  output logic [63:0] a_o,
  output logic [63:0] e_o
);
  logic [63:0] sum0, sum1, choice, majority, t1;
  sha2_rotations #(.A32(2), .B32(13), .C32(22), .A64(28), .B64(34), .C64(39)) u_sum0 (
    .sew64_i, .x_i(a_i), .y_o(sum0)
  );
  sha2_rotations #(.A32(6), .B32(11), .C32(25), .A64(14), .B64(18), .C64(41)) u_sum1 (
    .sew64_i, .x_i(e_i), .y_o(sum1)
  );
  assign choice = (e_i & f_i) ^ (~e_i & g_i);
  assign majority = (a_i & b_i) ^ (a_i & c_i) ^ (b_i & c_i);
  zvku_sum #(.N(3)) u_t1 (.sew64_i, .x_i({hw_i, sum1, choice}), .sum_o(t1));
  zvku_sum #(.N(2)) u_e (.sew64_i, .x_i({d_i, t1}), .sum_o(e_o));
  zvku_sum #(.N(3)) u_a (.sew64_i, .x_i({t1, sum0, majority}), .sum_o(a_o));
endmodule

// w[t] = sigma1(w[t-2]) + w[t-7] + sigma0(w[t-15]) + w[t-16]
module sha2_schedule (
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
  logic [255:0] sigma0;
  logic [127:0] sigma1;
  for (genvar k = 0; k < 4; k++) begin : gen_sigma0
    sha2_rotations #(.Shift(1'b1), .A32(7), .B32(18), .C32(3), .A64(1), .B64(8), .C64(7)) u_sigma0 (
      .sew64_i, .x_i(k == 0 ? w1_i : k == 1 ? w2_i : k == 2 ? w3_i : w4_i), .y_o(sigma0[64*k+:64])
    );
  end
  for (genvar k = 0; k < 2; k++) begin : gen_sigma1
    sha2_rotations #(
      .Shift(1'b1), .A32(17), .B32(19), .C32(10), .A64(19), .B64(61), .C64(6)
    ) u_sigma1 (
      .sew64_i, .x_i(k == 0 ? w14_i : w15_i), .y_o(sigma1[64*k+:64])
    );
  end
  zvku_sum #(.N(4)) u_w16 (.sew64_i, .x_i({sigma1[63:0], w9_i, sigma0[63:0], w0_i}), .sum_o(w16_o));
  zvku_sum #(.N(4)) u_w17 (
    .sew64_i, .x_i({sigma1[127:64], w10_i, sigma0[127:64], w1_i}), .sum_o(w17_o)
  );
  zvku_sum #(.N(3)) u_part18 (.sew64_i, .x_i({w11_i, sigma0[191:128], w2_i}), .sum_o(part18_o));
  zvku_sum #(.N(3)) u_part19 (.sew64_i, .x_i({w12_i, sigma0[255:192], w3_i}), .sum_o(part19_o));
endmodule

// Three rotations to the right, the last of which may be a shift.
module sha2_rotations #(
  parameter bit Shift = 1'b0,
  parameter int unsigned A32 = 0,
  parameter int unsigned B32 = 0,
  parameter int unsigned C32 = 0,
  parameter int unsigned A64 = 0,
  parameter int unsigned B64 = 0,
  parameter int unsigned C64 = 0
) (
  input  logic        sew64_i,
  input  logic [63:0] x_i,
  output logic [63:0] y_o
);
  for (genvar i = 0; i < 64; i++) begin : gen_bit
    localparam int unsigned In = i % 32;   // in the word of 32 bits
    localparam int unsigned Base = i - In;
    assign y_o[i] = sew64_i
        ? x_i[(i+A64)%64] ^ x_i[(i+B64)%64] ^ (x_i[(i+C64)%64] & !(Shift && i + C64 > 63))
        : x_i[Base+(In+A32)%32] ^ x_i[Base+(In+B32)%32]
            ^ (x_i[Base+(In+C32)%32] & !(Shift && In + C32 > 31));
  end
endmodule

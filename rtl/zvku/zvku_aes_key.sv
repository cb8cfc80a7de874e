// A step of the key schedule of AES, forwards or backwards (FIPS 197 section 5.2), with four
// S-boxes of its own.
//
// Forwards, the words of the result are those of `base_i`, each plus the word before it in the
// result, and the first plus a transform of the word before. Backwards, from the result to
// `base_i`.
module zvku_aes_key (
  input  logic         back_i,
  input  logic         rotate_i,    // the transform also rotates, and adds the constant
  input  logic         own_i,       // the word before comes from `base_i`, not `before_i`
  input  logic [7:0]   constant_i,
  input  logic [127:0] base_i,
  input  logic [31:0]  before_i,
  output logic [127:0] next_o
);
  logic [31:0] last, substituted, start, word;
  // Backwards, the last word of the key before is the sum of two words of this one.
  assign last = !own_i ? before_i : back_i ? base_i[127:96] ^ base_i[95:64] : base_i[127:96];
  for (genvar i = 0; i < 4; i++) begin : gen_sbox
    zvku_sbox #(.Aes(1'b1), .Sm4(1'b0)) u_sbox (
      .x_i(last[8*i+:8]), .aes_dec_i(1'b0), .sm4_i(1'b0), .y_o(substituted[8*i+:8])
    );
  end
  assign start = rotate_i ? {substituted[7:0], substituted[31:16], substituted[15:8] ^ constant_i}
      : substituted;
  always_comb begin
    word = start;
    next_o = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      next_o[32*i+:32] = word ^ base_i[32*i+:32];
      word = back_i ? base_i[32*i+:32] : next_o[32*i+:32];
    end
  end
endmodule

// Rotation of each element to the right or left by the low bits of the corresponding element of b.
module zvku_rotate (
  input  logic        left_i,
  input  logic [1:0]  eew_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  output logic [63:0] y_o
);
  // For each byte, the amount to the right of its element. A left rotation is a right rotation by
  // the negated amount, modulo the width.
  logic [47:0] amounts, by;
  for (genvar i = 0; i < 8; i++) begin : gen_amount
    assign amounts[6*i+:6] = left_i ? -b_i[8*i+:6] : b_i[8*i+:6];
    always_comb begin
      unique case (eew_i)
        2'd0: by[6*i+:6] = amounts[6*i+:6];
        2'd1: by[6*i+:6] = amounts[12*(i/2)+:6];
        2'd2: by[6*i+:6] = amounts[24*(i/4)+:6];
        default: by[6*i+:6] = amounts[5:0];
      endcase
    end
  end

  // x, rotated within elements of `width` bits.
  function automatic logic [63:0] turned(logic [63:0] x, int unsigned shift,
      int unsigned width);
    // The bits of each element that come from its own higher bits: width - shift ones, repeated.
    // All ones divided by `width` ones have a one at every multiple of the width.
    logic [63:0] inside_bits;
    inside_bits = (~64'd0 >> (64 - width + shift)) * (~64'd0 / (~64'd0 >> (64 - width)));
    turned = ((x >> shift) & inside_bits) | ((x << (width - shift)) & ~inside_bits);
  endfunction

  // Step s rotates by 2^s within the element, if that is less than its width.
  logic [63:0] moved, moves;
  always_comb begin
    y_o = a_i;
    for (int unsigned s = 0; s < 6; s++) begin
      unique case (eew_i)
        2'd0: moved = turned(y_o, 2**s % 8, 8);
        2'd1: moved = turned(y_o, 2**s % 16, 16);
        2'd2: moved = turned(y_o, 2**s % 32, 32);
        default: moved = turned(y_o, 2**s, 64);
      endcase
      for (int unsigned i = 0; i < 8; i++) moves[8*i+:8] = {8{by[6*i+s]}};
      y_o = (moved & moves) | (y_o & ~moves);
    end
  end

  logic unused;
  assign unused = ^b_i;
endmodule

// Rotation of each element to the right or left by the low bits of the corresponding element of b.
module zvku_rotate (
  input  logic        left_i,
  input  logic [1:0]  eew_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  output logic [63:0] y_o
);
  // For each byte, the amount to the right of its element. A left rotation is a right rotation by the negated amount,
  // modulo the width.
  logic [47:0] amounts, by;
  for (genvar i = 0; i < 8; i++) begin : g_amount
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

  // Step s rotates by 2^s within the element, if that is less than its width.
  logic [63:0] moved;
  always_comb begin
    y_o = a_i;
    for (int unsigned s = 0; s < 6; s++) begin
      for (int unsigned i = 0; i < 64; i++) begin
        unique case (eew_i)
          2'd0: moved[i] = s < 3 ? y_o[8*(i/8)+(i+2**s)%8] : y_o[i];
          2'd1: moved[i] = s < 4 ? y_o[16*(i/16)+(i+2**s)%16] : y_o[i];
          2'd2: moved[i] = s < 5 ? y_o[32*(i/32)+(i+2**s)%32] : y_o[i];
          default: moved[i] = y_o[(i+2**s)%64];
        endcase
      end
      for (int unsigned i = 0; i < 64; i++) y_o[i] = by[6*(i/8)+s] ? moved[i] : y_o[i];
    end
  end

  logic unused;
  assign unused = ^b_i;
endmodule

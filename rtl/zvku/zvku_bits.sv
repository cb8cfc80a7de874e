// Bit manipulation of 64 bits of elements: Zvkb, and with `Zvbb` the rest of Zvbb.
//
// Operands of widening instructions are already expanded to the destination's width
// (zvku_operands).
module zvku_bits #(
  parameter bit Zvbb = 1'b1
) (
  input  logic [3:0]  fn_i,   // bits_e of zvku_pkg
  input  logic [1:0]  eew_i,  // elements of 8 << eew bits
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  output logic [63:0] y_o
);
  logic [63:0] brev8, reversed, bytes, rotated, shifted;

  for (genvar i = 0; i < 64; i++) begin : gen_brev8
    assign brev8[i] = a_i[8*(i/8)+7-i%8];
  end
  assign reversed = fn_i == zvku_pkg::BITS_REV8 ? a_i : brev8;
  for (genvar i = 0; i < 8; i++) begin : gen_rev8
    always_comb begin
      unique case (eew_i)
        2'd0: bytes[8*i+:8] = reversed[8*i+:8];
        2'd1: bytes[8*i+:8] = reversed[8*(i^1)+:8];
        2'd2: bytes[8*i+:8] = reversed[8*(i^3)+:8];
        default: bytes[8*i+:8] = reversed[8*(i^7)+:8];
      endcase
    end
  end

  zvku_rotate u_rotate (
    .left_i(fn_i != zvku_pkg::BITS_ROR), .eew_i, .a_i, .b_i, .y_o(rotated)
  );

  logic [63:0] counts;
  if (Zvbb) begin : gen_zvbb
    // A left shift is a rotation with the wrapped bits cleared.
    for (genvar i = 0; i < 64; i++) begin : gen_shift
      logic [5:0] by, at;
      always_comb begin
        unique case (eew_i)
          2'd1: {at, by} = {6'(i % 16), 2'b0, b_i[16*(i/16)+:4]};
          2'd2: {at, by} = {6'(i % 32), 1'b0, b_i[32*(i/32)+:5]};
          default: {at, by} = {6'(i), b_i[5:0]};
        endcase
      end
      assign shifted[i] = rotated[i] && at >= by;
    end
    zvku_count u_count (
      .eew_i, .zeros_i(fn_i != zvku_pkg::BITS_CPOP), .a_i(fn_i == zvku_pkg::BITS_CLZ ? bytes : a_i),
      .y_o(counts)
    );
  end else begin : gen_zvkb
    assign shifted = '0;
    assign counts = '0;
  end

  always_comb begin
    case (fn_i)
      zvku_pkg::BITS_ANDN: y_o = a_i & ~b_i;
      zvku_pkg::BITS_ROL, zvku_pkg::BITS_ROR: y_o = rotated;
      zvku_pkg::BITS_BREV8: y_o = brev8;
      zvku_pkg::BITS_REV8: y_o = bytes;
      zvku_pkg::BITS_BREV: y_o = Zvbb ? bytes : '0;
      zvku_pkg::BITS_SLL: y_o = shifted;
      default: y_o = counts;
    endcase
  end
endmodule

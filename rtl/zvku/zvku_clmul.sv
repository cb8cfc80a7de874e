// Carry-less products of one 128-bit group: two of 64 bits (vclmul, vclmulh), or one in GF(2^128)
// (vghsh, vgmul).
//
// The latter needs all three 64-bit products of a Karatsuba step, the former the two of the halves.
module zvku_clmul #(
  parameter bit Clmul = 1'b1,
  parameter bit Ghash = 1'b1
) (
  input  logic [3:0]   fn_i,  // MUL_* of zvku_pkg
  input  logic [127:0] vd_i,
  input  logic [127:0] vs2_i,
  input  logic [127:0] vs1_i,  // or the scalar
  output logic [127:0] vd_o
);
  logic ghash;
  assign ghash = Ghash && (fn_i[zvku_pkg::MUL_GHASH] || !Clmul);

  // SP 800-38D section 6.3 numbers coefficients from the first byte's most significant bit.
  function automatic logic [127:0] brev8(logic [127:0] a);
    for (int unsigned i = 0; i < 128; i++) brev8[i] = a[8*(i/8)+7-i%8];
  endfunction

  logic [127:0] x, a, b;
  assign x = vd_i ^ (vs1_i & {128{fn_i[zvku_pkg::MUL_ADD]}});
  assign a = ghash ? brev8(vs2_i) : vs2_i;
  assign b = ghash ? brev8(x) : vs1_i;

  logic [126:0] low, high;
  zvku_karatsuba #(.N(64)) u_low (.a_i(a[63:0]), .b_i(b[63:0]), .p_o(low));
  zvku_karatsuba #(.N(64)) u_high (.a_i(a[127:64]), .b_i(b[127:64]), .p_o(high));

  logic [127:0] clmul, reduced;
  assign clmul = fn_i[zvku_pkg::MUL_HIGH] ? {1'b0, high[126:64], 1'b0, low[126:64]}
      : {high[63:0], low[63:0]};

  if (Ghash) begin : gen_ghash
    logic [126:0] sums;
    logic [254:0] product;
    zvku_karatsuba #(.N(64)) u_sums (
      .a_i(a[127:64] ^ a[63:0]), .b_i(b[127:64] ^ b[63:0]), .p_o(sums)
    );
    assign product = {high, 1'b0, low} ^ {64'b0, sums ^ low ^ high, 64'b0};

    // x^128 = x^7 + x^2 + x + 1; the part that overflows again has degree below 7.
    logic [126:0] upper;
    logic [127:0] folded;
    logic [6:0] carried;
    assign upper = product[254:128];
    assign carried = {6'b0, upper[126]} ^ {1'b0, upper[126:121]};
    assign folded = {1'b0, upper} ^ {upper, 1'b0} ^ {upper[125:0], 2'b0} ^ {upper[120:0], 7'b0};
    assign reduced = brev8(product[127:0] ^ folded
        ^ {121'b0, carried} ^ {120'b0, carried, 1'b0} ^ {119'b0, carried, 2'b0}
        ^ {114'b0, carried, 7'b0});
  end else begin : gen_no_ghash
    assign reduced = '0;
  end

  assign vd_o = ghash ? reduced : clmul;
endmodule

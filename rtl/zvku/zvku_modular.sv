// Multiplication modulo a prime: a 32-bit element modulo 8380417 (ML-DSA), or two of 16 bits modulo
// 3329 (ML-KEM), in two cycles.
//
// A product of 32 bits is made of four of 16 bits, two of which are those of 16-bit elements. The
// sums are reduced by folding: a power of two is replaced by what it is congruent to.
module zvku_modular (
  input  logic        clk_i,
  input  logic        en_i,
  input  logic        valid_i,
  input  logic        sew32_i,  // or 16
  input  logic [3:0]  fn_i,     // MODULAR_* of zvku_pkg
  input  logic [31:0] vd_i,
  input  logic [31:0] vs2_i,
  input  logic [31:0] vs1_i,
  output logic [31:0] vd_o      // of the elements from one enabled cycle before
);
  // First cycle: products, and vd if it is added. No sum has a carry out.
  logic [31:0] low, high, add;
  logic [32:0] mixed;
  logic [63:0] wide, sum, sum_q;
  logic sew32_q;
  assign low = 32'(vs2_i[15:0]) * 32'(vs1_i[15:0]);
  assign high = 32'(vs2_i[31:16]) * 32'(vs1_i[31:16]);
  assign mixed = 33'(32'(vs2_i[31:16]) * 32'(vs1_i[15:0]))
      + 33'(32'(vs2_i[15:0]) * 32'(vs1_i[31:16]));
  assign add = vd_i & {32{fn_i[zvku_pkg::MODULAR_ADD]}};
  assign wide = {high, low} + {15'b0, mixed, 16'b0} + {32'b0, add};
  assign sum = sew32_i ? wide : {high + {16'b0, add[31:16]}, low + {16'b0, add[15:0]}};
  // Zeros if there is no instruction.
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      sew32_q <= sew32_i;
      sum_q <= valid_i ? sum : '0;
    end
  end

  // Second cycle. 2^23 is congruent to 2^13 - 1 modulo 8380417; the last fold leaves less than
  // twice that.
  function automatic logic [31:0] mldsa(logic [63:0] x);
    logic [54:0] a;
    logic [45:0] b;
    logic [36:0] c;
    logic [27:0] d;
    logic [23:0] e;
    a = {1'b0, x[63:23], 13'b0} - 55'(x[63:23]) + 55'(x[22:0]);
    b = {1'b0, a[54:23], 13'b0} - 46'(a[54:23]) + 46'(a[22:0]);
    c = {1'b0, b[45:23], 13'b0} - 37'(b[45:23]) + 37'(b[22:0]);
    d = {1'b0, c[36:23], 13'b0} - 28'(c[36:23]) + 28'(c[22:0]);
    e = {6'b0, d[27:23], 13'b0} - 24'(d[27:23]) + 24'(d[22:0]);
    mldsa = e >= 24'd8380417 ? 32'(e) - 32'd8380417 : 32'(e);
  endfunction

  // 2^20 is congruent to -59 modulo 3329, and 243017 to 0, which keeps the sum positive; 2^12 to
  // 767.
  function automatic logic [15:0] mlkem(logic [31:0] x);
    logic [20:0] a;
    logic [17:0] b;
    logic [15:0] c;
    logic [13:0] d;
    logic [12:0] e;
    a = 21'(x[19:0]) + 21'd243017 - 21'(x[31:20]) * 21'd59;
    b = 18'(a[20:12]) * 18'd767 + 18'(a[11:0]);
    c = 16'(b[17:12]) * 16'd767 + 16'(b[11:0]);
    d = 14'(c[15:12]) * 14'd767 + 14'(c[11:0]);
    e = 13'(d[13:12]) * 13'd767 + 13'(d[11:0]);
    mlkem = e >= 13'd3329 ? 16'(e) - 16'd3329 : 16'(e);
  endfunction

  assign vd_o = sew32_q ? mldsa(sum_q) : {mlkem(sum_q[63:32]), mlkem(sum_q[31:0])};

  logic unused;
  assign unused = ^fn_i;
endmodule

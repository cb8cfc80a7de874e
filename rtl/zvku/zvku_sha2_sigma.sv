// One of the functions of FIPS 180-4 sections 4.1.2 and 4.1.3: three rotations to the right, or two
// and a shift, of a 64-bit word or of two 32-bit ones, which have their own amounts.
module zvku_sha2_sigma #(
  parameter bit Sha512 = 1'b1,
  parameter bit Shift = 1'b0,  // the third is a shift
  parameter int unsigned A32 = 2,
  parameter int unsigned B32 = 13,
  parameter int unsigned C32 = 22,
  parameter int unsigned A64 = 28,
  parameter int unsigned B64 = 34,
  parameter int unsigned C64 = 39
) (
  input  logic        sew64_i,
  input  logic [63:0] x_i,
  output logic [63:0] y_o
);
  function automatic logic [31:0] right32(logic [31:0] x, int unsigned by);
    right32 = x >> by | x << (32 - by);
  endfunction
  function automatic logic [31:0] sigma32(logic [31:0] x);
    sigma32 = right32(x, A32) ^ right32(x, B32) ^ (Shift ? x >> C32 : right32(x, C32));
  endfunction

  logic [63:0] narrow;
  assign narrow = {sigma32(x_i[63:32]), sigma32(x_i[31:0])};

  function automatic logic [63:0] right64(logic [63:0] x, int unsigned by);
    right64 = x >> by | x << (64 - by);
  endfunction

  if (Sha512) begin : gen_wide
    logic [63:0] last;
    assign last = Shift ? x_i >> C64 : right64(x_i, C64);
    assign y_o = sew64_i ? right64(x_i, A64) ^ right64(x_i, B64) ^ last : narrow;
  end else begin : gen_narrow
    assign y_o = narrow;
    logic unused;
    assign unused = sew64_i;
  end
endmodule

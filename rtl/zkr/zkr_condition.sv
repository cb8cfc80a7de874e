// Conditions raw bits: RawBits of them are shifted through a CRC of 32 bits, of which one half is a
// word. This is a linear, non-vetted conditioning component (SP 800-90B section 3.1.5.2); the other
// half stays, so a word also depends on earlier raw bits.
module zkr_condition #(
  parameter int unsigned RawBits = 128
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        drop_i,
  input  logic        valid_i,
  input  logic        raw_i,
  output logic        valid_o,  // a word, in the cycle of its last raw bit
  output logic [15:0] word_o
);
  // CRC-32 (IEEE 802.3).
  localparam logic [31:0] Polynomial = 32'h04c1_1db7;
  localparam int unsigned CountW = $clog2(RawBits);
  logic [CountW-1:0] count_q;
  logic [31:0] crc_q, crc;
  assign crc = {crc_q[30:0], 1'b0} ^ (Polynomial & {32{crc_q[31] ^ raw_i}});
  assign valid_o = valid_i && count_q == CountW'(RawBits - 1);
  assign word_o = crc[31:16];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      crc_q <= '0;
    end else if (valid_i) begin
      count_q <= valid_o ? '0 : count_q + 1'b1;
      // The word that leaves does not stay.
      crc_q <= valid_o ? {16'b0, crc[15:0]} : crc;
    end else if (drop_i) begin
      count_q <= '0;
      crc_q <= '0;
    end
  end
endmodule

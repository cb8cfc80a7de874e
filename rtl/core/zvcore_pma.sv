// Whether all bytes of an access are in main memory, and the first that is not. Checking before the
// access makes its trap precise.
module zvcore_pma #(
  parameter logic [63:0] RamBase = 64'h8000_0000,
  parameter logic [63:0] RamLen = 64'h10_0000
) (
  input  logic [63:0] first_i,
  input  logic [63:0] last_i,
  output logic        fault_o,
  output logic [63:0] at_o
);
  localparam logic [63:0] RamEnd = RamBase + RamLen;
  logic first_bad, last_bad;
  assign first_bad = first_i < RamBase || first_i >= RamEnd;
  assign last_bad = last_i < RamBase || last_i >= RamEnd;
  assign fault_o = first_bad || last_bad;
  assign at_o = first_bad ? first_i : RamEnd;
endmodule

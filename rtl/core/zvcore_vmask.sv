// For each byte of a beat, the mask bit of the byte's element.
module zvcore_vmask #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned BeatW = $clog2(8 * VLEN / W)
) (
  input  logic [VLEN-1:0]  mask_i,
  input  logic [BeatW-1:0] beat_i,
  input  logic [1:0]       eew_i,
  output logic [W/8-1:0]   bytes_o
);
  localparam int unsigned ByteW = $clog2(W / 8);
  logic [BeatW+ByteW-1:0] first;
  logic [W/8-1:0] bits;
  assign first = {beat_i, {ByteW{1'b0}}} >> eew_i;
  assign bits = (W / 8)'(mask_i >> first);
  always_comb begin
    for (int unsigned k = 0; k < W / 8; k++) begin
      case (eew_i)
        2'd0: bytes_o[k] = bits[k];
        2'd1: bytes_o[k] = bits[k/2];
        2'd2: bytes_o[k] = bits[k/4];
        default: bytes_o[k] = bits[k/8];
      endcase
    end
  end
endmodule

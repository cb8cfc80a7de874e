// A beat of vslideup or vslidedown: the bytes of the source group that are moved to it, from two
// words at most (manual, "Vector Slide Instructions").
module zvcore_vslide #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned BeatW = $clog2(8 * VLEN / W)
) (
  input  logic             up_i,
  input  logic [1:0]       eew_i,
  input  logic [63:0]      by_i,      // elements
  input  logic [PosW:0]    end_i,     // bytes of the source group
  input  logic [BeatW-1:0] beat_i,
  output logic [1:0]       need_o,    // the words, the lower one first
  output logic [BeatW-1:0] low_o,
  output logic [BeatW-1:0] high_o,
  input  logic [W-1:0]     low_i,
  input  logic [W-1:0]     high_i,
  output logic [W/8-1:0]   strb_o,    // the others are undisturbed
  output logic [W-1:0]     data_o
);
  localparam int unsigned ByteW = $clog2(W / 8);

  // Position of the beat's first byte in the source; below it and from `end_i` on, there is
  // nothing.
  logic far;
  logic [PosW-1:0] by;
  logic [PosW+1:0] here, from;
  logic [BeatW+1:0] low, high;
  assign far = by_i >= 64'(end_i) >> eew_i;
  assign by = by_i[PosW-1:0] << eew_i;
  assign here = {2'b0, beat_i, {ByteW{1'b0}}};
  assign from = up_i ? here - {2'b0, by} : here + {2'b0, by};
  assign low = from[PosW+1:ByteW];
  assign high = low + 1'b1;

  // Whether a position, which may be negative, is in the source.
  function automatic logic is_in(logic [PosW+1:0] at, logic [PosW:0] till);
    is_in = !at[PosW+1] && at[PosW:0] < till;
  endfunction

  assign low_o = low[BeatW-1:0];
  assign high_o = high[BeatW-1:0];
  assign need_o = {is_in({high, {ByteW{1'b0}}}, end_i), is_in({low, {ByteW{1'b0}}}, end_i)}
      & {2{!far}};

  logic [W-1:0] moved;
  assign moved = W'({high_i, low_i} >> {from[ByteW-1:0], 3'b0});
  for (genvar k = 0; k < W / 8; k++) begin : gen_byte
    logic [PosW+1:0] at;
    assign at = from + (PosW + 2)'(k);
    assign strb_o[k] = !up_i || (!far && !at[PosW+1]);
    assign data_o[8*k+:8] = !far && is_in(at, end_i) ? moved[8*k+:8] : 8'h00;
  end
endmodule

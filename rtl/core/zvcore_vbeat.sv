// Arithmetic and slides, one beat in every cycle in which its operands can be read.
module zvcore_vbeat #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned BeatW = $clog2(8 * VLEN / W)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                start_i,
  input  logic [PosW-1:0]     first_i,  // first byte of the body, and the byte after it
  input  logic [PosW:0]       end_i,
  input  zvcore_v_pkg::ctrl_t ctrl_i,
  input  logic                use_scalar_i,
  input  logic [63:0]         scalar_i,
  input  logic [PosW:0]       source_i,  // bytes of vs2's group
  input  logic [VLEN-1:0]     mask_i,
  output logic                busy_o,
  output logic                last_o,

  output logic [BeatW-1:0]    beat_o,
  output logic [1:0]          need_o,   // vs1, vs2; for slides, two words of vs2
  output logic [BeatW-1:0]    vs2_beat_o,
  output logic [BeatW-1:0]    vs1_beat_o,
  input  logic                ready_i,  // the operands are there, and the result can be written
  output logic                take_o,
  input  logic [W-1:0]        vs2_i,
  input  logic [W-1:0]        vs1_i,
  output logic [W/8-1:0]      wstrb_o,  // with `take_o`
  output logic [W-1:0]        wdata_o
);
  logic [W/8-1:0] body, mask;
  logic [PosW:0] last_byte;
  assign last_byte = end_i - 1'b1;
  zvku_sequence #(.VLEN(VLEN), .W(W)) u_sequence (
    .clk_i, .rst_ni, .accept_i(start_i), .start_i(first_i), .end_i,
    .first_i(first_i[PosW-1-:BeatW]), .last_i(last_byte[PosW-1-:BeatW]), .keccak_i(1'b0),
    .next_i(take_o), .busy_o, .beat_o, .last_o, .body_o(body)
  );
  zvcore_vmask #(.VLEN(VLEN), .W(W)) u_mask (
    .mask_i, .beat_i(beat_o), .eew_i(ctrl_i.eew), .bytes_o(mask)
  );
  logic [W-1:0] computed, slid;
  zvcore_valu #(.W(W)) u_alu (
    .alu_i(ctrl_i.alu), .sew_i(ctrl_i.eew), .use_scalar_i, .scalar_i, .mask_i(mask), .vs2_i, .vs1_i,
    .y_o(computed)
  );
  logic [1:0] slide_need;
  logic [BeatW-1:0] low, high;
  logic [W/8-1:0] moved;
  zvcore_vslide #(.VLEN(VLEN), .W(W)) u_slide (
    .up_i(ctrl_i.element == zvcore_v_pkg::EL_UP), .eew_i(ctrl_i.eew), .by_i(scalar_i),
    .end_i(source_i), .beat_i(beat_o), .need_o(slide_need), .low_o(low), .high_o(high),
    .low_i(vs2_i), .high_i(vs1_i), .strb_o(moved), .data_o(slid)
  );
  assign need_o = (ctrl_i.slide ? slide_need : {ctrl_i.use_vs1, ctrl_i.use_vs2}) & {2{busy_o}};
  assign vs2_beat_o = ctrl_i.slide ? low : beat_o;
  assign vs1_beat_o = ctrl_i.slide ? high : beat_o;
  assign wdata_o = ctrl_i.slide ? slid : computed;
  assign take_o = busy_o && ready_i;
  assign wstrb_o = body & (moved | {W / 8{!ctrl_i.slide}})
      & (mask | {W / 8{!ctrl_i.masked || ctrl_i.alu == zvcore_v_pkg::ALU_MERGE}});

  logic unused;
  assign unused = ^{ctrl_i, last_byte};
endmodule

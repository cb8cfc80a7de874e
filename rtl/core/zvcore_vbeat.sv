// Arithmetic, one beat in every cycle in which its operands can be read.
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
  input  logic [VLEN-1:0]     mask_i,
  output logic                done_o,

  output logic [BeatW-1:0]    beat_o,
  output logic [1:0]          need_o,   // vs1, vs2
  input  logic                ready_i,
  output logic                take_o,
  input  logic [W-1:0]        vs2_i,
  input  logic [W-1:0]        vs1_i,
  output logic [W/8-1:0]      wstrb_o,  // with `take_o`
  output logic [W-1:0]        wdata_o
);
  logic busy, last;
  logic [W/8-1:0] body, mask;
  logic [PosW:0] last_byte;
  assign last_byte = end_i - 1'b1;
  zvku_sequence #(.VLEN(VLEN), .W(W)) u_sequence (
    .clk_i, .rst_ni, .accept_i(start_i), .start_i(first_i), .end_i, .first_i(first_i[PosW-1-:BeatW]),
    .last_i(last_byte[PosW-1-:BeatW]), .keccak_i(1'b0), .next_i(take_o), .busy_o(busy), .beat_o,
    .last_o(last), .body_o(body)
  );
  zvcore_vmask #(.VLEN(VLEN), .W(W)) u_mask (.mask_i, .beat_i(beat_o), .eew_i(ctrl_i.eew), .bytes_o(mask));
  zvcore_valu #(.W(W)) u_alu (
    .alu_i(ctrl_i.alu), .sew_i(ctrl_i.eew), .use_scalar_i, .scalar_i, .mask_i(mask), .vs2_i, .vs1_i, .y_o(wdata_o)
  );
  assign need_o = {ctrl_i.use_vs1, ctrl_i.use_vs2} & {2{busy}};
  assign take_o = busy && ready_i;
  assign done_o = take_o && last;
  assign wstrb_o = body & (mask | {W / 8{!ctrl_i.masked || ctrl_i.alu == zvcore_v_pkg::ALU_MERGE}});

  logic unused;
  assign unused = ^{ctrl_i, last_byte};
endmodule

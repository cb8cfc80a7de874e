// Unit-stride loads and stores in which no byte faults: one beat in every cycle if the address is a
// multiple of a line and memory answers at once. An instruction is over when its last access is
// granted; loaded words follow.
module zvcore_vline #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned BeatW = $clog2(8 * VLEN / W)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                start_i,
  input  logic [PosW-1:0]     first_i,  // first byte of the body, and the byte after its last
  input  logic [PosW:0]       end_i,
  input  zvcore_v_pkg::ctrl_t ctrl_i,
  input  logic [12:0]         name_i,  // vd and tag
  input  logic [63:0]         base_i,
  input  logic [VLEN-1:0]     mask_i,
  output logic                busy_o,
  output logic                last_o,
  output logic                waits_o,  // for memory

  output logic [BeatW-1:0]    beat_o,
  output logic                need_o,  // a beat of vs3
  input  logic                ready_i,  // it is there, or the beat can be loaded; the mask is there
  output logic                take_o,
  output logic                load_o,  // with `take_o`: a word will follow
  input  logic [W-1:0]        vs3_i,
  output logic                we_o,
  output logic [12:0]         wname_o,
  output logic [BeatW-1:0]    wbeat_o,
  output logic [W/8-1:0]      wstrb_o,
  output logic [W-1:0]        wdata_o,

  output logic                lsu_valid_o,
  input  logic                lsu_ready_i,
  output logic [63:0]         lsu_addr_o,
  output logic [W/8-1:0]      lsu_strb_o,
  output logic [W-1:0]        lsu_data_o,
  input  logic                lsu_done_i,
  input  logic [W-1:0]        lsu_data_i
);
  localparam int unsigned ByteW = $clog2(W / 8);
  logic skip;
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

  assign need_o = busy_o && ctrl_i.store;
  assign lsu_strb_o = body & (mask | {W / 8{!ctrl_i.masked}});
  assign skip = lsu_strb_o == '0;
  assign lsu_valid_o = busy_o && !skip && ready_i;
  assign lsu_addr_o = base_i + {{64 - BeatW - ByteW{1'b0}}, beat_o, {ByteW{1'b0}}};
  assign lsu_data_o = vs3_i;
  assign take_o = busy_o && ready_i && (skip || lsu_ready_i);
  assign load_o = busy_o && !skip && !ctrl_i.store;

  // The access that memory has not answered yet.
  logic waits_q, load_q;
  logic [12:0] name_q;
  logic [BeatW-1:0] beat_q;
  logic [W/8-1:0] strb_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 1'b0;
    else if (take_o && !skip) waits_q <= 1'b1;
    else if (lsu_done_i) waits_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (take_o && !skip) begin
      load_q <= !ctrl_i.store;
      name_q <= name_i;
      beat_q <= beat_o;
      strb_q <= lsu_strb_o;
    end
  end
  assign waits_o = waits_q;
  assign we_o = waits_q && load_q && lsu_done_i;
  assign wname_o = name_q;
  assign wbeat_o = beat_q;
  assign wstrb_o = strb_q;
  assign wdata_o = lsu_data_i;

  logic unused;
  assign unused = ^{ctrl_i, last_byte};
endmodule

// The unit at its internal width W: accepts instructions and beats of operands, outputs beats of
// results (docs/rtl.md).
module zvku_core #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  parameter int unsigned Regs = 8,  // registers of the largest operand
  parameter logic [zvku_op_pkg::EXT_COUNT-1:0] Exts = '1,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned BeatW = $clog2(Regs * VLEN / W)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             insn_valid_i,
  output logic             insn_ready_o,
  input  logic [31:0]      insn_i,
  input  logic [7:0]       vtype_i,
  input  logic             vill_i,
  input  logic [PosW:0]    vl_i,
  input  logic [PosW-1:0]  vstart_i,
  input  logic [63:0]      rs1_i,
  output logic             insn_illegal_o,
  output logic             insn_empty_o,

  input  logic             op_valid_i,
  output logic             op_ready_o,
  output logic             op_wanted_o,  // a beat is needed, possibly in a later cycle
  output logic [3:0]       op_use_o,
  output logic [BeatW-1:0] op_vd_beat_o,
  output logic [BeatW-1:0] op_vs2_beat_o,
  output logic [BeatW-1:0] op_vs1_beat_o,
  input  logic [W-1:0]     op_vd_i,
  input  logic [W-1:0]     op_vs2_i,
  input  logic [W-1:0]     op_vs1_i,
  input  logic [W/8-1:0]   op_mask_i,

  output logic             res_valid_o,
  input  logic             res_ready_i,
  output logic [W-1:0]     res_data_o,
  output logic [W/8-1:0]   res_strb_o,
  output logic [BeatW-1:0] res_beat_o,
  output logic             res_last_o
);
  localparam int unsigned WideW = W < 256 ? 256 : W;
  localparam int unsigned TagW = W / 8 + BeatW + 1;
  localparam int unsigned ByteW = $clog2(Regs * VLEN / 8);
  localparam bit AesAll = Exts[zvku_op_pkg::ZVKNF0P2022];
  localparam bit Keccak = Exts[zvku_op_pkg::ZVKNHK0P1] || Exts[zvku_op_pkg::ZVKNHK0P2];

  // Instructions.
  zvku_pkg::ctrl_t ctrl_d, ctrl_q;
  logic reads_vd_d, accept, done;
  logic [ByteW-1:0] start;
  logic [ByteW:0] end_pos;
  logic [BeatW-1:0] first, last, beat;
  logic is_last, busy, beat_done;
  logic [W/8-1:0] body;
  zvku_decode #(.VLEN(VLEN), .W(W), .Regs(Regs), .Exts(Exts)) u_decode (
    .insn_i, .vtype_i, .vill_i, .vl_i, .vstart_i, .illegal_o(insn_illegal_o),
    .empty_o(insn_empty_o), .reads_vd_o(reads_vd_d), .ctrl_o(ctrl_d), .start_o(start),
    .end_o(end_pos), .first_o(first), .last_o(last)
  );
  assign done = beat_done && is_last;
  assign insn_ready_o = !busy || done;
  assign accept = insn_valid_i && insn_ready_o && !insn_illegal_o && !insn_empty_o;
  logic keccak, all;
  assign all = AesAll && ctrl_q.all;
  assign keccak = Keccak && ctrl_q.unit == zvku_pkg::UNIT_KECCAK;
  zvku_sequence #(.VLEN(VLEN), .W(W), .Regs(Regs)) u_sequence (
    .clk_i, .rst_ni, .accept_i(accept), .start_i(start), .end_i(end_pos), .first_i(first),
    .last_i(last), .keccak_i(keccak), .next_i(beat_done), .busy_o(busy), .beat_o(beat),
    .last_o(is_last), .body_o(body)
  );

  logic reads_vd_q;
  logic [63:0] scalar_q;
  always_ff @(posedge clk_i) begin
    if (accept) begin
      ctrl_q <= ctrl_d;
      reads_vd_q <= reads_vd_d;
    end
    // The scalar is kept with its instruction.
    if (accept) scalar_q <= ctrl_d.use_rs1 ? rs1_i : '0;
    else if (done) scalar_q <= '0;
  end

  // Operands: vs2, except for vkeccak; vd if it is a source; vs1 if it is a register; the mask if
  // there is one.
  assign op_use_o = {!ctrl_q.unmasked, ctrl_q.use_vs1, !keccak, reads_vd_q};
  assign op_vd_beat_o = beat;
  assign op_vs2_beat_o = ctrl_q.scalar ? '0 : beat >> ctrl_q.widening;
  assign op_vs1_beat_o = ctrl_q.scalar1 ? '0 : beat >> ctrl_q.widening;

  logic [W-1:0] vs2, vs1;
  zvku_operands #(.W(W)) u_operands (
    .ctrl_i(ctrl_q), .upper_i(beat[0]), .scalar_i(scalar_q), .vs2_i(op_vs2_i), .vs1_i(op_vs1_i),
    .vs2_o(vs2), .vs1_o(vs1)
  );

  // The stages advance unless a result is waiting. The first of two beats of a group is only
  // stored.
  logic en, keep, room, fire, keccak_ready, keccak_idle, all_ready, all_idle, enters;
  assign en = !res_valid_o || res_ready_i;
  assign keep = W < 256 && ctrl_q.wide && !beat[0];
  assign op_wanted_o = busy;
  always_comb begin
    if (keccak) enters = keccak_ready && all_idle;
    else if (all) enters = all_ready && keccak_idle;
    else enters = keccak_idle && all_idle && (keep || room);
  end
  assign op_ready_o = busy && en && enters;
  assign beat_done = op_valid_i && op_ready_o;
  assign fire = beat_done && !keep && !keccak && !all;

  logic [WideW-1:0] wide_vd, wide_vs2, wide_vs1;
  if (W < 256) begin : gen_keep
    logic [3*W-1:0] kept_q;
    always_ff @(posedge clk_i) begin
      if (beat_done) kept_q <= keep ? {op_vd_i, vs2, vs1} : '0;
    end
    assign wide_vd = {op_vd_i, kept_q[2*W+:W]};
    assign wide_vs2 = {vs2, kept_q[W+:W]};
    assign wide_vs1 = {vs1, kept_q[0+:W]};
  end else begin : gen_whole
    assign wide_vd = op_vd_i;
    assign wide_vs2 = vs2;
    assign wide_vs1 = vs1;
  end

  // Results.
  logic two, out_valid, out_second;
  logic [BeatW-1:0] first_beat;
  logic [TagW-1:0] tag, tag2, out_tag;
  zvku_pkg::unit_e out_unit;
  logic [WideW-1:0] result;
  assign two = W < 256 && ctrl_q.wide;
  assign first_beat = two ? beat & ~BeatW'(1) : beat;
  assign tag = {is_last && !two, first_beat, body & (op_mask_i | {W / 8{ctrl_q.unmasked}})};
  assign tag2 = {is_last, beat, {W / 8{1'b1}}};
  zvku_pipe #(.TagW(TagW)) u_pipe (
    .clk_i, .rst_ni, .en_i(en), .start_i(fire), .unit_i(ctrl_q.unit), .two_i(two), .tag_i(tag),
    .tag2_i(tag2), .room_o(room), .valid_o(out_valid), .second_o(out_second), .unit_o(out_unit),
    .tag_o(out_tag)
  );
  zvku_exec #(.W(W), .Exts(Exts)) u_exec (
    .clk_i, .rst_ni, .en_i(en), .valid_i(fire), .ctrl_i(ctrl_q), .vd_i(op_vd_i), .vs2_i(vs2),
    .vs1_i(vs1), .wide_vd_i(wide_vd), .wide_vs2_i(wide_vs2), .wide_vs1_i(wide_vs1),
    .unit_i(out_unit), .result_o(result)
  );

  // vkeccak and all rounds of AES have datapaths outside the pipe. They start when the pipe holds
  // at most five results, all of which leave before the first result of the datapath; later
  // instructions start after its last one.
  logic keccak_valid;
  logic [W-1:0] keccak_data;
  logic [TagW-1:0] keccak_tag;
  if (Keccak) begin : gen_keccak
    logic keccak_last;
    logic [W/8-1:0] keccak_strb;
    logic [BeatW-1:0] keccak_beat;
    zvku_keccak #(.W(W), .BeatW(BeatW)) u_keccak (
      .clk_i, .rst_ni, .en_i(en), .valid_i(beat_done && keccak),
      .short_i(ctrl_q.fn[zvku_pkg::KECCAK_SHORT]), .beat_i(beat), .last_i(is_last),
      .data_i(op_vd_i), .ready_o(keccak_ready), .idle_o(keccak_idle), .valid_o(keccak_valid),
      .data_o(keccak_data), .strb_o(keccak_strb), .beat_o(keccak_beat), .last_o(keccak_last)
    );
    assign keccak_tag = {keccak_last, keccak_beat, keccak_strb};
  end else begin : gen_no_keccak
    assign {keccak_valid, keccak_data, keccak_tag} = '0;
    assign {keccak_ready, keccak_idle} = 2'b01;
  end
  logic all_valid;
  logic [W-1:0] all_data;
  logic [TagW-1:0] all_tag;
  if (AesAll) begin : gen_all
    zvku_aes_all #(.W(W), .TagW(TagW)) u_aes_all (
      .clk_i, .rst_ni, .en_i(en), .valid_i(beat_done && all), .fn_i(ctrl_q.fn),
      .tag_i({is_last, beat, body}), .vd_i(op_vd_i), .vs2_i(vs2), .vs1_i(vs1), .ready_o(all_ready),
      .idle_o(all_idle), .valid_o(all_valid), .data_o(all_data), .tag_o(all_tag)
    );
  end else begin : gen_no_all
    assign {all_valid, all_data, all_tag} = '0;
    assign {all_ready, all_idle} = 2'b01;
  end

  logic apart;  // the result is not from the pipe
  logic [W-1:0] apart_data;
  assign apart = keccak_valid || all_valid;
  assign apart_data = keccak_valid ? keccak_data : all_data;
  zvku_result #(.W(W), .TagW(TagW)) u_result (
    .clk_i, .rst_ni, .en_i(en), .valid_i(out_valid || apart), .second_i(out_second && !apart),
    .result_i(apart ? WideW'(apart_data) : result),
    .tag_i(keccak_valid ? keccak_tag : all_valid ? all_tag : out_tag), .valid_o(res_valid_o),
    .data_o(res_data_o), .tag_o({res_last_o, res_beat_o, res_strb_o})
  );
endmodule

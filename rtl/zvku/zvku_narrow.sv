// DLEN 64: the unit at 128 bits. Two beats of operands are joined, and each result is split into
// two.
module zvku_narrow #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned Regs = 8,
  parameter logic [zvku_op_pkg::EXT_COUNT-1:0] Exts = '1,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned BeatW = $clog2(Regs * VLEN / 64)
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
  output logic [3:0]       op_use_o,
  output logic [BeatW-1:0] op_vd_beat_o,
  output logic [BeatW-1:0] op_vs2_beat_o,
  output logic [BeatW-1:0] op_vs1_beat_o,
  input  logic [63:0]      op_vd_i,
  input  logic [63:0]      op_vs2_i,
  input  logic [63:0]      op_vs1_i,
  input  logic [7:0]       op_mask_i,
  output logic             res_valid_o,
  input  logic             res_ready_i,
  output logic [63:0]      res_data_o,
  output logic [7:0]       res_strb_o,
  output logic [BeatW-1:0] res_beat_o,
  output logic             res_last_o
);
  // Which half is expected next, and the first half until the second arrives.
  logic op_half_q, ready, wanted, core_ready;
  logic [199:0] op_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) op_half_q <= 1'b0;
    else if (op_valid_i && ready) op_half_q <= !op_half_q;
  end
  always_ff @(posedge clk_i) begin
    if (op_valid_i && ready) op_q <= op_half_q ? '0 : {op_vd_i, op_vs2_i, op_vs1_i, op_mask_i};
  end
  // The first half does not enter the pipeline.
  assign ready = op_half_q ? core_ready : wanted;
  assign op_ready_o = ready;

  // The second half of a result, kept until it is output, so that the core can continue.
  logic res_half_q, valid, last_d, last_q;
  logic [127:0] data;
  logic [15:0] strb;
  logic [63:0] data_q;
  logic [7:0] strb_q;
  logic [BeatW-2:0] res_beat_d, res_beat_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) res_half_q <= 1'b0;
    else if (res_valid_o && res_ready_i) res_half_q <= !res_half_q;
  end
  always_ff @(posedge clk_i) begin
    if (res_valid_o && res_ready_i) begin
      data_q <= res_half_q ? '0 : data[127:64];
      strb_q <= strb[15:8];
      res_beat_q <= res_beat_d;
      last_q <= last_d;
    end
  end
  assign res_valid_o = res_half_q || valid;
  assign res_data_o = res_half_q ? data_q : data[63:0];
  assign res_strb_o = res_half_q ? strb_q : strb[7:0];
  assign res_last_o = res_half_q && last_q;
  assign res_beat_o = {res_half_q ? res_beat_q : res_beat_d, res_half_q};
  assign op_vd_beat_o[0] = op_half_q;
  assign op_vs2_beat_o[0] = op_half_q;
  assign op_vs1_beat_o[0] = op_half_q;

  zvku_core #(.VLEN(VLEN), .W(128), .Regs(Regs), .Exts(Exts)) u_core (
    .clk_i, .rst_ni, .insn_valid_i, .insn_ready_o, .insn_i, .vtype_i, .vill_i, .vl_i, .vstart_i,
    .rs1_i, .insn_illegal_o, .insn_empty_o, .op_valid_i(op_valid_i && op_half_q),
    .op_ready_o(core_ready), .op_wanted_o(wanted), .op_use_o,
    .op_vd_beat_o(op_vd_beat_o[BeatW-1:1]), .op_vs2_beat_o(op_vs2_beat_o[BeatW-1:1]),
    .op_vs1_beat_o(op_vs1_beat_o[BeatW-1:1]), .op_vd_i({op_vd_i, op_q[199:136]}),
    .op_vs2_i({op_vs2_i, op_q[135:72]}), .op_vs1_i({op_vs1_i, op_q[71:8]}),
    .op_mask_i({op_mask_i, op_q[7:0]}), .res_valid_o(valid),
    .res_ready_i(res_ready_i && !res_half_q), .res_data_o(data), .res_strb_o(strb),
    .res_beat_o(res_beat_d), .res_last_o(last_d)
  );
endmodule

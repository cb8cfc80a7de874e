// zvku, and which of its instructions the proof is about: any one, which `mark_i` chooses.
// cleared.py proves that no register depends on its operands once it has ended.
module cleared #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned DLEN = 128,
  parameter bit Zvknhk0p1 = 1'b0,
  parameter bit Zvknhk0p2 = 1'b0,
  parameter bit Xcapvecmulq0p1 = 1'b0,
  parameter bit Zvknf0p2022 = 1'b0,
  localparam int unsigned Regs = (Zvknhk0p1 || Zvknhk0p2) && VLEN < 256 ? 16 : 8,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned BeatW = $clog2(Regs * VLEN / DLEN)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              mark_i,
  input  logic              insn_valid_i,
  input  logic [31:0]       insn_i,
  input  logic [7:0]        vtype_i,
  input  logic              vill_i,
  input  logic [PosW:0]     vl_i,
  input  logic [PosW-1:0]   vstart_i,
  input  logic [63:0]       rs1_i,
  input  logic              op_valid_i,
  input  logic [DLEN-1:0]   op_vd_i,
  input  logic [DLEN-1:0]   op_vs2_i,
  input  logic [DLEN-1:0]   op_vs1_i,
  input  logic [DLEN/8-1:0] op_mask_i,
  input  logic              res_ready_i,
  output logic              op_ready_o,  // and other outputs of zvku, so that nothing is removed
  output logic [3:0]        op_use_o,
  output logic [BeatW-1:0]  op_vd_beat_o,
  output logic [BeatW-1:0]  op_vs2_beat_o,
  output logic [BeatW-1:0]  op_vs1_beat_o,
  output logic [DLEN-1:0]   res_data_o,
  output logic [DLEN/8-1:0] res_strb_o,
  output logic [BeatW-1:0]  res_beat_o,
  output logic              scalar_o,  // rs1_i is that of the marked instruction
  output logic              beats_o,   // op_* are those of the marked instruction
  output logic              ended_o,   // the marked instruction's last result was taken
  output logic              lost_o     // more instructions are in flight than the counter counts
);
  // What the core ensures: vset accepts vtype, and vl is at most VLMAX.
  logic [2:0] vlmul;
  logic [PosW+3:0] most;
  logic offered, ready, illegal, empty, accept, valid, last, result;
  assign vlmul = vtype_i[2:0];
  assign most = vlmul[2] ? (PosW + 4)'(VLEN / 8) >> vtype_i[4:3] >> (4'd8 - {1'b0, vlmul})
      : (PosW + 4)'(VLEN / 8) << vlmul[1:0] >> vtype_i[4:3];
  assign offered = insn_valid_i
      && (vill_i || (vlmul != 3'd4 && !vtype_i[5] && (PosW + 4)'(vl_i) <= most
      && {1'b0, vtype_i[4:3]} + (vlmul[2] ? 3'd0 - vlmul : 3'd0) <= 3'd3));
  assign accept = offered && ready && !illegal && !empty;
  assign result = valid && res_ready_i && last;

  zvku #(
    .VLEN(VLEN), .DLEN(DLEN), .Zvknhk0p1(Zvknhk0p1), .Zvknhk0p2(Zvknhk0p2),
    .Xcapvecmulq0p1(Xcapvecmulq0p1), .Zvknf0p2022(Zvknf0p2022)
  ) u_zvku (
    .clk_i, .rst_ni, .insn_valid_i(offered), .insn_ready_o(ready), .insn_i, .vtype_i, .vill_i,
    .vl_i, .vstart_i, .rs1_i, .insn_illegal_o(illegal), .insn_empty_o(empty), .op_valid_i,
    .op_ready_o, .op_use_o, .op_vd_beat_o, .op_vs2_beat_o, .op_vs1_beat_o, .op_vd_i, .op_vs2_i,
    .op_vs1_i, .op_mask_i, .res_valid_o(valid), .res_ready_i, .res_data_o, .res_strb_o,
    .res_beat_o, .res_last_o(last)
  );

  // Instructions in flight, and how many of them come before the marked one. Beats are always those
  // of the last one accepted.
  logic [3:0] flight_q, ahead_q, flight;
  logic marked_q, ended_q, beats_q;
  assign flight = flight_q - 4'(result);
  assign scalar_o = accept && mark_i && !marked_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {flight_q, ahead_q, marked_q, ended_q, beats_q} <= '0;
    else begin
      flight_q <= flight + 4'(accept);
      if (accept) beats_q <= scalar_o;
      if (scalar_o) begin
        marked_q <= 1'b1;
        ahead_q <= flight;
      end else if (marked_q && result) begin
        if (ahead_q == 4'd0) ended_q <= 1'b1;
        else ahead_q <= ahead_q - 4'd1;
      end
    end
  end
  assign beats_o = beats_q;
  assign ended_o = ended_q;
  assign lost_o = flight_q == 4'd15;
endmodule

// zvku with its operands: takes the beats of one instruction after another, and names the results.
module zvcore_vcrypto #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  // Of zvku, from the lowest bit: Zvknhk0p1, Zvknhk0p2, Xcapvecmulq0p1, Zvknf0p2022.
  parameter logic [3:0] Drafts = '0,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned AddrW = $clog2(32 * VLEN / W)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  start_i,  // only with `room_o`
  output logic                  room_o,
  input  zvcore_v_pkg::issued_t issue_i,
  input  logic [31:0]           insn_i,
  input  logic [63:0]           rs1_i,
  input  logic [7:0]            vtype_i,
  input  logic                  vill_i,
  input  logic [PosW:0]         vl_i,
  input  logic [PosW-1:0]       vstart_i,
  output logic                  illegal_o,
  output logic                  empty_o,

  // The next beat: vd, vs2, vs1 from the lowest bit.
  output logic                  busy_o,    // there is one, perhaps in a later cycle
  output logic                  take_o,
  output logic                  masked_o,
  output logic [2:0]            use_o,
  output logic [3*AddrW-1:0]    raddr_o,   // its words; that of vd is also the destination
  output logic [2*AddrW-1:0]    first_o,   // of vs2 and vs1, the first that is read from now on
  output logic [3*AddrW-1:0]    end_o,     // the instruction's last ones
  output logic [2:0]            req_o,
  input  logic [2:0]            gnt_i,
  input  logic [3*W-1:0]        rdata_i,
  input  logic [VLEN-1:0]       mask_i,
  input  logic                  wait_i,    // for the mask or the destination

  output logic                  we_o,
  output logic [7:0]            wtag_o,
  output logic [AddrW-1:0]      waddr_o,
  output logic [W/8-1:0]        wstrb_o,
  output logic [W-1:0]          wdata_o
);
  // A state of Keccak may be larger than a register group, whatever vl and LMUL are.
  localparam bit Keccak = Drafts[0] || Drafts[1];
  localparam bit OneState = Drafts[0] || (Drafts[1] && VLEN < 256);
  localparam int unsigned BeatW = $clog2((Keccak && VLEN < 256 ? 16 : 8) * VLEN / W);
  // Below 128 bits, zvku takes beats in pairs.
  localparam logic [BeatW-1:0] Pair = BeatW'(W < 128);

  // The instruction whose beats are taken.
  logic busy_q;
  logic [1:0] one_group_d, one_group_q;  // vs1 and vs2 are a group each: .vs
  logic [4:0] vd_q, vs2_q, vs1_q;
  logic [1:0] eew_q;
  logic [BeatW-1:0] last_q;
  logic [10:0] last_byte;
  always_comb begin
    last_byte = issue_i.end_byte - 11'd1;
    one_group_d = 2'b00;
    if (insn_i[6:0] == 7'b1110111 && insn_i[31:26] == 6'b101001) begin
      one_group_d = 2'b10;
      if (OneState && insn_i[19:15] == 5'b10010) last_byte = 11'd255;  // vkeccak.vi
    end
    // vaes[ed]128.vs, vaes[ed]256.vs.
    if (Drafts[3] && insn_i[6:0] == 7'b1111011 && insn_i[31:29] == 3'b000 && insn_i[26]) begin
      one_group_d = {insn_i[28], 1'b1};
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= start_i || !room_o;
  end
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      {vd_q, vs2_q, vs1_q, eew_q} <= {issue_i.vd, issue_i.vs2, issue_i.vs1, issue_i.zvku_eew};
      last_q <= BeatW'(last_byte >> $clog2(W / 8)) | Pair;
      one_group_q <= one_group_d;
    end
  end
  assign busy_o = busy_q;

  function automatic logic [AddrW-1:0] word(logic [4:0] register, logic [BeatW-1:0] beat);
    word = (AddrW'(register) << (AddrW - 5)) + AddrW'(beat);
  endfunction
  logic [BeatW-1:0] vd_beat, vs2_beat, vs1_beat, res_beat;
  assign raddr_o = {word(vs1_q, vs1_beat), word(vs2_q, vs2_beat), word(vd_q, vd_beat)};
  // Beats of .vs and of vwsll read a pair again.
  assign first_o = {word(vs1_q, vs1_beat & ~Pair), word(vs2_q, vs2_beat & ~Pair)};
  assign end_o = {word(vs1_q, one_group_q[0] ? Pair : last_q),
      word(vs2_q, one_group_q[1] ? Pair : last_q), word(vd_q, last_q)};

  logic wants, arrived, ready, res_last;
  logic [3:0] op_use;
  logic [2:0] need;
  logic [3*W-1:0] operands;
  logic [W/8-1:0] op_mask;
  logic [12:0] res_name;
  assign need = op_use[2:0] & {3{wants}};
  assign use_o = op_use[2:0];
  assign masked_o = op_use[3];
  assign ready = arrived && !wait_i;
  assign take_o = wants && ready;
  zvcore_vfetch #(.W(W), .N(3)) u_fetch (
    .clk_i, .rst_ni, .need_i(need), .take_i(take_o), .ready_o(arrived), .data_o(operands), .req_o,
    .gnt_i, .data_i(rdata_i)
  );
  zvcore_vmask #(.VLEN(VLEN), .W(W)) u_mask (
    .mask_i, .beat_i(vd_beat[$clog2(8*VLEN/W)-1:0]), .eew_i(eew_q), .bytes_o(op_mask)
  );
  zvku #(
    .VLEN(VLEN), .DLEN(W), .Zvknhk0p1(Drafts[0]), .Zvknhk0p2(Drafts[1]), .Xcapvecmulq0p1(Drafts[2]),
    .Zvknf0p2022(Drafts[3])
  ) u_zvku (
    .clk_i, .rst_ni, .insn_valid_i(start_i), .insn_ready_o(room_o), .insn_i, .vtype_i, .vill_i,
    .vl_i, .vstart_i, .rs1_i, .insn_illegal_o(illegal_o), .insn_empty_o(empty_o),
    .op_valid_i(take_o), .op_ready_o(wants), .op_use_o(op_use), .op_vd_beat_o(vd_beat),
    .op_vs2_beat_o(vs2_beat), .op_vs1_beat_o(vs1_beat), .op_vd_i(operands[0+:W]),
    .op_vs2_i(operands[W+:W]), .op_vs1_i(operands[2*W+:W]), .op_mask_i(op_mask), .res_valid_o(we_o),
    .res_ready_i(1'b1), .res_data_o(wdata_o), .res_strb_o(wstrb_o), .res_beat_o(res_beat),
    .res_last_o(res_last)
  );
  zvcore_vnames u_names (
    .clk_i, .rst_ni, .push_i(start_i), .name_i({issue_i.vd, issue_i.tag}), .pop_i(we_o && res_last),
    .name_o(res_name)
  );
  assign wtag_o = res_name[7:0];
  assign waddr_o = word(res_name[12:8], res_beat);

  logic unused;
  assign unused = ^{issue_i, last_byte};
endmodule

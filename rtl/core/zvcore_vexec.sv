// Executes vector instructions, each in zvku or in a unit of the core, and holds v0 to v31.
//
// Their beats are taken in program order, at most one in a cycle; a beat waits until earlier ones have written what it reads.
module zvcore_vexec #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  parameter logic [63:0] RamBase = 64'h8000_0000,
  parameter logic [63:0] RamLen = 64'h10_0000,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned AddrW = $clog2(32 * VLEN / W),
  localparam int unsigned BeatW = $clog2(8 * VLEN / W)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   start_i,  // only with `room_o`; with the inputs up to `end_byte_i`
  output logic                   room_o,
  output logic                   idle_o,   // and nothing is in flight
  input  zvcore_v_pkg::issued_t  issue_i,
  input  logic [31:0]            insn_i,
  input  logic [63:0]            rs1_i,
  input  logic [7:0]             vtype_i,
  input  logic                   vill_i,
  input  logic [PosW:0]          vl_i,
  input  logic [PosW:0]          vlmax_i,
  input  logic [PosW-1:0]        vstart_i,
  input  logic [PosW:0]          elements_i,
  input  logic [PosW-1:0]        first_byte_i,
  input  logic [PosW:0]          end_byte_i,
  output logic                   zvku_illegal_o,
  output logic                   zvku_empty_o,

  input  logic                   start_element_i,  // only with `idle_o`; the inputs above stay until it is done
  input  logic                   element_i,        // one is being executed
  input  logic [63:0]            stride_i,
  output logic                   done_element_o,
  output logic                   fault_o,
  output logic [63:0]            fault_at_o,
  output logic [PosW-1:0]        index_o,
  output logic [63:0]            to_x_o,

  output logic [1:0]             we_o,
  output logic [15:0]            wtag_o,
  output logic [2*AddrW-1:0]     waddr_o,
  output logic [2*W/8-1:0]       wstrb_o,
  output logic [2*W-1:0]         wdata_o,

  output logic                   lsu_busy_o,
  output logic                   lsu_valid_o,
  input  logic                   lsu_ready_i,
  output logic                   lsu_we_o,
  output logic [63:0]            lsu_addr_o,
  output logic [W/8-1:0]         lsu_strb_o,
  output logic [W-1:0]           lsu_data_o,
  input  logic                   lsu_done_i,
  input  logic [W-1:0]           lsu_data_i
);
  // The instruction whose beats are taken. What it computes with is kept no longer than that.
  zvcore_v_pkg::issued_t cur_q;
  logic zvku_ready, zvku_wants, beat_busy, beat_last, beat_take, line_busy, line_last, line_take, line_waits, free;
  assign room_o = zvku_ready && (!beat_busy || (beat_take && beat_last)) && (!line_busy || (line_take && line_last)) && !element_i;
  assign idle_o = room_o && !take && free && !line_waits;
  always_ff @(posedge clk_i) begin
    if (start_i) cur_q <= issue_i;
    else if (room_o) cur_q.scalar <= '0;
  end

  // Operands: vd, vs2, vs1 from the lowest bit.
  logic [VLEN-1:0] mask;
  logic [2:0] need, req, gnt, source_waits;
  logic arrived, ready, target_waits, mask_waits, take, masked, load;
  logic [3*AddrW-1:0] raddr;
  logic [3*W-1:0] rdata, operands;
  zvcore_vfetch #(.W(W)) u_fetch (
    .clk_i, .rst_ni, .need_i(need), .take_i(take), .ready_o(arrived), .data_o(operands), .req_o(req), .gnt_i(gnt),
    .data_i(rdata)
  );
  assign ready = arrived && !(masked && mask_waits) && (!target_waits || (line_busy && cur_q.ctrl.store));

  logic own_we, load_we;
  logic [AddrW-1:0] own_addr, load_addr, res_addr;
  logic [W/8-1:0] own_strb, load_strb, res_strb;
  logic [W-1:0] own_data, load_data, res_data;
  logic res_valid, res_last;
  zvcore_vhazard #(.VLEN(VLEN), .W(W)) u_hazard (
    .clk_i, .rst_ni, .set_i(take && (zvku_wants || load)), .addr_i(raddr[AddrW-1:0]), .res_we_i(res_valid),
    .res_addr_i(res_addr), .load_we_i(load_we), .load_addr_i(load_addr), .sources_i(raddr), .source_o(source_waits),
    .target_o(target_waits), .mask_o(mask_waits), .idle_o(free)
  );
  zvcore_vrf #(.VLEN(VLEN), .W(W)) u_vrf (
    .clk_i, .req_i(req & ~source_waits), .addr_i(raddr), .gnt_o(gnt), .data_o(rdata), .res_we_i(res_valid),
    .res_addr_i(res_addr), .res_strb_i(res_strb), .res_data_i(res_data), .load_we_i(load_we), .load_addr_i(load_addr),
    .load_strb_i(load_strb), .load_data_i(load_data), .own_we_i(own_we), .own_addr_i(own_addr), .own_strb_i(own_strb),
    .own_data_i(own_data), .mask_o(mask)
  );

  // The units.
  logic [3:0] op_use;
  logic [BeatW-1:0] op_vd, op_vs2, op_vs1, res_beat;
  logic [W/8-1:0] op_mask;
  logic [12:0] res_name;
  zvcore_vmask #(.VLEN(VLEN), .W(W)) u_zvku_mask (
    .mask_i(mask), .beat_i(op_vd), .eew_i(cur_q.zvku_eew), .bytes_o(op_mask)
  );
  zvku #(.VLEN(VLEN), .DLEN(W)) u_zvku (
    .clk_i, .rst_ni, .insn_valid_i(start_i && issue_i.by == zvcore_v_pkg::BY_ZVKU), .insn_ready_o(zvku_ready), .insn_i,
    .vtype_i, .vill_i, .vl_i, .vstart_i, .rs1_i, .insn_illegal_o(zvku_illegal_o), .insn_empty_o(zvku_empty_o),
    .op_valid_i(zvku_wants && ready), .op_ready_o(zvku_wants), .op_use_o(op_use), .op_vd_beat_o(op_vd),
    .op_vs2_beat_o(op_vs2), .op_vs1_beat_o(op_vs1), .op_vd_i(operands[0+:W]), .op_vs2_i(operands[W+:W]),
    .op_vs1_i(operands[2*W+:W]), .op_mask_i(op_mask), .res_valid_o(res_valid), .res_ready_i(1'b1), .res_data_o(res_data),
    .res_strb_o(res_strb), .res_beat_o(res_beat), .res_last_o(res_last)
  );
  zvcore_vnames u_names (
    .clk_i, .rst_ni, .push_i(start_i && issue_i.by == zvcore_v_pkg::BY_ZVKU), .name_i({issue_i.vd, issue_i.tag}),
    .pop_i(res_valid && res_last), .name_o(res_name)
  );
  assign res_addr = (AddrW'(res_name[12:8]) << (AddrW - 5)) + AddrW'(res_beat);

  logic [1:0] beat_need;
  logic [BeatW-1:0] beat, beat_vs2, beat_vs1;
  logic [W/8-1:0] beat_strb;
  logic [W-1:0] beat_data;
  zvcore_vbeat #(.VLEN(VLEN), .W(W)) u_beat (
    .clk_i, .rst_ni, .start_i(start_i && issue_i.by == zvcore_v_pkg::BY_BEAT), .first_i(first_byte_i),
    .end_i(end_byte_i), .ctrl_i(cur_q.ctrl), .use_scalar_i(cur_q.use_scalar), .scalar_i(cur_q.scalar),
    .source_i(cur_q.source[PosW:0]), .mask_i(mask), .busy_o(beat_busy), .last_o(beat_last), .beat_o(beat), .need_o(beat_need),
    .vs2_beat_o(beat_vs2), .vs1_beat_o(beat_vs1), .ready_i(ready && !load_we),
    .take_o(beat_take), .vs2_i(operands[W+:W]), .vs1_i(operands[2*W+:W]), .wstrb_o(beat_strb), .wdata_o(beat_data)
  );

  logic line_need, line_valid;
  logic [BeatW-1:0] line, line_wbeat;
  logic [12:0] line_name;
  logic [63:0] line_addr;
  logic [W/8-1:0] line_strb;
  logic [W-1:0] line_data;
  zvcore_vline #(.VLEN(VLEN), .W(W)) u_line (
    .clk_i, .rst_ni, .start_i(start_i && issue_i.by == zvcore_v_pkg::BY_LINE), .first_i(first_byte_i),
    .end_i(end_byte_i), .ctrl_i(cur_q.ctrl), .name_i({cur_q.vd, cur_q.tag}), .base_i(cur_q.scalar), .mask_i(mask),
    .busy_o(line_busy), .last_o(line_last), .waits_o(line_waits), .beat_o(line), .need_o(line_need), .ready_i(ready),
    .take_o(line_take), .load_o(load), .vs3_i(operands[0+:W]), .we_o(load_we), .wname_o(line_name), .wbeat_o(line_wbeat),
    .wstrb_o(load_strb), .wdata_o(load_data), .lsu_valid_o(line_valid), .lsu_ready_i, .lsu_addr_o(line_addr),
    .lsu_strb_o(line_strb), .lsu_data_o(line_data), .lsu_done_i, .lsu_data_i
  );
  assign load_addr = (AddrW'(line_name[12:8]) << (AddrW - 5)) + AddrW'(line_wbeat);

  logic element_read, element_we, element_valid;
  logic [AddrW-1:0] element_raddr, element_waddr;
  logic [63:0] element_addr;
  logic [W/8-1:0] element_strb, element_wstrb;
  logic [W-1:0] element_data, element_wdata;
  zvcore_valone #(.VLEN(VLEN), .W(W), .RamBase(RamBase), .RamLen(RamLen)) u_alone (
    .clk_i, .rst_ni, .valid_i(start_element_i), .ctrl_i(issue_i.ctrl), .element_i(issue_i.ctrl.element), .vd_i(issue_i.vd),
    .vs2_i(issue_i.vs2), .vs1_i(issue_i.vs1), .scalar_i(issue_i.scalar), .stride_i, .vstart_i, .end_i(elements_i), .vlmax_i,
    .mask_i(mask), .done_o(done_element_o), .fault_o, .fault_at_o, .index_o, .to_x_o, .read_o(element_read),
    .raddr_o(element_raddr), .rdata_i(rdata[W+:W]), .we_o(element_we), .waddr_o(element_waddr),
    .wstrb_o(element_wstrb), .wdata_o(element_wdata), .lsu_valid_o(element_valid), .lsu_ready_i,
    .lsu_addr_o(element_addr), .lsu_strb_o(element_strb), .lsu_data_o(element_data), .lsu_done_i, .lsu_data_i
  );

  zvcore_vroute #(.VLEN(VLEN), .W(W)) u_route (
    .by_i(element_i ? zvcore_v_pkg::BY_ELEMENT : cur_q.by), .vd_i(cur_q.vd), .vs2_i(cur_q.vs2),
    .vs1_i(cur_q.ctrl.slide ? cur_q.vs2 : cur_q.vs1), .need_o(need), .raddr_o(raddr), .we_o(own_we), .waddr_o(own_addr), .wstrb_o(own_strb), .wdata_o(own_data),
    .zvku_wants_i(zvku_wants), .zvku_use_i(op_use[2:0]), .zvku_vd_i(op_vd), .zvku_vs2_i(op_vs2), .zvku_vs1_i(op_vs1),
    .beat_need_i(beat_need), .beat_take_i(beat_take), .beat_i(beat),
    .beat_vs2_i(beat_vs2), .beat_vs1_i(beat_vs1), .beat_wstrb_i(beat_strb), .beat_wdata_i(beat_data),
    .line_need_i(line_need), .line_i(line), .element_read_i(element_read), .element_raddr_i(element_raddr),
    .element_we_i(element_we), .element_waddr_i(element_waddr), .element_wstrb_i(element_wstrb),
    .element_wdata_i(element_wdata)
  );
  assign masked = zvku_wants ? op_use[3] : cur_q.ctrl.masked;
  assign take = element_i || (zvku_wants ? ready : beat_take || line_take);
  assign lsu_busy_o = line_busy || line_waits;
  assign lsu_we_o = element_i ? issue_i.ctrl.store : cur_q.ctrl.store;
  assign {lsu_valid_o, lsu_addr_o, lsu_strb_o, lsu_data_o} = element_i ?
      {element_valid, element_addr, element_strb, element_data} : {line_valid, line_addr, line_strb, line_data};

  logic [7:0] own_tag;
  assign own_tag = element_i ? issue_i.tag : cur_q.tag;
  assign we_o = {load_we || own_we, res_valid};
  assign wtag_o = {load_we ? line_name[7:0] : own_tag, res_name[7:0]};
  assign waddr_o = {load_we ? load_addr : own_addr, res_addr};
  assign wstrb_o = {load_we ? load_strb : own_strb, res_strb};
  assign wdata_o = {load_we ? load_data : own_data, res_data};
endmodule

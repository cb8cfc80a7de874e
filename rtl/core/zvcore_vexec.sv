// Executes vector instructions, each in zvku or in a unit of the core, and holds v0 to v31.
//
// zvku and the core's units have one instruction each whose beats are taken, so at most two beats
// in a cycle. A beat waits until earlier ones have written what it reads, and have read what it
// writes.
module zvcore_vexec #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  parameter logic [63:0] RamBase = 64'h8000_0000,
  parameter logic [63:0] RamLen = 64'h10_0000,
  parameter logic [3:0] Drafts = '0,  // as of zvcore_vcrypto
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

  input  logic                   start_element_i,  // only with `idle_o`; those above stay so long
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
  // The instruction whose beats the core's units take. Its scalar is cleared once all beats are
  // taken.
  zvcore_v_pkg::issued_t cur_q;
  logic start_zvku, start_own, zvku_room, own_room, zvku_busy, zvku_take, own_take, free;
  logic beat_busy, beat_last, beat_take, line_busy, line_last, line_take, line_waits;
  assign start_zvku = start_i && issue_i.by == zvcore_v_pkg::BY_ZVKU;
  assign start_own = start_i && issue_i.by != zvcore_v_pkg::BY_ZVKU;
  assign own_room = (!beat_busy || (beat_take && beat_last))
      && (!line_busy || (line_take && line_last));
  assign room_o = (issue_i.by == zvcore_v_pkg::BY_ZVKU ? zvku_room : own_room) && !element_i;
  assign idle_o = !zvku_busy && !beat_busy && !line_busy && !element_i && free && !line_waits;
  always_ff @(posedge clk_i) begin
    if (start_own) cur_q <= issue_i;
    else if (own_room) cur_q.scalar <= '0;
  end

  // Operands: of zvku, and those of the core's units above.
  logic [VLEN-1:0] mask;
  logic [2:0] zvku_use, zvku_order;
  logic [1:0] own_use, own_need, own_order, target_waits;
  logic [4:0] req, gnt, source_waits;
  logic mask_waits, zvku_masked, zvku_other, own_other, own_writes, load, arrived, ready;
  logic [AddrW-1:0] target, target_end;
  logic [3*AddrW-1:0] zvku_end;
  logic [2*AddrW-1:0] zvku_first, own_first, own_end;
  logic [5*AddrW-1:0] raddr;
  logic [5*W-1:0] rdata;
  logic [2*W-1:0] operands;
  zvcore_vfetch #(.W(W), .N(2)) u_fetch (
    .clk_i, .rst_ni, .need_i(own_need), .take_i(own_take), .ready_o(arrived), .data_o(operands),
    .req_o(req[4:3]), .gnt_i(gnt[4:3]), .data_i(rdata[5*W-1:3*W])
  );
  assign ready = arrived && !(cur_q.ctrl.masked && mask_waits) && !own_other
      && !(target_waits[1] && own_writes);
  zvcore_vorder #(.VLEN(VLEN), .W(W)) u_order (
    .clk_i, .rst_ni, .start_i, .start_zvku_i(start_zvku), .zvku_busy_i(zvku_busy),
    .zvku_masked_i(zvku_masked), .zvku_use_i(zvku_use), .zvku_word_i(raddr[3*AddrW-1:0]),
    .zvku_first_i(zvku_first), .zvku_end_i(zvku_end), .zvku_source_o(zvku_order),
    .zvku_other_o(zvku_other), .own_busy_i(beat_busy || line_busy),
    .own_masked_i(cur_q.ctrl.masked), .own_writes_i(own_writes), .own_target_i(target),
    .own_target_end_i(target_end), .own_use_i(own_use), .own_word_i(raddr[5*AddrW-1:3*AddrW]),
    .own_first_i(own_first), .own_end_i(own_end), .own_source_o(own_order), .own_other_o(own_other)
  );

  logic own_we, load_we;
  logic [AddrW-1:0] own_addr, load_addr, res_addr;
  logic [W/8-1:0] own_strb, load_strb, res_strb;
  logic [W-1:0] own_data, load_data, res_data;
  logic res_valid;
  logic [7:0] res_tag;
  zvcore_vhazard #(.VLEN(VLEN), .W(W)) u_hazard (
    .clk_i, .rst_ni, .set_i({own_take && load, zvku_take}), .addr_i({target, raddr[AddrW-1:0]}),
    .res_we_i(res_valid), .res_addr_i(res_addr), .load_we_i(load_we), .load_addr_i(load_addr),
    .sources_i(raddr), .source_o(source_waits), .target_o(target_waits), .mask_o(mask_waits),
    .idle_o(free)
  );
  zvcore_vrf #(.VLEN(VLEN), .W(W)) u_vrf (
    .clk_i, .req_i(req & ~source_waits & ~{own_order, zvku_order}), .addr_i(raddr), .gnt_o(gnt),
    .data_o(rdata), .res_we_i(res_valid), .res_addr_i(res_addr), .res_strb_i(res_strb),
    .res_data_i(res_data), .load_we_i(load_we), .load_addr_i(load_addr), .load_strb_i(load_strb),
    .load_data_i(load_data), .own_we_i(own_we), .own_addr_i(own_addr), .own_strb_i(own_strb),
    .own_data_i(own_data), .mask_o(mask)
  );

  // The units.
  logic [1:0] beat_need;
  logic line_need, line_valid, element_read, element_we, element_valid;
  logic [BeatW-1:0] beat, beat_vs2, beat_vs1, line, line_wbeat;
  logic [12:0] line_name;
  logic [AddrW-1:0] element_raddr, element_waddr;
  logic [63:0] line_addr, element_addr;
  logic [W/8-1:0] beat_strb, line_strb, element_strb, element_wstrb;
  logic [W-1:0] beat_data, line_data, element_data, element_wdata;
  zvcore_vcrypto #(.VLEN(VLEN), .W(W), .Drafts(Drafts)) u_crypto (
    .clk_i, .rst_ni, .start_i(start_zvku), .room_o(zvku_room), .issue_i, .insn_i, .rs1_i, .vtype_i,
    .vill_i, .vl_i, .vstart_i, .illegal_o(zvku_illegal_o), .empty_o(zvku_empty_o),
    .busy_o(zvku_busy), .take_o(zvku_take), .masked_o(zvku_masked), .use_o(zvku_use),
    .raddr_o(raddr[3*AddrW-1:0]), .first_o(zvku_first), .end_o(zvku_end), .req_o(req[2:0]),
    .gnt_i(gnt[2:0]), .rdata_i(rdata[3*W-1:0]), .mask_i(mask),
    .wait_i(zvku_other || target_waits[0] || (zvku_masked && mask_waits)), .we_o(res_valid),
    .wtag_o(res_tag), .waddr_o(res_addr), .wstrb_o(res_strb), .wdata_o(res_data)
  );
  zvcore_vbeat #(.VLEN(VLEN), .W(W)) u_beat (
    .clk_i, .rst_ni, .start_i(start_own && issue_i.by == zvcore_v_pkg::BY_BEAT),
    .first_i(first_byte_i), .end_i(end_byte_i), .ctrl_i(cur_q.ctrl),
    .use_scalar_i(cur_q.use_scalar), .scalar_i(cur_q.scalar), .source_i(cur_q.source[PosW:0]),
    .mask_i(mask), .busy_o(beat_busy), .last_o(beat_last), .beat_o(beat), .need_o(beat_need),
    .vs2_beat_o(beat_vs2), .vs1_beat_o(beat_vs1), .ready_i(ready && !load_we), .take_o(beat_take),
    .vs2_i(operands[0+:W]), .vs1_i(operands[W+:W]), .wstrb_o(beat_strb), .wdata_o(beat_data)
  );
  zvcore_vline #(.VLEN(VLEN), .W(W)) u_line (
    .clk_i, .rst_ni, .start_i(start_own && issue_i.by == zvcore_v_pkg::BY_LINE),
    .first_i(first_byte_i), .end_i(end_byte_i), .ctrl_i(cur_q.ctrl), .name_i({cur_q.vd, cur_q.tag}),
    .base_i(cur_q.scalar), .mask_i(mask), .busy_o(line_busy), .last_o(line_last),
    .waits_o(line_waits), .beat_o(line), .need_o(line_need), .ready_i(ready), .take_o(line_take),
    .load_o(load), .vs3_i(operands[0+:W]), .we_o(load_we), .wname_o(line_name),
    .wbeat_o(line_wbeat), .wstrb_o(load_strb), .wdata_o(load_data), .lsu_valid_o(line_valid),
    .lsu_ready_i, .lsu_addr_o(line_addr), .lsu_strb_o(line_strb), .lsu_data_o(line_data),
    .lsu_done_i, .lsu_data_i
  );
  assign load_addr = (AddrW'(line_name[12:8]) << (AddrW - 5)) + AddrW'(line_wbeat);
  zvcore_valone #(.VLEN(VLEN), .W(W), .RamBase(RamBase), .RamLen(RamLen)) u_alone (
    .clk_i, .rst_ni, .valid_i(start_element_i), .ctrl_i(issue_i.ctrl),
    .element_i(issue_i.ctrl.element), .vd_i(issue_i.vd), .vs2_i(issue_i.vs2), .vs1_i(issue_i.vs1),
    .scalar_i(issue_i.scalar), .stride_i, .vstart_i, .end_i(elements_i), .vlmax_i, .mask_i(mask),
    .done_o(done_element_o), .fault_o, .fault_at_o, .index_o, .to_x_o, .read_o(element_read),
    .raddr_o(element_raddr), .rdata_i(rdata[3*W+:W]), .we_o(element_we), .waddr_o(element_waddr),
    .wstrb_o(element_wstrb), .wdata_o(element_wdata), .lsu_valid_o(element_valid), .lsu_ready_i,
    .lsu_addr_o(element_addr), .lsu_strb_o(element_strb), .lsu_data_o(element_data), .lsu_done_i,
    .lsu_data_i
  );

  zvcore_vroute #(.VLEN(VLEN), .W(W)) u_route (
    .cur_i(cur_q), .element_i, .writes_o(own_writes), .use_o(own_use), .target_o(target),
    .target_end_o(target_end), .need_o(own_need), .raddr_o(raddr[5*AddrW-1:3*AddrW]),
    .first_o(own_first), .end_o(own_end), .we_o(own_we), .waddr_o(own_addr), .wstrb_o(own_strb),
    .wdata_o(own_data), .beat_need_i(beat_need), .beat_take_i(beat_take), .beat_i(beat),
    .beat_vs2_i(beat_vs2), .beat_vs1_i(beat_vs1), .beat_wstrb_i(beat_strb),
    .beat_wdata_i(beat_data), .line_need_i(line_need), .line_i(line), .element_read_i(element_read),
    .element_raddr_i(element_raddr), .element_we_i(element_we), .element_waddr_i(element_waddr),
    .element_wstrb_i(element_wstrb), .element_wdata_i(element_wdata)
  );
  assign own_take = element_i || beat_take || line_take;
  assign lsu_busy_o = line_busy || line_waits;
  assign lsu_we_o = element_i ? issue_i.ctrl.store : cur_q.ctrl.store;
  assign {lsu_valid_o, lsu_addr_o, lsu_strb_o, lsu_data_o} = element_i
      ? {element_valid, element_addr, element_strb, element_data}
      : {line_valid, line_addr, line_strb, line_data};

  logic [7:0] own_tag;
  assign own_tag = element_i ? issue_i.tag : cur_q.tag;
  assign we_o = {load_we || own_we, res_valid};
  assign wtag_o = {load_we ? line_name[7:0] : own_tag, res_tag};
  assign waddr_o = {load_we ? load_addr : own_addr, res_addr};
  assign wstrb_o = {load_we ? load_strb : own_strb, res_strb};
  assign wdata_o = {load_we ? load_data : own_data, res_data};
endmodule

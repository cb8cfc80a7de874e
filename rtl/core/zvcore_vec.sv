// The vector unit: executes one instruction at a time, in zvku or in a unit of its own, and holds vtype, vl and v0 to v31.
module zvcore_vec #(
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

  input  logic                   valid_i,  // held with the inputs below until `done_o`, unless `illegal_o`
  input  logic [31:0]            insn_i,
  input  zvcore_op_pkg::op_e     op_i,
  input  zvcore_op_pkg::class_e  class_i,
  input  logic                   has_vs2_i,
  input  logic                   has_vs1_i,
  input  logic [63:0]            imm_i,
  input  logic [63:0]            rs1_i,
  input  logic [63:0]            rs2_i,
  output logic                   illegal_o,
  output logic                   done_o,
  output logic                   fault_o,  // with `done_o`: it traps
  output logic                   store_o,
  output logic [63:0]            fault_at_o,
  output logic [63:0]            rd_o,

  input  logic [PosW-1:0]        vstart_i,
  output logic [PosW-1:0]        vstart_o,  // with `done_o`
  output logic [PosW:0]          vl_o,
  output logic [63:0]            vtype_o,

  output logic                   we_o,
  output logic [AddrW-1:0]       waddr_o,
  output logic [W/8-1:0]         wstrb_o,
  output logic [W-1:0]           wdata_o,

  output logic                   lsu_valid_o,
  input  logic                   lsu_ready_i,
  output logic                   lsu_we_o,
  output logic [63:0]            lsu_addr_o,
  output logic [W/8-1:0]         lsu_strb_o,
  output logic [W-1:0]           lsu_data_o,
  input  logic                   lsu_done_i,
  input  logic [W-1:0]           lsu_data_i
);
  logic vill;
  logic [7:0] vtype;
  logic [PosW:0] vl, vlmax;
  logic [63:0] set_rd, scalar;
  logic [4:0] vd, vs2, vs1;
  assign {vs2, vs1, vd} = {insn_i[24:15], insn_i[11:7]};
  zvcore_vconfig #(.VLEN(VLEN)) u_config (
    .clk_i, .rst_ni, .set_i(done_o && ctrl.by == zvcore_v_pkg::BY_VSET), .insn_i, .op_i, .rs1_i, .rs2_i, .rd_o(set_rd),
    .vill_o(vill), .vtype_o(vtype), .vl_o(vl), .vlmax_o(vlmax)
  );
  assign vl_o = vl;
  assign vtype_o = vill ? 64'h8000_0000_0000_0000 : {56'b0, vtype};

  // The instruction.
  zvcore_v_pkg::ctrl_t ctrl;
  logic bad, zvku_bad, zvku_empty;
  zvcore_vdecode u_decode (
    .insn_i, .op_i, .class_i, .has_vs2_i, .has_vs1_i, .vlmul_i(vtype[2:0]), .sew_i(vtype[4:3]), .ctrl_o(ctrl)
  );
  zvcore_vcheck u_check (
    .ctrl_i(ctrl), .vill_i(vill), .started_i(vstart_i != '0), .vd_i(vd), .vs2_i(vs2), .vs1_i(vs1), .illegal_o(bad)
  );
  assign illegal_o = ctrl.by == zvcore_v_pkg::BY_ZVKU ? zvku_bad : bad && ctrl.by != zvcore_v_pkg::BY_VSET;

  logic [PosW-1:0] first_byte;
  logic [PosW:0] elements, end_byte;
  logic empty, line_fault;
  zvcore_vbody #(.VLEN(VLEN), .RamBase(RamBase), .RamLen(RamLen)) u_body (
    .ctrl_i(ctrl), .vl_i(vl), .vstart_i, .base_i(rs1_i), .zvku_empty_i(zvku_empty), .elements_o(elements),
    .empty_o(empty), .first_byte_o(first_byte), .end_byte_o(end_byte), .fault_o(line_fault)
  );

  // The unit that executes it. If a unit-stride access would fault, its elements are accessed one at a time.
  zvcore_v_pkg::by_e by;
  logic busy_q, start, done_zvku, done_beat, done_line, done_element;
  assign by = ctrl.by == zvcore_v_pkg::BY_LINE && line_fault ? zvcore_v_pkg::BY_ELEMENT : ctrl.by;
  assign start = valid_i && !busy_q && !illegal_o && !empty && by != zvcore_v_pkg::BY_VSET;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= (busy_q || start) && !done_o;
  end
  always_comb begin
    done_o = valid_i && !illegal_o && (ctrl.by == zvcore_v_pkg::BY_VSET || empty);
    if (busy_q) begin
      case (by)
        zvcore_v_pkg::BY_ZVKU: done_o = done_zvku;
        zvcore_v_pkg::BY_BEAT: done_o = done_beat;
        zvcore_v_pkg::BY_LINE: done_o = done_line;
        default: done_o = done_element;
      endcase
    end
  end
  // The register file, read by one of the units: vd, vs2, vs1 from the lowest bit.
  logic [VLEN-1:0] mask;
  logic [2:0] need, req, gnt;
  logic ready, take;
  logic [3*AddrW-1:0] raddr;
  logic [3*W-1:0] rdata, operands;
  zvcore_vfetch #(.W(W)) u_fetch (
    .clk_i, .rst_ni, .need_i(need), .take_i(take), .ready_o(ready), .data_o(operands), .req_o(req), .gnt_i(gnt),
    .data_i(rdata)
  );
  zvcore_vrf #(.VLEN(VLEN), .W(W)) u_vrf (
    .clk_i, .req_i(req), .addr_i(raddr), .gnt_o(gnt), .data_o(rdata), .we_i(we_o), .waddr_i(waddr_o),
    .wstrb_i(wstrb_o), .wdata_i(wdata_o), .mask_o(mask)
  );

  assign scalar = insn_i[14:12] == 3'b011 ? imm_i : rs1_i;  // OPIVI

  // The units.
  logic zvku_wants, zvku_ready, res_valid, res_last;
  logic [3:0] op_use;
  logic [BeatW-1:0] op_vd, op_vs2, op_vs1, res_beat;
  logic [W/8-1:0] op_mask, res_strb;
  logic [W-1:0] res_data;
  logic [1:0] zvku_eew;
  // Only vwsll widens: its mask has a bit for each element of vd.
  assign zvku_eew = vtype[4:3] + 2'(insn_i[31:26] == 6'b110101 && insn_i[6:0] == 7'b1010111);
  zvcore_vmask #(.VLEN(VLEN), .W(W)) u_zvku_mask (.mask_i(mask), .beat_i(op_vd), .eew_i(zvku_eew), .bytes_o(op_mask));
  zvku #(.VLEN(VLEN), .DLEN(W)) u_zvku (
    .clk_i, .rst_ni, .insn_valid_i(start && by == zvcore_v_pkg::BY_ZVKU), .insn_ready_o(zvku_ready), .insn_i,
    .vtype_i(vtype), .vill_i(vill), .vl_i(vl), .vstart_i, .rs1_i, .insn_illegal_o(zvku_bad),
    .insn_empty_o(zvku_empty), .op_valid_i(zvku_wants && ready), .op_ready_o(zvku_wants), .op_use_o(op_use),
    .op_vd_beat_o(op_vd), .op_vs2_beat_o(op_vs2), .op_vs1_beat_o(op_vs1), .op_vd_i(operands[0+:W]),
    .op_vs2_i(operands[W+:W]), .op_vs1_i(operands[2*W+:W]), .op_mask_i(op_mask), .res_valid_o(res_valid),
    .res_ready_i(1'b1), .res_data_o(res_data), .res_strb_o(res_strb), .res_beat_o(res_beat), .res_last_o(res_last)
  );
  assign done_zvku = res_valid && res_last;

  logic beat_take;
  logic [1:0] beat_need;
  logic [BeatW-1:0] beat;
  logic [W/8-1:0] beat_strb;
  logic [W-1:0] beat_data;
  zvcore_vbeat #(.VLEN(VLEN), .W(W)) u_beat (
    .clk_i, .rst_ni, .start_i(start && by == zvcore_v_pkg::BY_BEAT), .first_i(first_byte), .end_i(end_byte),
    .ctrl_i(ctrl), .use_scalar_i(!has_vs1_i), .scalar_i(scalar), .mask_i(mask), .done_o(done_beat), .beat_o(beat),
    .need_o(beat_need), .ready_i(ready), .take_o(beat_take), .vs2_i(operands[W+:W]), .vs1_i(operands[2*W+:W]),
    .wstrb_o(beat_strb), .wdata_o(beat_data)
  );

  logic line_need, line_take, line_we, line_valid;
  logic [BeatW-1:0] line, line_beat;
  logic [63:0] line_addr;
  logic [W/8-1:0] line_strb, line_wstrb;
  logic [W-1:0] line_data, line_wdata;
  zvcore_vline #(.VLEN(VLEN), .W(W)) u_line (
    .clk_i, .rst_ni, .start_i(start && by == zvcore_v_pkg::BY_LINE), .first_i(first_byte), .end_i(end_byte),
    .ctrl_i(ctrl), .base_i(rs1_i), .mask_i(mask), .done_o(done_line), .beat_o(line), .need_o(line_need),
    .ready_i(ready), .take_o(line_take), .vs3_i(operands[0+:W]), .we_o(line_we), .wbeat_o(line_beat),
    .wstrb_o(line_wstrb), .wdata_o(line_wdata), .lsu_valid_o(line_valid), .lsu_ready_i, .lsu_addr_o(line_addr),
    .lsu_strb_o(line_strb), .lsu_data_o(line_data), .lsu_done_i, .lsu_data_i
  );

  logic element_read, element_we, element_valid, is_element;
  logic [AddrW-1:0] element_raddr, element_waddr;
  logic [PosW-1:0] element_index;
  logic [63:0] element_addr, element_to_x;
  logic [W/8-1:0] element_strb, element_wstrb;
  logic [W-1:0] element_data, element_wdata;
  assign is_element = by == zvcore_v_pkg::BY_ELEMENT;
  zvcore_velement #(.VLEN(VLEN), .W(W), .RamBase(RamBase), .RamLen(RamLen)) u_element (
    .clk_i, .rst_ni, .valid_i(start && is_element), .ctrl_i(ctrl), .element_i(ctrl.element), .vd_i(vd), .vs2_i(vs2),
    .vs1_i(vs1), .scalar_i(scalar), .stride_i(ctrl.by == zvcore_v_pkg::BY_LINE ? 64'd1 << ctrl.eew : rs2_i),
    .vstart_i, .end_i(elements), .vlmax_i(vlmax), .mask_i(mask), .done_o(done_element), .fault_o, .fault_at_o,
    .index_o(element_index), .to_x_o(element_to_x), .read_o(element_read), .raddr_o(element_raddr),
    .rdata_i(rdata[W+:W]), .we_o(element_we), .waddr_o(element_waddr), .wstrb_o(element_wstrb),
    .wdata_o(element_wdata), .lsu_valid_o(element_valid), .lsu_ready_i, .lsu_addr_o(element_addr),
    .lsu_strb_o(element_strb), .lsu_data_o(element_data), .lsu_done_i, .lsu_data_i
  );

  zvcore_vroute #(.VLEN(VLEN), .W(W)) u_route (
    .by_i(by), .vd_i(vd), .vs2_i(vs2), .vs1_i(vs1), .ready_i(ready), .need_o(need), .take_o(take), .raddr_o(raddr),
    .we_o, .waddr_o, .wstrb_o, .wdata_o,
    .zvku_wants_i(zvku_wants), .zvku_use_i(op_use[2:0]), .zvku_vd_i(op_vd), .zvku_vs2_i(op_vs2), .zvku_vs1_i(op_vs1),
    .zvku_we_i(res_valid), .zvku_beat_i(res_beat), .zvku_wstrb_i(res_strb), .zvku_wdata_i(res_data),
    .beat_need_i(beat_need), .beat_take_i(beat_take), .beat_i(beat), .beat_wstrb_i(beat_strb), .beat_wdata_i(beat_data),
    .line_need_i(line_need), .line_take_i(line_take), .line_i(line), .line_we_i(line_we), .line_wbeat_i(line_beat),
    .line_wstrb_i(line_wstrb), .line_wdata_i(line_wdata),
    .element_read_i(element_read), .element_raddr_i(element_raddr), .element_we_i(element_we),
    .element_waddr_i(element_waddr), .element_wstrb_i(element_wstrb), .element_wdata_i(element_wdata)
  );
  assign {lsu_valid_o, lsu_addr_o, lsu_strb_o, lsu_data_o} = is_element ?
      {element_valid, element_addr, element_strb, element_data} : {line_valid, line_addr, line_strb, line_data};
  assign lsu_we_o = ctrl.store;
  assign store_o = ctrl.store;
  assign vstart_o = fault_o ? element_index : '0;
  assign rd_o = ctrl.by == zvcore_v_pkg::BY_VSET ? set_rd : element_to_x;

  logic unused;
  assign unused = ^{zvku_ready, op_use[3]};
endmodule

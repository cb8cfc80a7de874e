// The vector unit: decodes and checks an instruction and hands it to the units that execute it;
// holds vtype and vl.
//
// An instruction retires when it is handed over: it can no longer trap. Those that are executed
// element by element may trap, or have a scalar result, so they start when nothing is in flight and
// retire when they are done.
module zvcore_vec #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  parameter logic [63:0] RamBase = 64'h8000_0000,
  parameter logic [63:0] RamLen = 64'h10_0000,
  parameter logic [3:0] Drafts = '0,  // as of zvcore_vcrypto
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned AddrW = $clog2(32 * VLEN / W)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   valid_i,  // held, with those below, until `done_o` or `illegal_o`
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

  // The trace: an instruction that has a body retires, and every write of a register with the
  // instruction's tag.
  output logic                   tagged_o,
  output logic [7:0]             tag_o,
  output logic [1:0]             we_o,
  output logic [15:0]            wtag_o,
  output logic [2*AddrW-1:0]     waddr_o,
  output logic [2*W/8-1:0]       wstrb_o,
  output logic [2*W-1:0]         wdata_o,

  output logic                   lsu_busy_o,  // unit-stride accesses are not done
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
  logic [63:0] set_rd, to_x;
  logic [4:0] vd, vs2, vs1;
  assign {vs2, vs1, vd} = {insn_i[24:15], insn_i[11:7]};
  zvcore_v_pkg::ctrl_t ctrl;
  zvcore_vconfig #(.VLEN(VLEN)) u_config (
    .clk_i, .rst_ni, .set_i(done_o && ctrl.by == zvcore_v_pkg::BY_VSET), .insn_i, .op_i, .rs1_i,
    .rs2_i, .rd_o(set_rd), .vill_o(vill), .vtype_o(vtype), .vl_o(vl), .vlmax_o(vlmax)
  );
  assign vl_o = vl;
  assign vtype_o = vill ? 64'h8000_0000_0000_0000 : {56'b0, vtype};

  // The instruction.
  logic bad, zvku_bad, zvku_empty;
  zvcore_vdecode u_decode (
    .insn_i, .op_i, .class_i, .has_vs2_i, .has_vs1_i, .vlmul_i(vtype[2:0]), .sew_i(vtype[4:3]),
    .ctrl_o(ctrl)
  );
  zvcore_vcheck u_check (
    .ctrl_i(ctrl), .vill_i(vill), .started_i(vstart_i != '0), .vd_i(vd), .vs2_i(vs2), .vs1_i(vs1),
    .illegal_o(bad)
  );
  assign illegal_o = ctrl.by == zvcore_v_pkg::BY_ZVKU ? zvku_bad
      : bad && ctrl.by != zvcore_v_pkg::BY_VSET;

  logic [PosW-1:0] first_byte;
  logic [PosW:0] elements, end_byte;
  logic empty, line_fault;
  zvcore_vbody #(.VLEN(VLEN), .RamBase(RamBase), .RamLen(RamLen)) u_body (
    .ctrl_i(ctrl), .vl_i(vl), .vstart_i, .base_i(rs1_i), .zvku_empty_i(zvku_empty),
    .elements_o(elements), .empty_o(empty), .first_byte_o(first_byte), .end_byte_o(end_byte),
    .fault_o(line_fault)
  );

  // Handing over. If a unit-stride access would fault, its elements are accessed one at a time.
  zvcore_v_pkg::by_e by;
  zvcore_v_pkg::issued_t issue;
  logic body, element, room, idle, start, start_element, element_q, done_element;
  logic [7:0] tag_q;
  logic [PosW-1:0] index;
  assign by = ctrl.by == zvcore_v_pkg::BY_LINE && line_fault ? zvcore_v_pkg::BY_ELEMENT : ctrl.by;
  assign element = by == zvcore_v_pkg::BY_ELEMENT;
  assign body = valid_i && !illegal_o && !empty && by != zvcore_v_pkg::BY_VSET && !element_q;
  assign start = body && !element && room;
  assign start_element = body && element && idle;
  assign done_o = (valid_i && !illegal_o && (by == zvcore_v_pkg::BY_VSET || empty)) || start
      || (element_q && done_element);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      element_q <= 1'b0;
      tag_q <= '0;
    end else begin
      element_q <= (element_q || start_element) && !done_element;
      if (tagged_o) tag_q <= tag_q + 8'd1;
    end
  end
  assign tagged_o = start || (element_q && done_element);
  assign tag_o = tag_q;

  always_comb begin
    issue.by = by;
    issue.ctrl = ctrl;
    {issue.vd, issue.vs2, issue.vs1} = {vd, vs2, vs1};
    issue.use_scalar = !has_vs1_i;
    issue.scalar = insn_i[14:12] == 3'b011 ? imm_i : rs1_i;  // OPIVI
    // Only vwsll widens: its mask has a bit for each element of vd.
    issue.zvku_eew = vtype[4:3] + 2'(insn_i[31:26] == 6'b110101 && insn_i[6:0] == 7'b1010111);
    issue.source = 11'(vlmax) << vtype[4:3];
    issue.end_byte = by == zvcore_v_pkg::BY_ZVKU ? 11'(vl) << issue.zvku_eew : 11'(end_byte);
    issue.tag = tag_q;
  end
  zvcore_vexec #(.VLEN(VLEN), .W(W), .RamBase(RamBase), .RamLen(RamLen), .Drafts(Drafts)) u_exec (
    .clk_i, .rst_ni, .start_i(start), .room_o(room), .idle_o(idle), .issue_i(issue), .insn_i,
    .rs1_i, .vtype_i(vtype), .vill_i(vill), .vl_i(vl), .vlmax_i(vlmax), .vstart_i,
    .elements_i(elements), .first_byte_i(first_byte), .end_byte_i(end_byte),
    .zvku_illegal_o(zvku_bad), .zvku_empty_o(zvku_empty), .start_element_i(start_element),
    .element_i(element_q), .stride_i(ctrl.by == zvcore_v_pkg::BY_LINE ? 64'd1 << ctrl.eew : rs2_i),
    .done_element_o(done_element), .fault_o, .fault_at_o, .index_o(index), .to_x_o(to_x), .we_o,
    .wtag_o, .waddr_o, .wstrb_o, .wdata_o, .lsu_busy_o, .lsu_valid_o, .lsu_ready_i, .lsu_we_o,
    .lsu_addr_o, .lsu_strb_o, .lsu_data_o, .lsu_done_i, .lsu_data_i
  );
  assign store_o = ctrl.store;
  assign vstart_o = fault_o ? index : '0;
  assign rd_o = ctrl.by == zvcore_v_pkg::BY_VSET ? set_rd : to_x;
endmodule

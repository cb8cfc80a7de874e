// The vector unit: executes one instruction at a time, by zvku or by a unit of its own, and holds vtype, vl and v0 to v31.
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

  input  logic                   valid_i,  // held, with what follows, until `done_o`, if not `illegal_o`
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
  // vtype and vl.
  logic vill_q, vill;
  logic [7:0] vtype_q;
  logic [PosW:0] vl_q, vl, vlmax_q, vlmax;
  logic [4:0] vd, vs2, vs1;
  assign vd = insn_i[11:7];
  assign vs2 = insn_i[24:20];
  assign vs1 = insn_i[19:15];
  assign vl_o = vl_q;
  assign vtype_o = vill_q ? 64'h8000_0000_0000_0000 : {56'b0, vtype_q};

  logic [63:0] vtype;
  always_comb begin
    case (op_i)
      zvcore_op_pkg::VSETVLI: vtype = {53'b0, insn_i[30:20]};
      zvcore_op_pkg::VSETIVLI: vtype = {54'b0, insn_i[29:20]};
      default: vtype = rs2_i;
    endcase
  end
  logic immediate, x0;
  assign immediate = op_i == zvcore_op_pkg::VSETIVLI;
  assign x0 = vs1 == '0 && !immediate;
  zvcore_vset #(.VLEN(VLEN)) u_vset (
    .vtype_i(vtype), .keep_i(x0 && vd == '0), .most_i(x0), .avl_i(immediate ? {59'b0, vs1} : rs1_i), .vl_i(vl_q),
    .vlmax_i(vlmax_q), .vill_o(vill), .vl_o(vl), .vlmax_o(vlmax)
  );

  // The instruction.
  zvcore_v_pkg::ctrl_t ctrl;
  logic bad, zvku_bad, zvku_empty;
  zvcore_vdecode u_decode (
    .insn_i, .op_i, .class_i, .has_vs2_i, .has_vs1_i, .vlmul_i(vtype_q[2:0]), .sew_i(vtype_q[4:3]), .ctrl_o(ctrl)
  );
  zvcore_vcheck u_check (
    .ctrl_i(ctrl), .vill_i(vill_q), .started_i(vstart_i != '0), .vd_i(vd), .vs2_i(vs2), .vs1_i(vs1), .illegal_o(bad)
  );
  always_comb begin
    case (ctrl.by)
      zvcore_v_pkg::BY_ZVKU: illegal_o = zvku_bad;
      zvcore_v_pkg::BY_VSET: illegal_o = 1'b0;
      default: illegal_o = bad;
    endcase
  end

  // Its body: elements from vstart on, and their bytes.
  logic [PosW:0] elements, first_byte, end_byte;
  logic empty, line_fault;
  logic [63:0] line_fault_at;
  always_comb begin
    if (ctrl.whole) elements = (PosW + 1)'(VLEN / 8) << ctrl.emul[1:0] >> ctrl.eew;
    else if (ctrl.mask_data) elements = (vl_q + (PosW + 1)'(7)) >> 3;
    else elements = vl_q;
    empty = {1'b0, vstart_i} >= elements;
    if (ctrl.by == zvcore_v_pkg::BY_ZVKU) empty = zvku_empty;
    if (ctrl.element == zvcore_v_pkg::EL_TO_X && ctrl.by == zvcore_v_pkg::BY_ELEMENT) empty = 1'b0;
  end
  assign first_byte = {1'b0, vstart_i} << ctrl.eew;
  assign end_byte = elements << ctrl.eew;
  zvcore_pma #(.RamBase(RamBase), .RamLen(RamLen)) u_pma (
    .first_i(rs1_i + 64'(first_byte)), .last_i(rs1_i + 64'(end_byte) - 64'd1), .fault_o(line_fault),
    .at_o(line_fault_at)
  );

  // Who executes it; where a line would fault, its elements come one at a time.
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
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vill_q <= 1'b1;
      {vtype_q, vl_q, vlmax_q} <= '0;
    end else if (done_o && ctrl.by == zvcore_v_pkg::BY_VSET) begin
      vill_q <= vill;
      vtype_q <= vill ? '0 : vtype[7:0];
      vl_q <= vl;
      vlmax_q <= vill ? '0 : vlmax;
    end
  end

  // The register file, read by one of them: vd, vs2, vs1 from the lowest.
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

  function automatic logic [AddrW-1:0] word(logic [4:0] register, logic [BeatW-1:0] beat);
    word = {register, {AddrW - 5{1'b0}}} + AddrW'(beat);
  endfunction

  logic [63:0] scalar;
  logic use_imm;
  assign use_imm = insn_i[14:12] == 3'b011;  // OPIVI
  assign scalar = use_imm ? imm_i : rs1_i;

  // The units.
  logic zvku_wants, zvku_ready, res_valid, res_last;
  logic [3:0] op_use;
  logic [BeatW-1:0] op_vd, op_vs2, op_vs1, res_beat;
  logic [W/8-1:0] op_mask, res_strb;
  logic [W-1:0] res_data;
  logic [1:0] zvku_eew;
  // Of its instructions vwsll alone widens: its mask is of elements of vd.
  assign zvku_eew = vtype_q[4:3] + 2'(insn_i[31:26] == 6'b110101 && insn_i[6:0] == 7'b1010111);
  zvcore_vmask #(.VLEN(VLEN), .W(W)) u_zvku_mask (.mask_i(mask), .beat_i(op_vd), .eew_i(zvku_eew), .bytes_o(op_mask));
  zvku #(.VLEN(VLEN), .DLEN(W)) u_zvku (
    .clk_i, .rst_ni, .insn_valid_i(start && by == zvcore_v_pkg::BY_ZVKU), .insn_ready_o(zvku_ready), .insn_i,
    .vtype_i(vtype_q), .vill_i(vill_q), .vl_i(vl_q), .vstart_i, .rs1_i, .insn_illegal_o(zvku_bad),
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
    .clk_i, .rst_ni, .start_i(start && by == zvcore_v_pkg::BY_BEAT), .first_i(first_byte[PosW-1:0]), .end_i(end_byte),
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
    .clk_i, .rst_ni, .start_i(start && by == zvcore_v_pkg::BY_LINE), .first_i(first_byte[PosW-1:0]), .end_i(end_byte),
    .ctrl_i(ctrl), .base_i(rs1_i), .mask_i(mask), .done_o(done_line), .beat_o(line), .need_o(line_need),
    .ready_i(ready), .take_o(line_take), .vs3_i(operands[0+:W]), .we_o(line_we), .wbeat_o(line_beat),
    .wstrb_o(line_wstrb), .wdata_o(line_wdata), .lsu_valid_o(line_valid), .lsu_ready_i, .lsu_addr_o(line_addr),
    .lsu_strb_o(line_strb), .lsu_data_o(line_data), .lsu_done_i, .lsu_data_i
  );

  logic element_read, element_we, element_valid, is_element;
  logic [AddrW-1:0] element_raddr, element_waddr;
  logic [PosW-1:0] element_index;
  logic [63:0] element_addr;
  logic [W/8-1:0] element_strb, element_wstrb;
  logic [W-1:0] element_data, element_wdata;
  assign is_element = by == zvcore_v_pkg::BY_ELEMENT;
  zvcore_velement #(.VLEN(VLEN), .W(W), .RamBase(RamBase), .RamLen(RamLen)) u_element (
    .clk_i, .rst_ni, .valid_i(start && is_element), .ctrl_i(ctrl), .element_i(ctrl.element), .vd_i(vd), .vs2_i(vs2),
    .vs1_i(vs1), .scalar_i(scalar), .stride_i(ctrl.by == zvcore_v_pkg::BY_LINE ? 64'd1 << ctrl.eew : rs2_i),
    .vstart_i, .end_i(elements), .vlmax_i(vlmax_q), .mask_i(mask), .done_o(done_element), .fault_o, .fault_at_o,
    .index_o(element_index), .to_x_o(element_to_x), .read_o(element_read), .raddr_o(element_raddr),
    .rdata_i(rdata[W+:W]), .we_o(element_we), .waddr_o(element_waddr), .wstrb_o(element_wstrb),
    .wdata_o(element_wdata), .lsu_valid_o(element_valid), .lsu_ready_i, .lsu_addr_o(element_addr),
    .lsu_strb_o(element_strb), .lsu_data_o(element_data), .lsu_done_i, .lsu_data_i
  );
  logic [63:0] element_to_x;

  // Who reads, writes and accesses memory.
  always_comb begin
    need = '0;
    take = 1'b0;
    raddr = {word(vs1, beat), word(vs2, beat), word(vd, line)};
    case (by)
      zvcore_v_pkg::BY_ZVKU: begin
        need = op_use[2:0] & {3{zvku_wants}};
        take = zvku_wants && ready;
        raddr = {word(vs1, op_vs1), word(vs2, op_vs2), word(vd, op_vd)};
      end
      zvcore_v_pkg::BY_BEAT: begin
        need = {beat_need, 1'b0};
        take = beat_take;
      end
      zvcore_v_pkg::BY_LINE: begin
        need = {2'b0, line_need};
        take = line_take;
      end
      default: begin
        need = {1'b0, element_read, 1'b0};
        take = 1'b1;
        raddr[AddrW+:AddrW] = element_raddr;
      end
    endcase
  end
  always_comb begin
    case (by)
      zvcore_v_pkg::BY_ZVKU: {we_o, waddr_o, wstrb_o, wdata_o} = {res_valid, word(vd, res_beat), res_strb, res_data};
      zvcore_v_pkg::BY_BEAT: {we_o, waddr_o, wstrb_o, wdata_o} = {beat_take, word(vd, beat), beat_strb, beat_data};
      zvcore_v_pkg::BY_LINE:
        {we_o, waddr_o, wstrb_o, wdata_o} = {line_we, word(vd, line_beat), line_wstrb, line_wdata};
      default: {we_o, waddr_o, wstrb_o, wdata_o} = {element_we, element_waddr, element_wstrb, element_wdata};
    endcase
  end
  assign lsu_valid_o = is_element ? element_valid : line_valid;
  assign lsu_we_o = ctrl.store;
  assign lsu_addr_o = is_element ? element_addr : line_addr;
  assign lsu_strb_o = is_element ? element_strb : line_strb;
  assign lsu_data_o = is_element ? element_data : line_data;

  assign store_o = ctrl.store;
  assign vstart_o = fault_o ? element_index : '0;
  assign rd_o = ctrl.by == zvcore_v_pkg::BY_VSET ? 64'(vl) : element_to_x;

  logic unused;
  assign unused = ^{zvku_ready, op_use[3], line_fault_at, first_byte[PosW]};
endmodule

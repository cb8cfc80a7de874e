// A small in-order core around zvku: RV64IMC_Zicsr_Zicntr_Zkr and vectors (docs/rtl.md) in machine
// and user mode.
//
// Two stages: fetching, and everything else. An instruction is executed, writes back and retires in
// its last cycle, before the next begins. Vector instructions retire when they can no longer trap,
// and are then executed (zvcore_vec). So every trap is precise.
module zvcore #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned DLEN = 128,
  parameter logic [63:0] RamBase = 64'h8000_0000,
  parameter logic [63:0] RamLen = 64'h10_0000,
  parameter logic [3:0] Drafts = '0  // as of zvcore_vcrypto
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [63:0]       boot_i,  // address of the first instruction
  input  logic [63:0]       time_i,

  // The noise source of the CSR `seed`: raw bits, and alarms (docs/rtl.md).
  input  logic              raw_valid_i,
  input  logic              raw_i,
  input  logic              alarm_i,
  input  logic              fatal_i,

  output logic              imem_req_o,
  input  logic              imem_gnt_i,
  output logic [63:0]       imem_addr_o,
  input  logic              imem_rvalid_i,
  input  logic [63:0]       imem_rdata_i,

  output logic              dmem_req_o,
  input  logic              dmem_gnt_i,
  output logic [63:0]       dmem_addr_o,
  output logic              dmem_we_o,
  output logic [DLEN/8-1:0] dmem_strb_o,
  output logic [DLEN-1:0]   dmem_wdata_o,
  input  logic              dmem_rvalid_i,
  input  logic [DLEN-1:0]   dmem_rdata_i,

  // The instruction that retires or traps.
  output logic              retire_valid_o,
  output logic              retire_trap_o,
  output logic [63:0]       retire_pc_o,
  output logic [31:0]       retire_insn_o,
  output logic [3:0]        retire_cause_o,
  output logic [63:0]       retire_tval_o,
  output logic              retire_rd_we_o,
  output logic [4:0]        retire_rd_o,
  output logic [63:0]       retire_rd_data_o,
  // Vector instructions with a body have a tag, which counts them. Writes of vector registers, in
  // words of DLEN bits, have the tag of their instruction, and may come after it retires. If both
  // ports write the same word, port 1's write is the later one.
  output logic              retire_tagged_o,
  output logic [7:0]        retire_tag_o,
  output logic [1:0]        retire_v_we_o,
  output logic [15:0]       retire_v_tag_o,
  output logic [2*$clog2(32*VLEN/DLEN)-1:0] retire_v_addr_o,
  output logic [2*DLEN/8-1:0] retire_v_strb_o,
  output logic [2*DLEN-1:0] retire_v_data_o
);
  if (RamBase[11:0] != '0 || RamLen[11:0] != '0 || RamLen == '0) begin : gen_bad_ram
    $fatal(1, "RamBase and RamLen must be multiples of 4096");
  end

  // What happens in this cycle.
  logic fetch_fault, illegal, trap, go, done, retire, vector_on;
  logic [63:0] fetch_fault_at, tval;
  zvcore_pkg::cause_e cause;

  // The instruction.
  logic valid, compressed, take, redirect, bad_compressed;
  logic [63:0] pc, target;
  logic [31:0] fetched, expanded, insn;
  zvcore_fetch u_fetch (
    .clk_i, .rst_ni, .boot_i, .valid_o(valid), .pc_o(pc), .insn_o(fetched),
    .compressed_o(compressed), .take_i(take), .redirect_i(redirect), .target_i(target), .imem_req_o,
    .imem_gnt_i, .imem_addr_o, .imem_rvalid_i, .imem_rdata_i
  );
  zvcore_expand u_expand (.insn_i(fetched[15:0]), .insn_o(expanded), .illegal_o(bad_compressed));
  assign insn = compressed ? expanded : fetched;

  zvcore_op_pkg::op_e op;
  zvcore_op_pkg::class_e op_class;
  zvcore_pkg::ctrl_t ctrl;
  logic use_imm, has_vs2, has_vs1, vector_word;
  logic [63:0] imm, rs1, rs2, rd_data;
  zvcore_decode u_decode (
    .insn_i(insn), .op_o(op), .class_o(op_class), .ctrl_o(ctrl), .use_imm_o(use_imm), .imm_o(imm),
    .has_vs2_o(has_vs2), .has_vs1_o(has_vs1), .vector_o(vector_word)
  );
  zvcore_xregs u_xregs (
    .clk_i, .rs1_i(insn[19:15]), .rs2_i(insn[24:20]), .rs1_o(rs1), .rs2_o(rs2),
    .we_i(retire_rd_we_o), .rd_i(insn[11:7]), .data_i(rd_data)
  );

  logic [63:0] y, after, computed;
  logic taken, compute_done;
  zvcore_compute u_compute (
    .clk_i, .rst_ni, .go_i(go), .op_i(op), .ctrl_i(ctrl), .use_imm_i(use_imm), .pc_i(pc),
    .imm_i(imm), .rs1_i(rs1), .rs2_i(rs2), .y_o(y), .taken_o(taken), .done_o(compute_done),
    .computed_o(computed)
  );

  // Memory.
  logic memory, lsu_send, lsu_sent_q, lsu_ready, lsu_done, data_fault, vec_lsu_busy;
  logic [63:0] data_fault_at, loaded;
  logic [DLEN-1:0] lsu_data, vec_data;
  logic [DLEN/8-1:0] lsu_strb, vec_strb;
  assign memory = ctrl.load || ctrl.store;
  zvcore_access #(.W(DLEN), .RamBase(RamBase), .RamLen(RamLen)) u_access (
    .size_i(ctrl.size), .sign_i(ctrl.sign), .addr_i(y), .data_i(lsu_data), .strb_o(lsu_strb),
    .loaded_o(loaded), .fault_o(data_fault), .fault_at_o(data_fault_at)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lsu_sent_q <= 1'b0;
    else lsu_sent_q <= lsu_sent_q ? !lsu_done : lsu_send && lsu_ready;
  end

  // Vectors.
  logic vector, vec_illegal, vec_done, vec_fault, vec_store, vec_valid, vec_we, vec_lsu;
  logic [63:0] vec_fault_at, vec_rd, vec_addr, vtype;
  logic [$clog2(VLEN)-1:0] vstart, next_vstart;
  logic [$clog2(VLEN):0] vl;
  assign vector = !compressed && vector_word;
  assign vec_valid = valid && vector && vector_on && !fetch_fault;
  zvcore_vec #(.VLEN(VLEN), .W(DLEN), .RamBase(RamBase), .RamLen(RamLen), .Drafts(Drafts)) u_vec (
    .clk_i, .rst_ni, .valid_i(vec_valid), .insn_i(insn), .op_i(op), .class_i(op_class),
    .has_vs2_i(has_vs2), .has_vs1_i(has_vs1), .imm_i(imm), .rs1_i(rs1), .rs2_i(rs2),
    .illegal_o(vec_illegal), .done_o(vec_done), .fault_o(vec_fault), .store_o(vec_store),
    .fault_at_o(vec_fault_at), .rd_o(vec_rd), .vstart_i(vstart), .vstart_o(next_vstart), .vl_o(vl),
    .vtype_o(vtype), .tagged_o(retire_tagged_o), .tag_o(retire_tag_o), .we_o(retire_v_we_o),
    .wtag_o(retire_v_tag_o), .waddr_o(retire_v_addr_o), .wstrb_o(retire_v_strb_o),
    .wdata_o(retire_v_data_o), .lsu_busy_o(vec_lsu_busy), .lsu_valid_o(vec_lsu),
    .lsu_ready_i(lsu_ready), .lsu_we_o(vec_we), .lsu_addr_o(vec_addr), .lsu_strb_o(vec_strb),
    .lsu_data_o(vec_data), .lsu_done_i(lsu_done), .lsu_data_i(lsu_data)
  );
  // Accesses are in program order.
  assign lsu_send = go && memory && !lsu_sent_q && !vec_lsu_busy;
  zvcore_lsu #(.W(DLEN)) u_lsu (
    .clk_i, .rst_ni, .req_valid_i(vec_lsu || lsu_send), .req_ready_o(lsu_ready),
    .req_we_i(lsu_send ? ctrl.store : vec_we), .req_addr_i(lsu_send ? y : vec_addr),
    .req_strb_i(lsu_send ? lsu_strb : vec_strb), .req_data_i(lsu_send ? DLEN'(rs2) : vec_data),
    .rsp_valid_o(lsu_done), .rsp_data_o(lsu_data), .dmem_req_o, .dmem_gnt_i, .dmem_addr_o,
    .dmem_we_o, .dmem_strb_o, .dmem_wdata_o, .dmem_rvalid_i, .dmem_rdata_i
  );

  // Control and status registers.
  logic csr_illegal, is_machine, mret;
  logic [63:0] csr_data, trap_vector, epc;
  assign mret = op == zvcore_op_pkg::MRET;
  zvcore_csr #(.VLEN(VLEN)) u_csr (
    .clk_i, .rst_ni, .raw_valid_i, .raw_i, .alarm_i, .fatal_i, .valid_i(valid && !fetch_fault),
    .access_i(ctrl.csr), .write_i(ctrl.csr_write), .kind_i(insn[13:12]), .csr_i(insn[31:20]),
    .operand_i(ctrl.csr_imm ? {59'b0, insn[19:15]} : rs1), .data_o(csr_data),
    .illegal_o(csr_illegal), .retire_i(retire), .mret_i(mret), .trap_i(trap), .cause_i(cause),
    .tval_i(tval), .pc_i(pc), .machine_o(is_machine), .vector_o(trap_vector), .epc_o(epc), .time_i,
    .vtype_i(vtype), .vl_i(vl), .vstart_we_i(vec_done), .vstart_i(next_vstart), .vstart_o(vstart),
    .vector_on_o(vector_on)
  );

  // Exceptions, in the order of "Synchronous exception priority".
  zvcore_pma #(.RamBase(RamBase), .RamLen(RamLen)) u_fetch_pma (
    .first_i(pc), .last_i(compressed ? pc : pc + 64'd2), .fault_o(fetch_fault),
    .at_o(fetch_fault_at)
  );
  assign illegal = (compressed ? bad_compressed : op == zvcore_op_pkg::NONE && !vector)
      || csr_illegal || (vector && (!vector_on || vec_illegal))
      || (!is_machine && (mret || op == zvcore_op_pkg::WFI));
  zvcore_trap u_trap (
    .valid_i(valid), .fetch_fault_i(fetch_fault), .fetch_fault_at_i(fetch_fault_at),
    .illegal_i(illegal), .op_i(op), .pc_i(pc), .insn_i(fetched), .machine_i(is_machine),
    .access_i(memory), .store_i(ctrl.store), .fault_i(data_fault), .fault_at_i(data_fault_at),
    .vec_fault_i(vector && vec_fault), .vec_store_i(vec_store), .vec_fault_at_i(vec_fault_at),
    .trap_o(trap), .cause_o(cause), .tval_o(tval)
  );

  // Retiring.
  assign go = valid && !trap;
  assign done = (!memory || (lsu_sent_q && lsu_done)) && compute_done && (!vector || vec_done);
  assign retire = go && done;
  assign take = retire || trap;
  assign after = pc + (compressed ? 64'd2 : 64'd4);
  always_comb begin
    redirect = trap || (retire && (ctrl.jump || (ctrl.branch && taken) || mret));
    if (trap) target = trap_vector;
    else if (mret) target = epc;
    else if (op == zvcore_op_pkg::JALR) target = {y[63:1], 1'b0};
    else target = pc + imm;
    if (ctrl.jump) rd_data = after;
    else if (ctrl.load) rd_data = loaded;
    else if (ctrl.csr) rd_data = csr_data;
    else if (vector) rd_data = vec_rd;
    else rd_data = computed;
  end

  assign {retire_valid_o, retire_trap_o, retire_pc_o, retire_insn_o} = {take, trap, pc, fetched};
  assign {retire_cause_o, retire_tval_o} = {cause, tval};
  assign {retire_rd_we_o, retire_rd_o, retire_rd_data_o} = {retire && ctrl.rd, insn[11:7], rd_data};
endmodule

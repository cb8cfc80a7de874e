// Whether an instruction traps, and why (Privileged ISA manual, "Synchronous exception priority").
module zvcore_trap (
  input  logic               valid_i,
  input  logic               fetch_fault_i,
  input  logic [63:0]        fetch_fault_at_i,
  input  logic               illegal_i,
  input  zvcore_op_pkg::op_e op_i,
  input  logic [63:0]        pc_i,
  input  logic [31:0]        insn_i,  // as fetched
  input  logic               machine_i,
  input  logic               access_i,  // a scalar load or store
  input  logic               store_i,
  input  logic               fault_i,
  input  logic [63:0]        fault_at_i,
  input  logic               vec_fault_i,
  input  logic               vec_store_i,
  input  logic [63:0]        vec_fault_at_i,
  output logic               trap_o,
  output zvcore_pkg::cause_e cause_o,
  output logic [63:0]        tval_o
);
  always_comb begin
    trap_o = valid_i;
    cause_o = zvcore_pkg::CAUSE_ILLEGAL;
    tval_o = '0;
    if (fetch_fault_i) begin
      cause_o = zvcore_pkg::CAUSE_FETCH;
      tval_o = fetch_fault_at_i;
    end else if (illegal_i) begin
      tval_o = {32'b0, insn_i};
    end else if (op_i == zvcore_op_pkg::EBREAK) begin
      cause_o = zvcore_pkg::CAUSE_BREAK;
      tval_o = pc_i;
    end else if (op_i == zvcore_op_pkg::ECALL) begin
      cause_o = machine_i ? zvcore_pkg::CAUSE_ECALL_M : zvcore_pkg::CAUSE_ECALL_U;
    end else if (access_i && fault_i) begin
      cause_o = store_i ? zvcore_pkg::CAUSE_STORE : zvcore_pkg::CAUSE_LOAD;
      tval_o = fault_at_i;
    end else if (vec_fault_i) begin
      cause_o = vec_store_i ? zvcore_pkg::CAUSE_STORE : zvcore_pkg::CAUSE_LOAD;
      tval_o = vec_fault_at_i;
    end else begin
      trap_o = 1'b0;
    end
  end
endmodule

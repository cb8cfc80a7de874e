// zvcore for simulation: its inputs change with the clock, so that Verilator evaluates the logic
// behind them once in a cycle. The inputs of a cycle are applied before the edge at which it
// begins.
module zvcore_clocked #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned DLEN = 128,
  parameter logic [63:0] RamBase = 64'h8000_0000,
  parameter logic [63:0] RamLen = 64'h10_0000,
  parameter logic [3:0] Drafts = '0
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [63:0]       boot_i,
  input  logic [63:0]       time_i,
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
  output logic              retire_valid_o,
  output logic              retire_trap_o,
  output logic [63:0]       retire_pc_o,
  output logic [31:0]       retire_insn_o,
  output logic [3:0]        retire_cause_o,
  output logic [63:0]       retire_tval_o,
  output logic              retire_rd_we_o,
  output logic [4:0]        retire_rd_o,
  output logic [63:0]       retire_rd_data_o,
  output logic              retire_tagged_o,
  output logic [7:0]        retire_tag_o,
  output logic [1:0]        retire_v_we_o,
  output logic [15:0]       retire_v_tag_o,
  output logic [2*$clog2(32*VLEN/DLEN)-1:0] retire_v_addr_o,
  output logic [2*DLEN/8-1:0] retire_v_strb_o,
  output logic [2*DLEN-1:0] retire_v_data_o
);
  logic rst_nq;
  logic [63:0] boot_q;
  logic [63:0] time_q;
  logic raw_valid_q;
  logic raw_q;
  logic alarm_q;
  logic fatal_q;
  logic imem_gnt_q;
  logic imem_rvalid_q;
  logic [63:0] imem_rdata_q;
  logic dmem_gnt_q;
  logic dmem_rvalid_q;
  logic [DLEN-1:0] dmem_rdata_q;
  always_ff @(posedge clk_i) begin
    rst_nq <= rst_ni;
    boot_q <= boot_i;
    time_q <= time_i;
    raw_valid_q <= raw_valid_i;
    raw_q <= raw_i;
    alarm_q <= alarm_i;
    fatal_q <= fatal_i;
    imem_gnt_q <= imem_gnt_i;
    imem_rvalid_q <= imem_rvalid_i;
    imem_rdata_q <= imem_rdata_i;
    dmem_gnt_q <= dmem_gnt_i;
    dmem_rvalid_q <= dmem_rvalid_i;
    dmem_rdata_q <= dmem_rdata_i;
  end

  zvcore #(.VLEN(VLEN), .DLEN(DLEN), .RamBase(RamBase), .RamLen(RamLen), .Drafts(Drafts)) u_core (
    .clk_i, .rst_ni(rst_nq), .boot_i(boot_q), .time_i(time_q), .raw_valid_i(raw_valid_q),
    .raw_i(raw_q), .alarm_i(alarm_q), .fatal_i(fatal_q), .imem_gnt_i(imem_gnt_q),
    .imem_rvalid_i(imem_rvalid_q), .imem_rdata_i(imem_rdata_q), .dmem_gnt_i(dmem_gnt_q),
    .dmem_rvalid_i(dmem_rvalid_q), .dmem_rdata_i(dmem_rdata_q), .imem_req_o, .imem_addr_o,
    .dmem_req_o, .dmem_addr_o, .dmem_we_o, .dmem_strb_o, .dmem_wdata_o, .retire_valid_o,
    .retire_trap_o, .retire_pc_o, .retire_insn_o, .retire_cause_o, .retire_tval_o, .retire_rd_we_o,
    .retire_rd_o, .retire_rd_data_o, .retire_tagged_o, .retire_tag_o, .retire_v_we_o,
    .retire_v_tag_o, .retire_v_addr_o, .retire_v_strb_o, .retire_v_data_o
  );
endmodule

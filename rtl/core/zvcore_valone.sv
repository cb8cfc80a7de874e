// Instructions that run alone, when nothing is in flight: gathers, and those that are executed
// element by element.
module zvcore_valone #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  parameter logic [63:0] RamBase = 64'h8000_0000,
  parameter logic [63:0] RamLen = 64'h10_0000,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned AddrW = $clog2(32 * VLEN / W)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                valid_i,  // for a cycle; those below are held until `done_o`
  input  zvcore_v_pkg::ctrl_t ctrl_i,
  input  zvcore_v_pkg::element_e element_i,
  input  logic [4:0]          vd_i,
  input  logic [4:0]          vs2_i,
  input  logic [4:0]          vs1_i,
  input  logic [63:0]         scalar_i,  // or the base address
  input  logic [63:0]         stride_i,
  input  logic [PosW-1:0]     vstart_i,
  input  logic [PosW:0]       end_i,
  input  logic [PosW:0]       vlmax_i,
  input  logic [VLEN-1:0]     mask_i,
  output logic                done_o,
  output logic                fault_o,
  output logic [63:0]         fault_at_o,
  output logic [PosW-1:0]     index_o,   // the element that faults
  output logic [63:0]         to_x_o,

  output logic                read_o,
  output logic [AddrW-1:0]    raddr_o,
  input  logic [W-1:0]        rdata_i,
  output logic                we_o,
  output logic [AddrW-1:0]    waddr_o,
  output logic [W/8-1:0]      wstrb_o,
  output logic [W-1:0]        wdata_o,

  output logic                lsu_valid_o,
  input  logic                lsu_ready_i,
  output logic [63:0]         lsu_addr_o,
  output logic [W/8-1:0]      lsu_strb_o,
  output logic [W-1:0]        lsu_data_o,
  input  logic                lsu_done_i,
  input  logic [W-1:0]        lsu_data_i
);
  logic gather, element_done, element_read, element_we, gather_done, gather_read, gather_we;
  logic [AddrW-1:0] element_raddr, element_waddr, gather_raddr, gather_waddr;
  logic [W/8-1:0] element_wstrb, gather_wstrb;
  logic [W-1:0] element_wdata, gather_wdata;
  assign gather = element_i == zvcore_v_pkg::EL_GATHER;

  zvcore_velement #(.VLEN(VLEN), .W(W), .RamBase(RamBase), .RamLen(RamLen)) u_element (
    .clk_i, .rst_ni, .valid_i(valid_i && !gather), .ctrl_i, .element_i, .vd_i, .vs2_i, .vs1_i,
    .scalar_i, .stride_i, .vstart_i, .end_i, .vlmax_i, .mask_i, .done_o(element_done), .fault_o,
    .fault_at_o, .index_o, .to_x_o, .read_o(element_read), .raddr_o(element_raddr), .rdata_i,
    .we_o(element_we), .waddr_o(element_waddr), .wstrb_o(element_wstrb), .wdata_o(element_wdata),
    .lsu_valid_o, .lsu_ready_i, .lsu_addr_o, .lsu_strb_o, .lsu_data_o, .lsu_done_i, .lsu_data_i
  );
  zvcore_vgather #(.VLEN(VLEN), .W(W)) u_gather (
    .clk_i, .rst_ni, .valid_i(valid_i && gather), .eew_i(ctrl_i.eew), .index_eew_i(ctrl_i.vs1_eew),
    .masked_i(ctrl_i.masked), .vd_i, .vs2_i, .vs1_i, .vstart_i, .end_i, .vlmax_i, .mask_i,
    .done_o(gather_done), .read_o(gather_read), .raddr_o(gather_raddr), .rdata_i, .we_o(gather_we),
    .waddr_o(gather_waddr), .wstrb_o(gather_wstrb), .wdata_o(gather_wdata)
  );
  assign done_o = gather ? gather_done : element_done;
  assign read_o = gather ? gather_read : element_read;
  assign raddr_o = gather ? gather_raddr : element_raddr;
  assign we_o = gather ? gather_we : element_we;
  assign waddr_o = gather ? gather_waddr : element_waddr;
  assign wstrb_o = gather ? gather_wstrb : element_wstrb;
  assign wdata_o = gather ? gather_wdata : element_wdata;
endmodule

// Memory accesses of up to a line at any address: one that crosses into the next line takes two
// accesses of the port.
//
// The answer to a request arrives on `rsp_*`, and the next request may be accepted in the same
// cycle, so aligned requests follow one another without a gap. The port answers every access once,
// in order, in a later cycle than that of the grant.
module zvcore_lsu #(
  parameter int unsigned W = 128,
  localparam int unsigned ByteW = $clog2(W / 8)
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           req_valid_i,
  output logic           req_ready_o,
  input  logic           req_we_i,
  input  logic [63:0]    req_addr_i,
  input  logic [W/8-1:0] req_strb_i,  // bytes from the address on
  input  logic [W-1:0]   req_data_i,
  output logic           rsp_valid_o,
  output logic [W-1:0]   rsp_data_o,

  output logic           dmem_req_o,
  input  logic           dmem_gnt_i,
  output logic [63:0]    dmem_addr_o,
  output logic           dmem_we_o,
  output logic [W/8-1:0] dmem_strb_o,
  output logic [W-1:0]   dmem_wdata_o,
  input  logic           dmem_rvalid_i,
  input  logic [W-1:0]   dmem_rdata_i
);
  logic [ByteW-1:0] offset_d;
  logic [2*W/8-1:0] strb;
  logic [2*W-1:0] data;
  assign offset_d = req_addr_i[ByteW-1:0];
  assign strb = {{W / 8{1'b0}}, req_strb_i} << offset_d;
  assign data = {{W{1'b0}}, req_data_i} << {offset_d, 3'b0};

  // The next half, and the access in progress.
  logic second_q, second, crosses, free, granted, wait_q, wait_last_q;
  logic [ByteW-1:0] offset_q;
  logic [W-1:0] first_q;
  assign crosses = strb[2*W/8-1:W/8] != '0;
  assign second = second_q || (crosses && strb[W/8-1:0] == '0);
  assign free = !wait_q || dmem_rvalid_i;
  assign dmem_req_o = req_valid_i && free;
  assign granted = dmem_req_o && dmem_gnt_i;
  assign dmem_addr_o = {req_addr_i[63:ByteW] + (64 - ByteW)'(second), {ByteW{1'b0}}};
  assign dmem_we_o = req_we_i;
  assign dmem_strb_o = second ? strb[2*W/8-1:W/8] : strb[W/8-1:0];
  assign dmem_wdata_o = second ? data[2*W-1:W] : data[W-1:0];
  assign req_ready_o = granted && (second || !crosses);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      second_q <= 1'b0;
      wait_q <= 1'b0;
      wait_last_q <= 1'b0;
    end else begin
      if (granted) second_q <= crosses && !second;
      wait_q <= granted || !free;
      if (granted) wait_last_q <= second || !crosses;
    end
  end
  logic crossed_q;
  always_ff @(posedge clk_i) begin
    if (granted) begin
      offset_q <= offset_d;
      crossed_q <= second;
    end
    if (wait_q && dmem_rvalid_i && !wait_last_q) first_q <= dmem_rdata_i;
  end

  logic [2*W-1:0] lines;
  assign lines = (crossed_q ? {dmem_rdata_i, first_q}
      : {{W{1'b0}}, dmem_rdata_i}) >> {offset_q, 3'b0};
  assign rsp_valid_o = wait_q && dmem_rvalid_i && wait_last_q;
  assign rsp_data_o = lines[W-1:0];

  logic unused;
  assign unused = ^lines[2*W-1:W];
endmodule

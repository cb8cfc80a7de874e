// The words of the register file that a beat in flight will write, and whether the next beats have
// to wait for one of them.
//
// A beat is taken only after all earlier beats that use the word that it writes (zvcore_vorder), so
// no word is overwritten before earlier beats have read it. A word that is written in this cycle
// can be read, and be a destination again.
module zvcore_vhazard #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned AddrW = $clog2(32 * VLEN / W)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [1:0]         set_i,   // a beat is taken that writes later: by zvku, by a load
  input  logic [2*AddrW-1:0] addr_i,  // its destination, or that of the next beat
  input  logic               res_we_i,
  input  logic [AddrW-1:0]   res_addr_i,
  input  logic               load_we_i,
  input  logic [AddrW-1:0]   load_addr_i,
  input  logic [5*AddrW-1:0] sources_i,
  output logic [4:0]         source_o,  // this source has to wait,
  output logic [1:0]         target_o,  // or the destination,
  output logic               mask_o,    // or v0 as mask, which is seen only a cycle after a write
  output logic               idle_o
);
  localparam int unsigned Count = 32 * VLEN / W;
  logic [Count-1:0] pending_q, left;
  always_comb begin
    left = pending_q;
    if (res_we_i) left[res_addr_i] = 1'b0;
    if (load_we_i) left[load_addr_i] = 1'b0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= '0;
    end else begin
      pending_q <= left;
      if (set_i[0]) pending_q[addr_i[AddrW-1:0]] <= 1'b1;
      if (set_i[1]) pending_q[addr_i[2*AddrW-1:AddrW]] <= 1'b1;
    end
  end
  for (genvar i = 0; i < 5; i++) begin : gen_source
    assign source_o[i] = left[sources_i[AddrW*i+:AddrW]];
  end
  assign target_o = {left[addr_i[2*AddrW-1:AddrW]], left[addr_i[AddrW-1:0]]};
  assign mask_o = pending_q[VLEN/W-1:0] != '0;
  assign idle_o = pending_q == '0;
endmodule

// v0 to v31 as words of W bits in four banks, each with one read and one write a cycle, and v0 once more as the mask.
//
// The bank of a word is the sum of three digits of its address in base four: consecutive words are in different banks, and so
// are the corresponding words of groups of eight registers. If reads need the same bank, the first is served.
module zvcore_vrf #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned AddrW = $clog2(32 * VLEN / W)
) (
  input  logic               clk_i,
  input  logic [2:0]         req_i,
  input  logic [3*AddrW-1:0] addr_i,
  output logic [2:0]         gnt_o,
  output logic [3*W-1:0]     data_o,
  input  logic               we_i,
  input  logic [AddrW-1:0]   waddr_i,
  input  logic [W/8-1:0]     wstrb_i,
  input  logic [W-1:0]       wdata_i,
  output logic [VLEN-1:0]    mask_o
);
  localparam int unsigned RowW = AddrW - 2;
  localparam int unsigned Words = VLEN / W;

  // Within four words the bank is a permutation, so the address's other bits select the row.
  function automatic logic [1:0] bank(logic [AddrW-1:0] addr);
    bank = addr[1:0] + 2'(addr >> 2) + 2'(addr >> 4);
  endfunction

  logic [3:0] used;
  logic [4*W-1:0] rows;
  logic [4*RowW-1:0] row;
  always_comb begin
    used = '0;
    row = '0;
    gnt_o = '0;
    for (int unsigned i = 0; i < 3; i++) begin
      for (int unsigned b = 0; b < 4; b++) begin
        if (req_i[i] && bank(addr_i[AddrW*i+:AddrW]) == 2'(b) && !used[b]) begin
          used[b] = 1'b1;
          gnt_o[i] = 1'b1;
          row[RowW*b+:RowW] = addr_i[AddrW*i+2+:RowW];
        end
      end
    end
  end
  for (genvar i = 0; i < 3; i++) begin : g_data
    assign data_o[W*i+:W] = rows[W*bank(addr_i[AddrW*i+:AddrW])+:W];
  end

  for (genvar b = 0; b < 4; b++) begin : g_bank
    logic [W-1:0] words_q[2**RowW];
    assign rows[W*b+:W] = words_q[row[RowW*b+:RowW]];
    always_ff @(posedge clk_i) begin
      for (int unsigned k = 0; k < W / 8; k++) begin
        if (we_i && bank(waddr_i) == 2'(b) && wstrb_i[k]) words_q[waddr_i[AddrW-1:2]][8*k+:8] <= wdata_i[8*k+:8];
      end
    end
  end

  logic [VLEN-1:0] mask_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned n = 0; n < Words; n++) begin
      for (int unsigned k = 0; k < W / 8; k++) begin
        if (we_i && waddr_i == AddrW'(n) && wstrb_i[k]) mask_q[W*n+8*k+:8] <= wdata_i[8*k+:8];
      end
    end
  end
  assign mask_o = mask_q;
endmodule

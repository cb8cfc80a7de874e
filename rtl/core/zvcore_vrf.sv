// v0 to v31 as words of W bits in four banks, each with two reads and two writes a cycle, and v0
// once more as the mask.
//
// The bank of a word is the sum, modulo 4, of the three lowest base-4 digits of its address:
// consecutive words are in different banks, and so are the corresponding words of groups of eight
// registers. A third read of the same bank has to wait; the first three reads, zvku's, go before
// the others. A result of zvku and a loaded word can be read in the cycle in which they are
// written.
module zvcore_vrf #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned AddrW = $clog2(32 * VLEN / W)
) (
  input  logic               clk_i,
  input  logic [4:0]         req_i,
  input  logic [5*AddrW-1:0] addr_i,
  output logic [4:0]         gnt_o,
  output logic [5*W-1:0]     data_o,
  input  logic               res_we_i,   // of zvku
  input  logic [AddrW-1:0]   res_addr_i,
  input  logic [W/8-1:0]     res_strb_i,
  input  logic [W-1:0]       res_data_i,
  input  logic               load_we_i,  // of a unit-stride load; not with `own_we_i`
  input  logic [AddrW-1:0]   load_addr_i,
  input  logic [W/8-1:0]     load_strb_i,
  input  logic [W-1:0]       load_data_i,
  input  logic               own_we_i,   // of the core's other units
  input  logic [AddrW-1:0]   own_addr_i,
  input  logic [W/8-1:0]     own_strb_i,
  input  logic [W-1:0]       own_data_i,
  output logic [VLEN-1:0]    mask_o
);
  localparam int unsigned RowW = AddrW - 2;
  localparam int unsigned Words = VLEN / W;

  // Within four words the bank is a permutation, so the address's other bits select the row.
  function automatic logic [1:0] bank(logic [AddrW-1:0] addr);
    bank = addr[1:0] + 2'(addr >> 2) + 2'(addr >> 4);
  endfunction

  // Reading: a request uses the second port of its bank if an earlier one uses the first.
  logic [9:0] banks;
  logic [4:0] second;
  logic [2:0] earlier;  // earlier requests of the bank
  for (genvar i = 0; i < 5; i++) begin : gen_of
    assign banks[2*i+:2] = bank(addr_i[AddrW*i+:AddrW]);
  end
  always_comb begin
    for (int unsigned i = 0; i < 5; i++) begin
      earlier = '0;
      for (int unsigned j = 0; j < i; j++) begin
        if (req_i[j] && banks[2*j+:2] == banks[2*i+:2]) earlier = earlier + 3'd1;
      end
      second[i] = earlier == 3'd1;
      gnt_o[i] = req_i[i] && earlier < 3'd2;
    end
  end

  logic [8*W-1:0] rows;  // of bank b: 2 b, and 2 b + 1 for the second port
  for (genvar i = 0; i < 5; i++) begin : gen_data
    logic [AddrW-1:0] addr;
    logic [W-1:0] row;
    assign addr = addr_i[AddrW*i+:AddrW];
    assign row = rows[W*{banks[2*i+:2], second[i]}+:W];
    always_comb begin
      for (int unsigned k = 0; k < W / 8; k++) begin
        data_o[W*i+8*k+:8] = row[8*k+:8];
        if (load_we_i && load_addr_i == addr && load_strb_i[k]) begin
          data_o[W*i+8*k+:8] = load_data_i[8*k+:8];
        end
        if (res_we_i && res_addr_i == addr && res_strb_i[k]) begin
          data_o[W*i+8*k+:8] = res_data_i[8*k+:8];
        end
      end
    end
  end

  // Writing. If both write one word, the second is that of the later instruction.
  logic we;
  logic [AddrW-1:0] waddr;
  logic [W/8-1:0] wstrb;
  logic [W-1:0] wdata;
  assign we = load_we_i || own_we_i;
  assign {waddr, wstrb, wdata} = load_we_i ? {load_addr_i, load_strb_i, load_data_i}
      : {own_addr_i, own_strb_i, own_data_i};
  for (genvar b = 0; b < 4; b++) begin : gen_bank
    logic [W-1:0] words_q[2**RowW];
    logic [2*RowW-1:0] row;
    always_comb begin
      row = '0;
      for (int unsigned i = 0; i < 5; i++) begin
        if (gnt_o[i] && banks[2*i+:2] == 2'(b)) row[RowW*second[i]+:RowW] = addr_i[AddrW*i+2+:RowW];
      end
    end
    assign rows[2*W*b+:W] = words_q[row[RowW-1:0]];
    assign rows[2*W*b+W+:W] = words_q[row[2*RowW-1:RowW]];
    always_ff @(posedge clk_i) begin
      for (int unsigned k = 0; k < W / 8; k++) begin
        if (res_we_i && bank(res_addr_i) == 2'(b) && res_strb_i[k]) begin
          words_q[res_addr_i[AddrW-1:2]][8*k+:8] <= res_data_i[8*k+:8];
        end
        if (we && bank(waddr) == 2'(b) && wstrb[k]) begin
          words_q[waddr[AddrW-1:2]][8*k+:8] <= wdata[8*k+:8];
        end
      end
    end
  end

  logic [VLEN-1:0] mask_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned n = 0; n < Words; n++) begin
      for (int unsigned k = 0; k < W / 8; k++) begin
        if (res_we_i && res_addr_i == AddrW'(n) && res_strb_i[k]) begin
          mask_q[W*n+8*k+:8] <= res_data_i[8*k+:8];
        end
        if (we && waddr == AddrW'(n) && wstrb[k]) mask_q[W*n+8*k+:8] <= wdata[8*k+:8];
      end
    end
  end
  assign mask_o = mask_q;
endmodule

// vrgather.vv and vrgatherei16.vv: reads a word of indices at a time, then, one by one, the words
// of the source that it selects.
//
// A step takes the elements of a word of vd whose indices are in one word of vs1. It reads the
// indices; then each cycle reads the word that holds the source of the first element that is left,
// and writes every element whose source is in that word too. So a step takes two cycles if all its
// sources are in one word, and a cycle more for each further word, at most one for each element.
// Zvkt allows that: it exempts the indices from data-independent latency.
module zvcore_vgather #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned AddrW = $clog2(32 * VLEN / W)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,  // for a cycle; those below are held until `done_o`
  input  logic [1:0]       eew_i,    // of vd and vs2
  input  logic [1:0]       index_eew_i,
  input  logic             masked_i,
  input  logic [4:0]       vd_i,
  input  logic [4:0]       vs2_i,
  input  logic [4:0]       vs1_i,
  input  logic [PosW-1:0]  vstart_i,
  input  logic [PosW:0]    end_i,    // vl
  input  logic [PosW:0]    vlmax_i,
  input  logic [VLEN-1:0]  mask_i,
  output logic             done_o,

  output logic             read_o,
  output logic [AddrW-1:0] raddr_o,
  input  logic [W-1:0]     rdata_i,
  output logic             we_o,
  output logic [AddrW-1:0] waddr_o,
  output logic [W/8-1:0]   wstrb_o,
  output logic [W-1:0]     wdata_o
);
  localparam int unsigned Bytes = W / 8;
  localparam int unsigned ByteW = $clog2(Bytes);
  localparam int unsigned WordW = PosW - ByteW;
  typedef enum logic [1:0] {IDLE, INDEX, ELEMENT} state_e;
  state_e state_q;
  logic [PosW-1:0] k_q;  // the step's first element
  logic [W-1:0] index_q;
  logic [Bytes-1:0] done_q;

  // The step: as many elements as are in a word of vd and in one of vs1. Both numbers are powers of
  // two, and so is k_q's alignment.
  logic [1:0] wider;
  logic [PosW:0] count, next;
  logic [WordW-1:0] vd_word, index_word;
  assign wider = index_eew_i > eew_i ? index_eew_i : eew_i;
  assign count = (PosW + 1)'(Bytes) >> wider;
  assign next = {1'b0, k_q} + count;
  assign vd_word = WordW'((k_q << eew_i) >> ByteW);
  assign index_word = WordW'((k_q << index_eew_i) >> ByteW);

  // For each byte of the word of vd: whether this step writes it, and where its source is.
  logic [Bytes-1:0] left, here, zero;
  logic [Bytes*WordW-1:0] word;
  logic [W-1:0] moved;
  for (genvar b = 0; b < Bytes; b++) begin : gen_byte
    logic [PosW-1:0] at, k, from;
    logic [ByteW-1:0] place;
    logic [63:0] index, all;
    assign at = {vd_word, ByteW'(b)};
    assign k = at >> eew_i;
    assign place = ByteW'(k << index_eew_i);
    assign all = 64'(index_q >> {place, 3'b0});
    assign index = all & ~(~64'hff << ((7'd8 << index_eew_i) - 7'd8));
    assign from = (index[PosW-1:0] << eew_i) + (at & ~({PosW{1'b1}} << eew_i));
    assign zero[b] = index >= 64'(vlmax_i);
    assign word[WordW*b+:WordW] = from[PosW-1:ByteW];
    assign left[b] = !done_q[b] && k >= k_q && {1'b0, k} < next && k >= vstart_i
        && {1'b0, k} < end_i
        && (!masked_i || mask_i[k]);
    assign moved[8*b+:8] = zero[b] ? 8'h00 : rdata_i[8*from[ByteW-1:0]+:8];
  end

  logic [WordW-1:0] first;
  always_comb begin
    first = '0;
    for (int unsigned b = Bytes; b > 0; b--) begin
      if (left[b-1] && !zero[b-1]) first = word[WordW*(b-1)+:WordW];
    end
  end
  for (genvar b = 0; b < Bytes; b++) begin : gen_here
    assign here[b] = left[b] && (zero[b] || word[WordW*b+:WordW] == first);
  end

  // The last cycle of the step.
  logic step;
  assign step = state_q == ELEMENT && here == left;
  assign done_o = step && next >= end_i;
  assign read_o = state_q != IDLE;
  assign raddr_o = state_q == INDEX ? (AddrW'(vs1_i) << (AddrW - 5)) + AddrW'(index_word)
      : (AddrW'(vs2_i) << (AddrW - 5)) + AddrW'(first);
  assign we_o = state_q == ELEMENT;
  assign waddr_o = (AddrW'(vd_i) << (AddrW - 5)) + AddrW'(vd_word);
  assign wstrb_o = here;
  assign wdata_o = moved;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= IDLE;
    else if (done_o) state_q <= IDLE;
    else if (step || (state_q == IDLE && valid_i)) state_q <= INDEX;
    else if (state_q == INDEX) state_q <= ELEMENT;
  end
  always_ff @(posedge clk_i) begin
    if (state_q == IDLE) k_q <= vstart_i & ~(PosW'(count) - 1'b1);
    else if (step) k_q <= next[PosW-1:0];
    if (state_q == INDEX) index_q <= rdata_i;
    done_q <= state_q == ELEMENT && !step ? done_q | here : '0;
  end
endmodule

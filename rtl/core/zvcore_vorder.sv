// Keeps two instructions in order, one whose beats go to zvku and one whose beats go to a unit of
// the core: a beat of the later one waits for beats of the earlier one that have not been taken, if
// one of them writes a word that the other reads or writes.
//
// Each operand is a range of words, from that of the next beat, or the first that a later beat
// reads again, to the last beat's.
module zvcore_vorder #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned AddrW = $clog2(32 * VLEN / W)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               start_i,       // an instruction starts
  input  logic               start_zvku_i,  // in zvku

  input  logic               zvku_busy_i,
  input  logic               zvku_masked_i,
  input  logic [2:0]         zvku_use_i,    // vd, vs2, vs1
  input  logic [3*AddrW-1:0] zvku_word_i,   // vd is also the destination
  input  logic [2*AddrW-1:0] zvku_first_i,  // of vs2 and vs1, the first word that it may still read
  input  logic [3*AddrW-1:0] zvku_end_i,
  output logic [2:0]         zvku_source_o,  // this source has to wait,
  output logic               zvku_other_o,   // or the destination or the mask

  input  logic               own_busy_i,
  input  logic               own_masked_i,
  input  logic               own_writes_i,
  input  logic [AddrW-1:0]   own_target_i,
  input  logic [AddrW-1:0]   own_target_end_i,
  input  logic [1:0]         own_use_i,
  input  logic [2*AddrW-1:0] own_word_i,
  input  logic [2*AddrW-1:0] own_first_i,   // likewise
  input  logic [2*AddrW-1:0] own_end_i,
  output logic [1:0]         own_source_o,
  output logic               own_other_o
);
  localparam logic [AddrW-1:0] MaskEnd = AddrW'(VLEN / W - 1);

  function automatic logic is_in(logic [AddrW-1:0] word, logic [AddrW-1:0] first,
      logic [AddrW-1:0] last);
    is_in = word >= first && word <= last;
  endfunction

  logic own_first_q;  // the core's unit has the earlier one
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) own_first_q <= 1'b0;
    else if (start_i) own_first_q <= start_zvku_i;
  end

  logic [AddrW-1:0] zvku_target;
  assign zvku_target = zvku_word_i[AddrW-1:0];

  // zvku after a unit of the core.
  logic zvku_later;
  logic [1:0] reads;
  assign zvku_later = own_busy_i && own_first_q;
  for (genvar i = 0; i < 3; i++) begin : gen_zvku
    assign zvku_source_o[i] = zvku_later && own_writes_i
        && is_in(zvku_word_i[AddrW*i+:AddrW], own_target_i, own_target_end_i);
  end
  for (genvar i = 0; i < 2; i++) begin : gen_reads
    assign reads[i] = own_use_i[i]
        && is_in(zvku_target, own_first_i[AddrW*i+:AddrW], own_end_i[AddrW*i+:AddrW]);
  end
  assign zvku_other_o = zvku_later && (reads != '0 || (own_masked_i && zvku_target <= MaskEnd)
      || (own_writes_i && is_in(zvku_target, own_target_i, own_target_end_i))
      || (own_writes_i && zvku_masked_i && own_target_i <= MaskEnd));

  // A unit of the core after zvku.
  logic own_later;
  logic [2:0] read;
  logic [3*AddrW-1:0] zvku_first;
  assign zvku_first = {zvku_first_i, zvku_target};
  assign own_later = zvku_busy_i && !own_first_q;
  for (genvar i = 0; i < 2; i++) begin : gen_own
    assign own_source_o[i] = own_later
        && is_in(own_word_i[AddrW*i+:AddrW], zvku_target, zvku_end_i[AddrW-1:0]);
  end
  for (genvar i = 0; i < 3; i++) begin : gen_read
    assign read[i] = (i == 0 || zvku_use_i[i])
        && is_in(own_target_i, zvku_first[AddrW*i+:AddrW], zvku_end_i[AddrW*i+:AddrW]);
  end
  assign own_other_o = own_later
      && ((own_writes_i && (read != '0 || (zvku_masked_i && own_target_i <= MaskEnd)))
      || (own_masked_i && zvku_target <= MaskEnd));

  logic unused;
  assign unused = zvku_use_i[0];
endmodule

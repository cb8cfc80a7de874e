// Connects the core's unit that executes the instruction to the register file.
module zvcore_vroute #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned AddrW = $clog2(32 * VLEN / W),
  localparam int unsigned BeatW = $clog2(8 * VLEN / W)
) (
  input  zvcore_v_pkg::issued_t cur_i,
  input  logic               element_i,  // an instruction is executed element by element

  // The next beat: its words, the first word that the instruction may still read, and its last
  // ones. The first source is vs2 or, of stores, vs3.
  output logic               writes_o,
  output logic [1:0]         use_o,
  output logic [AddrW-1:0]   target_o,
  output logic [AddrW-1:0]   target_end_o,
  output logic [1:0]         need_o,
  output logic [2*AddrW-1:0] raddr_o,
  output logic [2*AddrW-1:0] first_o,
  output logic [2*AddrW-1:0] end_o,
  output logic               we_o,     // results, except those of loads
  output logic [AddrW-1:0]   waddr_o,
  output logic [W/8-1:0]     wstrb_o,
  output logic [W-1:0]       wdata_o,

  input  logic [1:0]         beat_need_i,
  input  logic               beat_take_i,
  input  logic [BeatW-1:0]   beat_i,
  input  logic [BeatW-1:0]   beat_vs2_i,
  input  logic [BeatW-1:0]   beat_vs1_i,
  input  logic [W/8-1:0]     beat_wstrb_i,
  input  logic [W-1:0]       beat_wdata_i,

  input  logic               line_need_i,
  input  logic [BeatW-1:0]   line_i,

  input  logic               element_read_i,
  input  logic [AddrW-1:0]   element_raddr_i,
  input  logic               element_we_i,
  input  logic [AddrW-1:0]   element_waddr_i,
  input  logic [W/8-1:0]     element_wstrb_i,
  input  logic [W-1:0]       element_wdata_i
);
  function automatic logic [AddrW-1:0] word(logic [4:0] register, logic [BeatW-1:0] beat);
    word = (AddrW'(register) << (AddrW - 5)) + AddrW'(beat);
  endfunction
  function automatic logic [BeatW-1:0] last(logic [10:0] bytes);
    last = BeatW'((bytes - 11'd1) >> $clog2(W / 8));
  endfunction

  logic line, slide;
  logic [BeatW-1:0] last_beat;
  assign line = cur_i.by == zvcore_v_pkg::BY_LINE;
  assign slide = cur_i.ctrl.slide;
  assign last_beat = last(cur_i.end_byte);
  assign writes_o = !cur_i.ctrl.store;
  assign use_o = line ? {1'b0, cur_i.ctrl.store}
      : {cur_i.ctrl.use_vs1 && !slide, cur_i.ctrl.use_vs2};
  assign target_o = word(cur_i.vd, line ? line_i : beat_i);
  assign target_end_o = word(cur_i.vd, last_beat);

  // Both words of a slide are of vs2, and any word may follow.
  always_comb begin
    raddr_o = {word(slide ? cur_i.vs2 : cur_i.vs1, beat_vs1_i), word(cur_i.vs2, beat_vs2_i)};
    first_o = raddr_o;
    end_o = {word(cur_i.vs1, last_beat), word(cur_i.vs2, last_beat)};
    if (slide) begin
      first_o[AddrW-1:0] = word(cur_i.vs2, '0);
      end_o[AddrW-1:0] = word(cur_i.vs2, last(cur_i.source));
    end
    if (line) begin
      raddr_o[AddrW-1:0] = target_o;
      {first_o[AddrW-1:0], end_o[AddrW-1:0]} = {target_o, target_end_o};
    end
    need_o = line ? {1'b0, line_need_i} : beat_need_i;
    {we_o, waddr_o, wstrb_o, wdata_o} = {beat_take_i, target_o, beat_wstrb_i, beat_wdata_i};
    if (element_i) begin
      need_o = {1'b0, element_read_i};
      raddr_o[AddrW-1:0] = element_raddr_i;
      {we_o, waddr_o} = {element_we_i, element_waddr_i};
      {wstrb_o, wdata_o} = {element_wstrb_i, element_wdata_i};
    end
  end

  logic unused;
  assign unused = ^cur_i;
endmodule

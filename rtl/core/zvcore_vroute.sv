// Connects the unit that executes the instruction to the register file.
module zvcore_vroute #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned AddrW = $clog2(32 * VLEN / W),
  localparam int unsigned BeatW = $clog2(8 * VLEN / W)
) (
  input  zvcore_v_pkg::by_e  by_i,
  input  logic [4:0]         vd_i,
  input  logic [4:0]         vs2_i,
  input  logic [4:0]         vs1_i,
  output logic [2:0]         need_o,   // vs1, vs2, vd
  output logic [3*AddrW-1:0] raddr_o,  // the lowest is also the destination
  output logic               we_o,     // results of the core's own units, except loads
  output logic [AddrW-1:0]   waddr_o,
  output logic [W/8-1:0]     wstrb_o,
  output logic [W-1:0]       wdata_o,

  input  logic               zvku_wants_i,
  input  logic [2:0]         zvku_use_i,
  input  logic [BeatW-1:0]   zvku_vd_i,
  input  logic [BeatW-1:0]   zvku_vs2_i,
  input  logic [BeatW-1:0]   zvku_vs1_i,

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

  always_comb begin
    {we_o, waddr_o, wstrb_o, wdata_o} = '0;
    case (by_i)
      zvcore_v_pkg::BY_ZVKU: begin
        need_o = zvku_use_i & {3{zvku_wants_i}};
        raddr_o = {word(vs1_i, zvku_vs1_i), word(vs2_i, zvku_vs2_i), word(vd_i, zvku_vd_i)};
      end
      zvcore_v_pkg::BY_BEAT: begin
        need_o = {beat_need_i, 1'b0};
        raddr_o = {word(vs1_i, beat_vs1_i), word(vs2_i, beat_vs2_i), word(vd_i, beat_i)};
        {we_o, waddr_o, wstrb_o, wdata_o} = {beat_take_i, word(vd_i, beat_i), beat_wstrb_i, beat_wdata_i};
      end
      zvcore_v_pkg::BY_LINE: begin
        need_o = {2'b0, line_need_i};
        raddr_o = {{2 * AddrW{1'b0}}, word(vd_i, line_i)};
      end
      default: begin
        need_o = {1'b0, element_read_i, 1'b0};
        raddr_o = {{AddrW{1'b0}}, element_raddr_i, {AddrW{1'b0}}};
        {we_o, waddr_o, wstrb_o, wdata_o} = {element_we_i, element_waddr_i, element_wstrb_i, element_wdata_i};
      end
    endcase
  end
endmodule

// The beats of an instruction, and which bytes of each belong to the body (from vstart to vl).
module zvku_sequence #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned BeatW = $clog2(8 * VLEN / W)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             accept_i,  // an instruction is accepted, with
  input  logic [PosW-1:0]  start_i,   // the first byte of its body
  input  logic [PosW:0]    end_i,     // the byte after it
  input  logic [BeatW-1:0] first_i,   // the beats of both
  input  logic [BeatW-1:0] last_i,
  input  logic             next_i,    // a beat is accepted
  output logic             busy_o,
  output logic [BeatW-1:0] beat_o,
  output logic             last_o,
  output logic [W/8-1:0]   body_o
);
  localparam int unsigned ByteW = $clog2(W / 8);
  logic busy_q, head_q;
  logic [BeatW-1:0] beat_q, last_q;
  logic [ByteW-1:0] start_q, end_q;  // within the first beat, and the last

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (accept_i) busy_q <= 1'b1;
    else if (next_i && last_o) busy_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (accept_i) begin
      head_q <= 1'b1;
      beat_q <= first_i;
      last_q <= last_i;
      start_q <= start_i[ByteW-1:0];
      end_q <= end_i[ByteW-1:0];
    end else if (next_i) begin
      head_q <= 1'b0;
      beat_q <= beat_q + 1'b1;
    end
  end

  assign busy_o = busy_q;
  assign beat_o = beat_q;
  assign last_o = beat_q == last_q;
  logic [W/8-1:0] head, tail;
  assign head = {W / 8{1'b1}} << start_q;
  assign tail = {W / 8{1'b1}} << end_q;
  assign body_o = (head | {W / 8{!head_q}}) & (~tail | {W / 8{!last_o || end_q == '0}});

  logic unused;
  assign unused = ^{start_i[PosW-1:ByteW], end_i[PosW:ByteW]};
endmodule

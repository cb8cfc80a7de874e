// The beats of an instruction, and which bytes of each belong to the body (from vstart to vl).
module zvku_sequence #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  parameter int unsigned Regs = 8,
  localparam int unsigned PosW = $clog2(Regs * VLEN / 8),  // positions of bytes
  localparam int unsigned BeatW = $clog2(Regs * VLEN / W)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             accept_i,  // an instruction is accepted, with
  input  logic [PosW-1:0]  start_i,   // the first byte of its body
  input  logic [PosW:0]    end_i,     // the byte after it
  input  logic [BeatW-1:0] first_i,   // the beats of both
  input  logic [BeatW-1:0] last_i,
  input  logic             keccak_i,  // vkeccak is current: a group's last elements are skipped
  input  logic             next_i,    // a beat is accepted
  output logic             busy_o,
  output logic [BeatW-1:0] beat_o,
  output logic             last_o,
  output logic [W/8-1:0]   body_o
);
  localparam int unsigned ByteW = $clog2(W / 8);
  // Beats of vkeccak's groups. One that does not fit into a register group is illegal.
  localparam int unsigned IndexW = $clog2(Regs * VLEN < 2048 ? Regs * VLEN / W : 2048 / W);
  localparam logic [IndexW-1:0] Final = IndexW'((1600 + W - 1) / W - 1);
  logic busy_q, head_q;
  // `through`: the last of the beats that this one completes.
  logic [BeatW-1:0] beat_q, last_q, through;
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
      beat_q <= through + 1'b1;
    end
  end

  assign busy_o = busy_q;
  assign beat_o = beat_q;
  always_comb begin
    through = beat_q;
    if (keccak_i && beat_q[IndexW-1:0] == Final) through[IndexW-1:0] = '1;
  end
  assign last_o = through == last_q;
  logic [W/8-1:0] head, tail;
  assign head = {W / 8{1'b1}} << start_q;
  assign tail = {W / 8{1'b1}} << end_q;
  assign body_o = (head | {W / 8{!head_q}}) & (~tail | {W / 8{!last_o || end_q == '0}});

  logic unused;
  assign unused = ^{start_i[PosW-1:ByteW], end_i[PosW:ByteW]};
endmodule

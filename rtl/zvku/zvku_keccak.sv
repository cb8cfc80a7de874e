// Keccak-p[1600] of element groups, two rounds in each cycle (vkeccak.vi).
//
// A state arrives in beats, is permuted, and leaves in beats. While it leaves, the next one may
// arrive: a beat is never overwritten before it has left, since both begin at beat 0 and leaving
// never waits.
module zvku_keccak #(
  parameter int unsigned W = 128,
  parameter int unsigned BeatW = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,
  input  logic             valid_i,  // a beat arrives
  input  logic             short_i,  // the last 12 rounds instead of 24
  input  logic [BeatW-1:0] beat_i,
  input  logic             last_i,   // the instruction's last beat
  input  logic [W-1:0]     data_i,
  output logic             ready_o,
  output logic             idle_o,
  output logic             valid_o,  // a beat leaves
  output logic [W-1:0]     data_o,
  output logic [W/8-1:0]   strb_o,
  output logic [BeatW-1:0] beat_o,
  output logic             last_o
);
  localparam int unsigned Beats = (1600 + W - 1) / W;
  // Beats of a group, whose last seven elements are not used.
  localparam int unsigned IndexW = $clog2(2048 / W);
  localparam logic [IndexW-1:0] Final = IndexW'(Beats - 1);
  localparam logic [3:0] LastStep = 4'd11;

  // A state is permuted, is leaving. While one arrives, its instruction is current, so that no
  // other can start.
  logic computing_q, leaving_q, complete, done, left, last_q;
  logic [3:0] step_q;
  logic [IndexW-1:0] in, out_q;
  logic [BeatW-1:0] group_q;
  assign in = beat_i[IndexW-1:0];
  assign complete = valid_i && in == Final;
  assign done = computing_q && step_q == LastStep;
  assign left = leaving_q && out_q == Final;
  assign ready_o = !computing_q;
  assign idle_o = !computing_q && !leaving_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {computing_q, leaving_q} <= '0;
    else if (en_i) begin
      computing_q <= complete || (computing_q && !done);
      leaving_q <= done || (leaving_q && !left);
    end
  end
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      step_q <= complete ? {1'b0, {2{short_i}}, 1'b0} : step_q + 1'b1;
      out_q <= done ? '0 : out_q + 1'b1;
      if (complete) begin
        group_q <= beat_i;
        last_q <= last_i;
      end
    end
  end

  // Constants of the rounds 2 step and 2 step + 1 (FIPS 202 section 3.2.5), in the form of
  // zvku_keccak_round.
  logic [13:0] constants;
  always_comb begin
    case (step_q)
      4'd0: constants = {7'h1a, 7'h01};
      4'd1: constants = {7'h70, 7'h5e};
      4'd2: constants = {7'h21, 7'h1f};
      4'd3: constants = {7'h55, 7'h79};
      4'd4: constants = {7'h0c, 7'h0e};
      4'd5: constants = {7'h26, 7'h35};
      4'd6: constants = {7'h4f, 7'h3f};
      4'd7: constants = {7'h53, 7'h5d};
      4'd8: constants = {7'h48, 7'h52};
      4'd9: constants = {7'h66, 7'h16};
      4'd10: constants = {7'h58, 7'h79};
      default: constants = {7'h74, 7'h21};
    endcase
  end

  logic [1599:0] state_q, between, permuted;
  zvku_keccak_round u_round0 (.state_i(state_q), .constant_i(constants[6:0]), .state_o(between));
  zvku_keccak_round u_round1 (.state_i(between), .constant_i(constants[13:7]), .state_o(permuted));

  // What has left is replaced with zeros.
  logic [Beats*W-1:0] padded;
  for (genvar b = 0; b < Beats; b++) begin : gen_beat
    localparam int unsigned Bits = b == Beats - 1 ? 1600 - b * W : W;
    // One of three or, to clear it, none.
    logic load, permute, hold;
    assign load = en_i && valid_i && in == IndexW'(b);
    assign permute = en_i && computing_q;
    assign hold = !load && !permute && !(en_i && leaving_q && out_q == IndexW'(b));
    always_ff @(posedge clk_i) begin
      state_q[b*W+:Bits] <= (data_i[Bits-1:0] & {Bits{load}})
          | (permuted[b*W+:Bits] & {Bits{permute}})
          | (state_q[b*W+:Bits] & {Bits{hold}});
    end
    assign padded[b*W+:W] = W'(state_q[b*W+:Bits]);
  end

  localparam int unsigned FinalBytes = 200 - (Beats - 1) * (W / 8);
  assign valid_o = leaving_q;
  assign data_o = padded[W*out_q+:W];
  assign strb_o = left ? {{(W / 8 - FinalBytes){1'b0}}, {FinalBytes{1'b1}}} : {W / 8{1'b1}};
  assign last_o = left && last_q;
  always_comb begin
    beat_o = group_q;
    beat_o[IndexW-1:0] = out_q;
  end
endmodule

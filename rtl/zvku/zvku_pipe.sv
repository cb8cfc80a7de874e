// The groups in flight, and when their results are output.
//
// Place p holds what will be in the output register after p enabled cycles. A result of a datapath
// with latency L enters at place L, and the second beat of a group of two (W < 256) at place L + 1.
// A group may start only if everything in flight is output before it. So results keep their order
// and never collide, and AES never needs S-boxes that SM4 is using.
module zvku_pipe #(
  parameter int unsigned TagW = 8  // width of a result's tag
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            en_i,
  input  logic            start_i,
  input  zvku_pkg::unit_e unit_i,
  input  logic            two_i,  // two beats
  input  logic [TagW-1:0] tag_i,
  input  logic [TagW-1:0] tag2_i,
  output logic            room_o,
  output logic            valid_o,  // place 1
  output logic            second_o,
  output zvku_pkg::unit_e unit_o,
  output logic [TagW-1:0] tag_o
);
  localparam int unsigned Places = 4;
  localparam int unsigned EntryW = TagW + 4;

  // The latency, one-hot.
  logic [Places:1] at, at2;
  always_comb begin
    case (unit_i)
      zvku_pkg::UNIT_SM4: at = 4'b1000;
      zvku_pkg::UNIT_SHA2, zvku_pkg::UNIT_MODULAR: at = 4'b0010;
      default: at = 4'b0001;
    endcase
    at2 = two_i ? {at[Places-1:1], 1'b0} : '0;
  end

  logic [Places:1] valid, valid_q;
  logic [Places*EntryW-1:0] entry, entry_q;
  logic [EntryW-1:0] first, second;
  assign first = {1'b0, unit_i, tag_i};
  assign second = {1'b1, unit_i, tag2_i};
  for (genvar p = 1; p <= Places; p++) begin : gen_place
    assign valid[p] = valid_q[p] || (start_i && (at[p] || at2[p]));
    always_comb begin
      if (start_i && at[p]) entry[EntryW*(p-1)+:EntryW] = first;
      else if (start_i && at2[p]) entry[EntryW*(p-1)+:EntryW] = second;
      else entry[EntryW*(p-1)+:EntryW] = entry_q[EntryW*(p-1)+:EntryW];
    end
  end

  // Nothing is at this latency or later.
  assign room_o = (valid_q & ~(at - 1'b1)) == '0;

  assign valid_o = valid[1];
  assign {second_o, unit_o, tag_o} = entry[EntryW-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (en_i) valid_q <= {1'b0, valid[Places:2]};
  end
  always_ff @(posedge clk_i) begin
    if (en_i) entry_q <= {{EntryW{1'b0}}, entry[Places*EntryW-1:EntryW]};
  end
endmodule

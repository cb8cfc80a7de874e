// zvku_pipe with the output register: every group that starts gives its one or two results, in
// order, none lost or duplicated.
//
// Groups are numbered as they start. Their numbers are the tags, and come back with the results.
module handshake (
  input logic clk_i,
  input logic rst_ni,
  input logic want_i,   // a group would start
  input zvku_pkg::unit_e unit_i,
  input logic two_i,
  input logic ready_i
);
  localparam int unsigned TagW = 5;
  zvku_pkg::unit_e out_unit;

  // Groups of SM4 are one beat.
  logic two;
  assign two = two_i && unit_i != zvku_pkg::UNIT_SM4;

  logic en, start, room, out_valid, out_second, res_valid;
  logic [TagW-1:0] out_tag, res_tag, next_q, expected_q;
  assign en = !res_valid || ready_i;
  assign start = want_i && en && room;
  zvku_pipe #(.TagW(TagW)) u_pipe (
    .clk_i, .rst_ni, .en_i(en), .start_i(start), .unit_i, .two_i(two), .tag_i(next_q),
    .tag2_i(next_q + TagW'(1)), .room_o(room), .valid_o(out_valid), .second_o(out_second),
    .unit_o(out_unit), .tag_o(out_tag)
  );
  logic [127:0] data;
  zvku_result #(.W(128), .TagW(TagW)) u_result (
    .clk_i, .rst_ni, .en_i(en), .valid_i(out_valid), .second_i(out_second), .result_i('0),
    .tag_i(out_tag), .valid_o(res_valid), .data_o(data), .tag_o(res_tag)
  );

  // Enabled cycles since the last result, while results are outstanding.
  logic [2:0] waited_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q <= '0;
      expected_q <= '0;
      waited_q <= '0;
    end else begin
      if (start) next_q <= next_q + (two ? TagW'(2) : TagW'(1));
      if (res_valid && ready_i) expected_q <= expected_q + TagW'(1);
      if (res_valid || next_q == expected_q) waited_q <= '0;
      else if (en) waited_q <= waited_q + 3'd1;
    end
  end
  always_comb begin
    if (rst_ni && res_valid) assert (res_tag == expected_q);
    if (rst_ni && res_valid) assert (next_q != expected_q);
    if (rst_ni) assert (waited_q <= 3'd4);
  end
endmodule

// SM3 of one 256-bit group, in one cycle: two rounds (vsm3c) or eight message words (vsm3me).
//
// SM3 is big-endian, so the bytes of each element are swapped on the way in and out. The manual's
// release 20260120 describes VSM3ME wrongly (corrected in August 2026); this follows GB/T
// 32905-2016 section 5.3.2.
module zvku_sm3 (
  input  logic [3:0]   fn_i,   // SM3_* of zvku_pkg
  input  logic [4:0]   imm_i,  // vsm3c: half the number of the first round
  input  logic [255:0] vd_i,
  input  logic [255:0] vs2_i,
  input  logic [255:0] vs1_i,
  output logic [255:0] vd_o
);
  function automatic logic [255:0] swap(logic [255:0] x);
    for (int unsigned i = 0; i < 32; i++) swap[8*i+:8] = x[32*(i/4)+8*(3-i%4)+:8];
  endfunction

  // Rounds. T_j is 79cc4519 before round 16 and 7a879d8a after, rotated to the left by j.
  logic late;
  logic [31:0] constant0, constant1;
  logic [63:0] twice;
  logic [255:0] message, state0, state1, state2;
  assign late = imm_i[4:3] != 2'b0;
  assign twice = late ? {2{32'h7a879d8a}} : {2{32'h79cc4519}};
  assign constant0 = twice[6'd32-{1'b0, imm_i[3:0], 1'b0}+:32];
  assign constant1 = {constant0[30:0], constant0[31]};
  assign message = swap(vs2_i);
  assign state0 = swap(vd_i);
  zvku_sm3_round u_round0 (
    .late_i(late), .constant_i(constant0), .state_i(state0), .w_i(message[31:0]),
    .w4_i(message[159:128]), .state_o(state1)
  );
  zvku_sm3_round u_round1 (
    .late_i(late), .constant_i(constant1), .state_i(state1), .w_i(message[63:32]),
    .w4_i(message[191:160]), .state_o(state2)
  );

  // Message words 16 to 23, computed from 0 to 15.
  logic [767:0] w;
  logic [31:0] w3, w13, x;
  always_comb begin
    w = '0;
    w[511:0] = {message, swap(vs1_i)};
    for (int unsigned j = 16; j < 24; j++) begin
      w3 = w[32*(j-3)+:32];
      w13 = w[32*(j-13)+:32];
      x = w[32*(j-16)+:32] ^ w[32*(j-9)+:32] ^ {w3[16:0], w3[31:17]};
      w[32*j+:32] = x ^ {x[16:0], x[31:17]} ^ {x[8:0], x[31:9]} ^ {w13[24:0], w13[31:25]}
          ^ w[32*(j-6)+:32];
    end
  end

  assign vd_o = swap(fn_i[zvku_pkg::SM3_EXPAND] ? w[767:512] : state2);

  logic unused;
  assign unused = ^fn_i;
endmodule

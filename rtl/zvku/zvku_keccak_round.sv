// A round of Keccak-p[1600] (FIPS 202 section 3.2). Lane x + 5 y is word x + 5 y of the state.
module zvku_keccak_round (
  input  logic [1599:0] state_i,
  input  logic [6:0]    constant_i,  // bits 0, 1, 3, 7, 15, 31 and 63 of the round's constant
  output logic [1599:0] state_o
);
  // The rotation of a lane by rho: that of (x, y) = (1, 0) is 1, and each next one is at (y, 2 x +
  // 3 y).
  function automatic int unsigned rotation(int unsigned lane);
    int unsigned x, y, next;
    rotation = 0;
    x = 1;
    y = 0;
    for (int unsigned t = 0; t < 24; t++) begin
      if (x + 5 * y == lane) rotation = (t + 1) * (t + 2) / 2 % 64;
      next = (2 * x + 3 * y) % 5;
      x = y;
      y = next;
    end
  endfunction

  logic [319:0] parity;
  logic [1599:0] moved;
  logic [63:0] constant;
  for (genvar x = 0; x < 5; x++) begin : gen_parity
    assign parity[64*x+:64] = state_i[64*x+:64] ^ state_i[64*(x+5)+:64] ^ state_i[64*(x+10)+:64]
        ^ state_i[64*(x+15)+:64] ^ state_i[64*(x+20)+:64];
  end
  for (genvar lane = 0; lane < 25; lane++) begin : gen_lane
    localparam int unsigned X = lane % 5;
    localparam int unsigned Y = lane / 5;
    // Theta, then rho, then pi.
    localparam int unsigned By = rotation(lane);
    localparam int unsigned To = Y + 5 * ((2 * X + 3 * Y) % 5);
    logic [63:0] left, right, mixed;
    assign left = parity[64*((X+4)%5)+:64];
    assign right = parity[64*((X+1)%5)+:64];
    assign mixed = state_i[64*lane+:64] ^ left ^ {right[62:0], right[63]};
    assign moved[64*To+:64] = mixed << By | mixed >> (64 - By);
  end

  // Chi and iota.
  assign constant = {
    constant_i[6], 31'b0, constant_i[5], 15'b0, constant_i[4], 7'b0, constant_i[3], 3'b0,
    constant_i[2], 1'b0, constant_i[1:0]
  };
  for (genvar lane = 0; lane < 25; lane++) begin : gen_chi
    localparam int unsigned Row = lane - lane % 5;
    localparam int unsigned Next = Row + (lane + 1) % 5;
    localparam int unsigned After = Row + (lane + 2) % 5;
    assign state_o[64*lane+:64] = moved[64*lane+:64] ^ (~moved[64*Next+:64] & moved[64*After+:64])
        ^ (lane == 0 ? constant : 64'b0);
  end
endmodule

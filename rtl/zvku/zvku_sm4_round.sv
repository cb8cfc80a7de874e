// A round of SM4 or of its key schedule, without the S-boxes: the newest word replaces the oldest.
//
// GB/T 32907-2016 sections 6.2 and 7.3.
module zvku_sm4_round (
  input  logic         key_i,    // key schedule
  input  logic [127:0] state_i,  // element 0 is the oldest word
  input  logic [31:0]  round_key_i,
  output logic [31:0]  sbox_o,   // to the S-boxes
  input  logic [31:0]  sbox_i,
  output logic [127:0] state_o
);
  assign sbox_o = state_i[63:32] ^ state_i[95:64] ^ state_i[127:96] ^ round_key_i;

  logic [31:0] b, cipher, schedule;
  assign b = sbox_i;
  assign cipher = {b[29:0], b[31:30]} ^ {b[21:0], b[31:22]} ^ {b[13:0], b[31:14]}
      ^ {b[7:0], b[31:8]};
  assign schedule = {b[18:0], b[31:19]} ^ {b[8:0], b[31:9]};
  assign state_o = {state_i[31:0] ^ b ^ (key_i ? schedule : cipher), state_i[127:32]};
endmodule

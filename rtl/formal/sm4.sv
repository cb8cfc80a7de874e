// zvku_sm4_round without its S-boxes against GB/T 32907-2016 sections 6.2 and 7.3.
module sm4 (
  input logic         key_i,
  input logic [127:0] state_i,
  input logic [31:0]  round_key_i,
  input logic [31:0]  sbox_i
);
  logic [31:0] to_sbox;
  logic [127:0] state;
  zvku_sm4_round dut (.key_i, .state_i, .round_key_i, .sbox_o(to_sbox), .sbox_i, .state_o(state));

  function automatic logic [31:0] left(logic [31:0] x, int unsigned by);
    left = x << by | x >> (32 - by);
  endfunction
  logic [31:0] cipher, schedule;
  assign cipher = sbox_i ^ left(sbox_i, 2) ^ left(sbox_i, 10) ^ left(sbox_i, 18) ^ left(sbox_i, 24);
  assign schedule = sbox_i ^ left(sbox_i, 13) ^ left(sbox_i, 23);
  always_comb begin
    assert (to_sbox == (state_i[63:32] ^ state_i[95:64] ^ state_i[127:96] ^ round_key_i));
    assert (state == {state_i[31:0] ^ (key_i ? schedule : cipher), state_i[127:32]});
  end
endmodule

// All rounds of AES with the key schedule on the way, a round in each cycle: the draft Zvknf
// (vaes[ed](128|256), vaes128k10, vaes256k1[34]).
//
// A beat arrives with its keys, stays for its rounds and leaves; then the next one may arrive. The
// groups of a beat are processed at once.
module zvku_aes_all #(
  parameter int unsigned W = 128,
  parameter int unsigned TagW = 8
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            en_i,
  input  logic            valid_i,  // a beat arrives
  input  logic [3:0]      fn_i,     // ALL_* of zvku_pkg
  input  logic [TagW-1:0] tag_i,
  input  logic [W-1:0]    vd_i,
  input  logic [W-1:0]    vs2_i,
  input  logic [W-1:0]    vs1_i,
  output logic            ready_o,
  output logic            idle_o,
  output logic            valid_o,  // it leaves
  output logic [W-1:0]    data_o,
  output logic [TagW-1:0] tag_o
);
  // Forwards, from round 1 to 10 or 14; backwards, the same number of rounds from the last one.
  logic busy_q, leaving_q, last, first_q, rotate_q, dec, is256;
  logic [3:0] left_q, fn_q;
  logic [TagW-1:0] tag_q;
  logic [7:0] constant_q, constant_d;
  assign last = left_q == 4'd1;
  assign dec = fn_q[zvku_pkg::ALL_DEC];
  assign is256 = fn_q[zvku_pkg::ALL_256];
  assign ready_o = !busy_q;
  assign idle_o = !busy_q && !leaving_q;
  assign valid_o = leaving_q;
  assign tag_o = tag_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {busy_q, leaving_q} <= '0;
    else if (en_i) begin
      busy_q <= valid_i || (busy_q && !last);
      leaving_q <= busy_q && last;
    end
  end

  // The round constant times x, or divided by it. A key of 256 bits needs one in every other step
  // only, and its first round has a key that was given.
  always_comb begin
    if (dec) constant_d = constant_q[0] ? {1'b1, constant_q[7:1] ^ 7'h0d} : {1'b0, constant_q[7:1]};
    else constant_d = {constant_q[6:0], 1'b0} ^ (8'h1b & {8{constant_q[7]}});
  end
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      if (valid_i) begin
        fn_q <= fn_i;
        tag_q <= tag_i;
        left_q <= fn_i[zvku_pkg::ALL_256] ? 4'd14 : 4'd10;
        first_q <= fn_i[zvku_pkg::ALL_256];
        rotate_q <= 1'b1;
        if (!fn_i[zvku_pkg::ALL_DEC]) constant_q <= 8'h01;
        else constant_q <= fn_i[zvku_pkg::ALL_256] ? 8'h40 : 8'h36;
      end else begin
        left_q <= left_q - 4'd1;
        first_q <= 1'b0;
        if (!first_q) begin
          rotate_q <= !rotate_q || !is256;
          if (rotate_q) constant_q <= constant_d;
        end
      end
    end
  end

  for (genvar g = 0; g < W / 128; g++) begin : gen_lane
    // The state, and two round keys: with 256 bits, the last two; with 128, only the first is used.
    // Zeros if there is no beat.
    logic [127:0] vd, vs2, vs1, state_q, key_q, other_q, step, round_key;
    logic [127:0] sbox_in, sbox_out, state, result;
    logic start256, start_dec;
    assign {vd, vs2, vs1} = {vd_i[128*g+:128], vs2_i[128*g+:128], vs1_i[128*g+:128]};
    assign start256 = fn_i[zvku_pkg::ALL_256];
    assign start_dec = fn_i[zvku_pkg::ALL_DEC];

    // Forwards, from the key before the last one, or with 128 bits the last one; backwards, from
    // the last one.
    zvku_aes_key u_key (
      .back_i(dec), .rotate_i(rotate_q), .own_i(!is256), .constant_i(constant_q),
      .base_i(is256 && !dec ? other_q : key_q), .before_i(dec ? other_q[127:96] : key_q[127:96]),
      .next_o(step)
    );
    always_comb begin
      if (!first_q) round_key = step;
      else round_key = dec ? other_q : key_q;
    end
    for (genvar i = 0; i < 16; i++) begin : gen_sbox
      zvku_sbox #(.Aes(1'b1), .Sm4(1'b0)) u_sbox (
        .x_i(sbox_in[8*i+:8]), .aes_dec_i(dec), .sm4_i(1'b0), .y_o(sbox_out[8*i+:8])
      );
    end
    zvku_aes u_round (
      .fn_i({2'b00, !last, dec}), .imm_i(4'd0), .vd_i(state_q), .vs2_i(round_key), .sbox_o(sbox_in),
      .sbox_i(sbox_out), .vd_o(state)
    );
    always_comb begin
      if (!fn_q[zvku_pkg::ALL_KEY]) result = state;
      else result = fn_q[zvku_pkg::ALL_BEFORE] ? key_q : step;
    end
    always_ff @(posedge clk_i) begin
      if (en_i) begin
        if (valid_i) begin
          state_q <= (start256 ? vd : vs2) ^ (start256 && start_dec ? vs2 : vs1);
          key_q <= start256 ? vs2 : fn_i[zvku_pkg::ALL_KEY] ? vs2 : vs1;
          other_q <= start256 ? vs1 : '0;
        end else if (busy_q) begin
          state_q <= last ? result : state;
          if (last) {key_q, other_q} <= '0;
          else if (!first_q) begin
            if (!is256) key_q <= step;
            else {key_q, other_q} <= dec ? {other_q, step} : {step, key_q};
          end
        end else state_q <= '0;
      end
    end
    assign data_o[128*g+:128] = state_q;
  end
endmodule

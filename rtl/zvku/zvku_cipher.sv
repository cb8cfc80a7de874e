// AES and SM4 of one 128-bit group: 16 S-boxes. An AES round uses all at once, SM4 four in each of
// four stages.
//
// AES takes one cycle. SM4 has three stage registers; `sm4_i` starts a group and its result is on
// `sm4_o` three enabled cycles later. While a group is in stage n, AES must not use the S-boxes;
// zvku_pipe ensures that.
module zvku_cipher #(
  parameter bit Aes = 1'b1,
  parameter bit Sm4 = 1'b1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         en_i,
  input  logic [3:0]   fn_i,
  input  logic [3:0]   imm_i,
  input  logic [127:0] vd_i,
  input  logic [127:0] vs2_i,
  input  logic         aes_i,  // operands of AES are present
  input  logic         sm4_i,
  output logic [127:0] aes_o,
  output logic [127:0] sm4_o
);
  logic [127:0] aes_in, sm4_in, sbox_in, held_in, sbox_out;
  logic aes_dec, held_dec;
  logic [3:0] busy, held_busy;  // stages that hold a group of SM4
  assign aes_dec = fn_i[zvku_pkg::AES_DEC] && !fn_i[zvku_pkg::AES_KEY];
  zvku_hold #(.W(133)) u_hold (
    .clk_i, .use_i(aes_i || busy != '0), .data_i({aes_dec, busy, sbox_in}),
    .data_o({held_dec, held_busy, held_in})
  );

  for (genvar i = 0; i < 16; i++) begin : gen_sbox
    assign sbox_in[8*i+:8] = busy[i/4] ? sm4_in[8*i+:8] : aes_in[8*i+:8];
    zvku_sbox #(.Aes(Aes), .Sm4(Sm4)) u_sbox (
      .x_i(held_in[8*i+:8]), .aes_dec_i(held_dec), .sm4_i(held_busy[i/4]), .y_o(sbox_out[8*i+:8])
    );
  end

  if (Aes) begin : gen_aes
    zvku_aes u_aes (.fn_i, .imm_i, .vd_i, .vs2_i, .sbox_o(aes_in), .sbox_i(sbox_out), .vd_o(aes_o));
  end else begin : gen_no_aes
    assign aes_in = '0;
    assign aes_o = '0;
    logic unused;
    assign unused = imm_i[3];
  end

  if (Sm4) begin : gen_sm4
    // CK of section 7.3: byte j of word i, from the most significant, is 7 (4 i + j); i = 4 imm +
    // stage.
    logic [127:0] constants, keys;
    for (genvar i = 0; i < 16; i++) begin : gen_constant
      assign constants[32*(i/4)+8*(3-i%4)+:8] = 8'd7 * {1'b0, imm_i[2:0], 4'(i)};
    end
    assign keys = fn_i[zvku_pkg::SM4_KEY] ? constants : vs2_i;

    // Stage n: its state, and the round keys of it and later stages. Stage 0 is the input.
    logic [3:0] schedule;
    logic [3:1] busy_q, schedule_q;
    logic [127:0] state0, state1_q, state2_q, state3_q;
    logic [127:0] next0, next1, next2;
    logic [95:0] keys1_q;
    logic [63:0] keys2_q;
    logic [31:0] keys3_q;
    assign state0 = fn_i[zvku_pkg::SM4_KEY] ? vs2_i : vd_i;
    assign busy = {busy_q, sm4_i};
    assign schedule = {schedule_q, fn_i[zvku_pkg::SM4_KEY]};

    zvku_sm4_round u_round0 (
      .key_i(schedule[0]), .state_i(state0), .round_key_i(keys[31:0]), .sbox_o(sm4_in[31:0]),
      .sbox_i(sbox_out[31:0]), .state_o(next0)
    );
    zvku_sm4_round u_round1 (
      .key_i(schedule[1]), .state_i(state1_q), .round_key_i(keys1_q[31:0]), .sbox_o(sm4_in[63:32]),
      .sbox_i(sbox_out[63:32]), .state_o(next1)
    );
    zvku_sm4_round u_round2 (
      .key_i(schedule[2]), .state_i(state2_q), .round_key_i(keys2_q[31:0]), .sbox_o(sm4_in[95:64]),
      .sbox_i(sbox_out[95:64]), .state_o(next2)
    );
    zvku_sm4_round u_round3 (
      .key_i(schedule[3]), .state_i(state3_q), .round_key_i(keys3_q), .sbox_o(sm4_in[127:96]),
      .sbox_i(sbox_out[127:96]), .state_o(sm4_o)
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) busy_q <= '0;
      else if (en_i) busy_q <= busy[2:0];
    end

    // A stage without a group holds zeros.
    always_ff @(posedge clk_i) begin
      if (en_i) begin
        schedule_q <= schedule[2:0];
        state1_q <= busy[0] ? next0 : '0;
        state2_q <= busy[1] ? next1 : '0;
        state3_q <= busy[2] ? next2 : '0;
        keys1_q <= busy[0] ? keys[127:32] : '0;
        keys2_q <= busy[1] ? keys1_q[95:32] : '0;
        keys3_q <= busy[2] ? keys2_q[63:32] : '0;
      end
    end
  end else begin : gen_no_sm4
    assign sm4_in = '0;
    assign sm4_o = '0;
    assign busy = '0;
    logic unused;
    assign unused = clk_i ^ rst_ni ^ en_i ^ sm4_i;
  end
endmodule

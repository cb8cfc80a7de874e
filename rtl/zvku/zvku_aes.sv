// AES without its S-boxes: a round (vaes[ed][fm], vaesz) or a step of the key schedule (vaeskf[12])
// of one group.
//
// FIPS 197; byte r + 4c of a group is row r, column c. The S-boxes are outside, since SM4 shares
// them.
module zvku_aes (
  input  logic [3:0]   fn_i,   // AES_* of zvku_pkg
  input  logic [3:0]   imm_i,  // round number of the key schedule
  input  logic [127:0] vd_i,
  input  logic [127:0] vs2_i,
  output logic [127:0] sbox_o,  // to the S-boxes
  input  logic [127:0] sbox_i,
  output logic [127:0] vd_o
);
  logic dec, middle, zero, key;
  assign dec = fn_i[zvku_pkg::AES_DEC];
  assign middle = fn_i[zvku_pkg::AES_MIDDLE];
  assign zero = fn_i[zvku_pkg::AES_ZERO];
  assign key = fn_i[zvku_pkg::AES_KEY];

  // The key schedule substitutes the last word of the key instead of the first column.
  assign sbox_o = {vd_i[127:32], key ? vs2_i[127:96] : vd_i[31:0]};

  // ShiftRows and its inverse: row r moves by r columns to the left, or to the right.
  logic [127:0] shifted;
  for (genvar i = 0; i < 16; i++) begin : gen_shift
    localparam int unsigned Left = (i + 4 * (i % 4)) % 16;
    localparam int unsigned Right = (i + 12 * (i % 4)) % 16;
    assign shifted[8*i+:8] = dec ? sbox_i[8*Right+:8] : sbox_i[8*Left+:8];
  end

  // Each byte of a word times x.
  function automatic logic [31:0] times_x(logic [31:0] a);
    logic [3:0] carry;
    carry = {a[31], a[23], a[15], a[7]};
    times_x = {a[30:24], 1'b0, a[22:16], 1'b0, a[14:8], 1'b0, a[6:0], 1'b0};
    for (int unsigned i = 0; i < 4; i++) begin
      times_x[8*i+:8] = times_x[8*i+:8] ^ (8'h1b & {8{carry[i]}});
    end
  endfunction

  // MixColumns multiplies by the matrix (2, 3, 1, 1); its inverse is that times (5, 0, 4, 0).
  logic [127:0] keyed, mixed, added;
  assign keyed = shifted ^ (vs2_i & {128{dec}});
  for (genvar c = 0; c < 4; c++) begin : gen_mix
    logic [31:0] in, pair, next;
    assign pair = keyed[32*c+:32] ^ {keyed[32*c+:16], keyed[32*c+16+:16]};
    assign in = keyed[32*c+:32] ^ (times_x(times_x(pair)) & {32{dec}});
    assign next = {in[7:0], in[31:8]};
    assign mixed[32*c+:32] = times_x(in ^ next) ^ next ^ {in[15:0], in[31:16]}
        ^ {in[23:0], in[31:24]};
  end
  always_comb begin
    if (zero) added = vd_i;
    else if (middle) added = mixed;
    else added = keyed;
  end

  // Key schedule: each word of the key, plus all words before it, plus a transform of the last.
  logic [3:0] number, index;
  logic [7:0] constant;
  logic [31:0] start, word;
  logic [127:0] previous, schedule;
  always_comb begin
    // In numbers outside the valid range, bit 3 is inverted.
    if (dec) number = (imm_i < 4'd2 || imm_i == 4'd15) ? imm_i ^ 4'd8 : imm_i;
    else number = (imm_i == 4'd0 || imm_i > 4'd10) ? imm_i ^ 4'd8 : imm_i;
    index = (dec ? {1'b0, number[3:1]} : number) - 4'd1;
    case (index)
      4'd8: constant = 8'h1b;
      4'd9: constant = 8'h36;
      default: constant = 8'd1 << index[2:0];
    endcase
    // RotWord and the constant are left out in odd steps of 256-bit keys.
    start = dec && number[0] ? sbox_i[31:0] : {sbox_i[7:0], sbox_i[31:16], sbox_i[15:8] ^ constant};
    previous = dec ? vd_i : vs2_i;
    word = start;
    schedule = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      word = word ^ previous[32*i+:32];
      schedule[32*i+:32] = word;
    end
  end

  assign vd_o = key ? schedule : added ^ (vs2_i & {128{!dec}});
endmodule

// zvku_aes without its S-boxes, for every output of theirs, against the matrices of FIPS 197.
module aes (
  input logic [3:0]   fn_i,
  input logic [3:0]   imm_i,
  input logic [127:0] vd_i,
  input logic [127:0] vs2_i,
  input logic [127:0] sbox_i,
  output logic [255:0] bad_o  // must be zeros
);
  logic [127:0] to_sbox, result;
  zvku_aes dut (.fn_i, .imm_i, .vd_i, .vs2_i, .sbox_o(to_sbox), .sbox_i, .vd_o(result));

  logic dec, middle, zero, key;
  assign {key, zero, middle, dec} = fn_i;

  function automatic logic [7:0] times(logic [3:0] by, logic [7:0] x);
    logic [7:0] power;
    power = x;
    times = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (by[i]) times = times ^ power;
      power = {power[6:0], 1'b0} ^ (power[7] ? 8'h1b : 8'h00);
    end
  endfunction

  // Sections 5.1.3 and 5.3.3: row r of the matrix is that of row 0, moved by r columns to the
  // right.
  function automatic logic [127:0] columns(logic [15:0] row0, logic [127:0] x);
    columns = '0;
    for (int unsigned c = 0; c < 4; c++) begin
      for (int unsigned r = 0; r < 4; r++) begin
        for (int unsigned k = 0; k < 4; k++) begin
          columns[32*c+8*r+:8] = columns[32*c+8*r+:8]
              ^ times(row0[4*((k+4-r)%4)+:4], x[32*c+8*k+:8]);
        end
      end
    end
  endfunction

  // Sections 5.1.2 and 5.3.1.
  function automatic logic [127:0] shift_rows(logic inverse, logic [127:0] x);
    for (int unsigned c = 0; c < 4; c++) begin
      for (int unsigned r = 0; r < 4; r++) begin
        shift_rows[32*c+8*r+:8] = x[32*((inverse?c+4-r:c+r)%4)+8*r+:8];
      end
    end
  endfunction

  logic [127:0] shifted, wanted;
  assign shifted = shift_rows(dec, sbox_i);
  always_comb begin
    if (zero) wanted = vd_i ^ vs2_i;
    else if (dec && middle) wanted = columns(16'h9dbe, shifted ^ vs2_i);
    else if (dec) wanted = shifted ^ vs2_i;
    else if (middle) wanted = columns(16'h1132, shifted) ^ vs2_i;
    else wanted = shifted ^ vs2_i;
  end

  // Section 5.2: one round of the key expansion, for the round numbers that need no correction.
  logic [31:0] rcon, temp;
  logic [127:0] round_key, previous;
  logic [3:0] round;
  logic in_range;
  assign in_range = dec ? imm_i >= 4'd2 && imm_i <= 4'd14 : imm_i >= 4'd1 && imm_i <= 4'd10;
  assign round = dec ? {1'b0, imm_i[3:1]} : imm_i;
  assign previous = dec ? vd_i : vs2_i;
  always_comb begin
    rcon = 32'h01;
    for (int unsigned i = 1; i < 10; i++) begin
      if (4'(i) < round) rcon[7:0] = {rcon[6:0], 1'b0} ^ (rcon[7] ? 8'h1b : 8'h00);
    end
    temp = dec && imm_i[0] ? sbox_i[31:0] : {sbox_i[7:0], sbox_i[31:8]} ^ rcon;
    round_key[31:0] = previous[31:0] ^ temp;
    round_key[63:32] = previous[63:32] ^ round_key[31:0];
    round_key[95:64] = previous[95:64] ^ round_key[63:32];
    round_key[127:96] = previous[127:96] ^ round_key[95:64];
  end

  always_comb begin
    bad_o = '0;
    if (!key) bad_o[255:128] = to_sbox ^ vd_i;
    else bad_o[159:128] = to_sbox[31:0] ^ vs2_i[127:96];
    if (key && in_range && !zero && !middle) bad_o[127:0] = result ^ round_key;
    if (!key && !(zero && (dec || middle))) bad_o[127:0] = result ^ wanted;
  end
endmodule

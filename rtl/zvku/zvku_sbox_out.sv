// The linear maps out of the tower field (see zvku_sbox_in): followed by AES's affine map; AES's
// own; followed by SM4's affine map. Constants are left out.
module zvku_sbox_out (
  input  logic [7:0] x_i,
  output logic [7:0] aes_enc_o,
  output logic [7:0] aes_dec_o,
  output logic [7:0] sm4_o
);
  logic [30:0] t;
  always_comb begin
    t[7:0] = x_i;
    t[8] = t[0] ^ t[6]; t[9] = t[1] ^ t[4]; t[10] = t[2] ^ t[8]; t[11] = t[3] ^ t[5];
    t[12] = t[0] ^ t[9]; t[13] = t[10] ^ t[11]; t[14] = t[2] ^ t[12]; t[15] = t[2] ^ t[6];
    t[16] = t[7] ^ t[8]; t[17] = t[3] ^ t[9]; t[18] = t[5] ^ t[15]; t[19] = t[1] ^ t[10];
    t[20] = t[4] ^ t[13]; t[21] = t[9] ^ t[13]; t[22] = t[11] ^ t[14]; t[23] = t[11] ^ t[16];
    t[24] = t[4] ^ t[18]; t[25] = t[3] ^ t[4]; t[26] = t[16] ^ t[17]; t[27] = t[0] ^ t[4];
    t[28] = t[7] ^ t[22]; t[29] = t[3] ^ t[19]; t[30] = t[7] ^ t[13];
  end

  assign aes_enc_o = {t[8], t[15], t[11], t[10], t[29], t[23], t[12], t[17]};
  assign aes_dec_o = {t[9], t[20], t[30], t[25], t[26], t[14], t[27], t[7]};
  assign sm4_o = {t[0], t[28], t[19], t[24], t[3], t[14], t[21], t[18]};
endmodule

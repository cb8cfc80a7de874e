// The linear maps into the tower field, for the three S-boxes.
//
// The field is GF(((2^2)^2)^2) in normal bases {W^2, W}, {Z^4, Z}, {Y^16, Y} of trace 1 (Canright,
// "A Very Compact S-Box for AES", CHES 2005); the norms of Z and Y are the tuples 01 and 0010. The
// element x (0x02) of AES's field (polynomial 0x11b) maps to 0x65, and that of SM4's (0x1f5) to
// 0x67. Of all such fields and isomorphisms these have the fewest XORs, here and in zvku_sbox_out,
// after greedy elimination of common pairs (Paar, "Optimized Arithmetic for Reed-Solomon Encoders",
// ISIT 1997): 33 and 23.
//
// The outputs map to the tower field: the byte as an element of AES's field; the byte after AES's
// inverse affine map; the byte after SM4's affine map. The affine maps' constants are left out.
module zvku_sbox_in (
  input  logic [7:0] x_i,
  output logic [7:0] aes_enc_o,
  output logic [7:0] aes_dec_o,
  output logic [7:0] sm4_o
);
  logic [40:0] t;
  always_comb begin
    t[7:0] = x_i;
    t[8] = t[0] ^ t[6]; t[9] = t[5] ^ t[8]; t[10] = t[1] ^ t[3]; t[11] = t[4] ^ t[7];
    t[12] = t[1] ^ t[9]; t[13] = t[2] ^ t[5]; t[14] = t[2] ^ t[6]; t[15] = t[0] ^ t[10];
    t[16] = t[2] ^ t[11]; t[17] = t[3] ^ t[4]; t[18] = t[8] ^ t[10]; t[19] = t[3] ^ t[7];
    t[20] = t[4] ^ t[9]; t[21] = t[4] ^ t[8]; t[22] = t[2] ^ t[18]; t[23] = t[7] ^ t[12];
    t[24] = t[7] ^ t[13]; t[25] = t[1] ^ t[21]; t[26] = t[13] ^ t[17]; t[27] = t[2] ^ t[23];
    t[28] = t[3] ^ t[8]; t[29] = t[11] ^ t[15]; t[30] = t[16] ^ t[28]; t[31] = t[5] ^ t[19];
    t[32] = t[1] ^ t[14]; t[33] = t[4] ^ t[6]; t[34] = t[4] ^ t[12]; t[35] = t[0] ^ t[16];
    t[36] = t[6] ^ t[11]; t[37] = t[0] ^ t[17]; t[38] = t[5] ^ t[15]; t[39] = t[7] ^ t[10];
    t[40] = t[7] ^ t[9];
  end

  assign aes_enc_o = {t[0], t[29], t[22], t[9], t[20], t[27], t[40], t[12]};
  assign aes_dec_o = {t[24], t[36], t[34], t[37], t[25], t[11], t[18], t[33]};
  assign sm4_o = {t[30], t[38], t[32], t[14], t[39], t[26], t[35], t[31]};
endmodule

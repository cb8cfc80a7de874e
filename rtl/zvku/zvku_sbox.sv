// The S-boxes of AES encryption, AES decryption and SM4 around one inversion.
//
// AES: S(x) = A inv(x) + 63 and its inverse inv(A^-1 (x + 63)), FIPS 197 section 5.1.1. SM4: S(x) =
// A' inv(A' x + d3) + d3 in the field of polynomial 0x1f5 (Liu et al., "Analysis of the SMS4 Block
// Cipher", ACISP 2007).
module zvku_sbox #(
  parameter bit Aes = 1'b1,
  parameter bit Sm4 = 1'b1
) (
  input  logic [7:0] x_i,
  input  logic       aes_dec_i,
  input  logic       sm4_i,
  output logic [7:0] y_o
);
  logic [7:0] in_enc, in_dec, in_sm4, in, inverse, out_enc, out_dec, out_sm4;
  logic dec, sm4;

  assign sm4 = Sm4 && (sm4_i || !Aes);
  assign dec = Aes && aes_dec_i;

  zvku_sbox_in u_in (.x_i, .aes_enc_o(in_enc), .aes_dec_o(in_dec), .sm4_o(in_sm4));

  // Constants: A^-1 63 and d3, mapped into the tower field.
  always_comb begin
    if (sm4) in = in_sm4 ^ 8'h07;
    else if (dec) in = in_dec ^ 8'hdb;
    else in = in_enc;
  end

  zvku_gf8_inv u_inv (.x_i(in), .y_o(inverse));
  zvku_sbox_out u_out (.x_i(inverse), .aes_enc_o(out_enc), .aes_dec_o(out_dec), .sm4_o(out_sm4));

  always_comb begin
    if (sm4) y_o = out_sm4 ^ 8'hd3;
    else if (dec) y_o = out_dec;
    else y_o = out_enc ^ 8'h63;
  end
endmodule

// The S-boxes of zvku_sbox, for every byte, against the definitions of the standards.
module sboxes (
  input logic [7:0] x_i
);
  // FIPS 197 section 4.2: the field of x^8 + x^4 + x^3 + x + 1.
  function automatic logic [7:0] product(logic [7:0] a, logic [7:0] b);
    logic [7:0] power;
    power = a;
    product = '0;
    for (int unsigned i = 0; i < 8; i++) begin
      if (b[i]) product = product ^ power;
      power = {power[6:0], 1'b0} ^ (power[7] ? 8'h1b : 8'h00);
    end
  endfunction

  // Section 5.1.1: bits i, i + 4, i + 5, i + 6 and i + 7 of the inverse, and 63.
  function automatic logic [7:0] affine(logic [7:0] b);
    for (int unsigned i = 0; i < 8; i++) begin
      affine[i] = b[i] ^ b[(i+4)%8] ^ b[(i+5)%8] ^ b[(i+6)%8] ^ b[(i+7)%8];
    end
    affine = affine ^ 8'h63;
  endfunction

  // The inverse of a byte is its 254th power.
  function automatic logic [7:0] inverse(logic [7:0] a);
    logic [7:0] square;
    square = a;
    inverse = 8'h01;
    for (int unsigned i = 1; i < 8; i++) begin
      square = product(square, square);
      inverse = product(inverse, square);
    end
  endfunction

  logic [7:0] enc, dec, sm4, table_sm4;
  zvku_sbox u_enc (.x_i, .aes_dec_i(1'b0), .sm4_i(1'b0), .y_o(enc));
  zvku_sbox u_dec (.x_i(enc), .aes_dec_i(1'b1), .sm4_i(1'b0), .y_o(dec));
  zvku_sbox u_sm4 (.x_i, .aes_dec_i(1'b0), .sm4_i(1'b1), .y_o(sm4));
  sm4_sbox u_table (.x_i, .y_o(table_sm4));
  always_comb begin
    assert (enc == affine(inverse(x_i)));
    assert (dec == x_i);
    assert (sm4 == table_sm4);
  end
endmodule

// SHA-2 of 256 bits: one group at SEW 64, two at SEW 32 (one with Upper32 = 0), in two cycles.
//
// Per cycle, vsha2c[hl] does one round, and vsha2ms two words. One datapath serves both: at SEW 32
// its 64-bit words are pairs of 32-bit words, of group 1 and group 0, and carries stop in the
// middle.
module zvku_sha2 #(
  parameter bit Sha512 = 1'b1,
  parameter bit Upper32 = 1'b1
) (
  input  logic         clk_i,
  input  logic         en_i,
  input  logic         valid_i,
  input  logic         sew64_i,
  input  logic [3:0]   fn_i,  // SHA2_* of zvku_pkg
  input  logic [255:0] vd_i,
  input  logic [255:0] vs2_i,
  input  logic [255:0] vs1_i,
  output logic [255:0] vd_o  // of the group from one enabled cycle before
);
  localparam bit Upper = Sha512 || Upper32;
  logic wide_d, wide_q, schedule_d, schedule_q;
  assign wide_d = Sha512 && sew64_i;
  assign schedule_d = fn_i[zvku_pkg::SHA2_SCHEDULE];

  // Elements as words of the datapath, and back.
  function automatic logic [255:0] words(logic is_wide, logic [255:0] x);
    for (int unsigned k = 0; k < 4; k++) begin
      words[64*k+:64] = is_wide ? x[64*k+:64] : {Upper32 ? x[128+32*k+:32] : 32'b0, x[32*k+:32]};
    end
  endfunction
  function automatic logic [255:0] elements(logic is_wide, logic [255:0] w);
    for (int unsigned k = 0; k < 8; k++) begin
      elements[32*k+:32] = is_wide ? w[32*k+:32] : w[64*(k%4)+32*(k/4)+:32];
    end
  endfunction

  logic [255:0] vd, vs2, vs1;
  assign vd = words(wide_d, vd_i);
  assign vs2 = words(wide_d, vs2_i);
  assign vs1 = words(wide_d, vs1_i);

  // First cycle. vd is {c, d, g, h}, vs2 {a, b, e, f} from the last element to the first.
  logic [63:0] hw, a1, e1, gw;
  logic [127:0] message;
  assign message = fn_i[zvku_pkg::SHA2_HIGH] ? vs1[255:128] : vs1[127:0];
  zvku_sum #(.N(2), .Upper(Upper)) u_hw (
    .sew64_i(wide_d), .x_i({vd[63:0], message[63:0]}), .sum_o(hw)
  );
  zvku_sum #(.N(2), .Upper(Upper)) u_gw (
    .sew64_i(wide_d), .x_i({vd[127:64], message[127:64]}), .sum_o(gw)
  );
  zvku_sha2_round #(.Sha512(Sha512), .Upper(Upper)) u_round1 (
    .sew64_i(wide_d), .a_i(vs2[255:192]), .b_i(vs2[191:128]), .c_i(vd[255:192]), .d_i(vd[191:128]),
    .e_i(vs2[127:64]), .f_i(vs2[63:0]), .g_i(vd[127:64]), .hw_i(hw), .a_o(a1), .e_o(e1)
  );

  // vd is {w3, w2, w1, w0}, vs2 {w11, w10, w9, w4}, vs1 {w15, w14, -, w12}. Words 18 and 19 still
  // need sigma1 of 16 and 17.
  logic [63:0] w16, w17, part18, part19;
  zvku_sha2_schedule #(.Sha512(Sha512), .Upper(Upper)) u_schedule (
    .sew64_i(wide_d), .w0_i(vd[63:0]), .w1_i(vd[127:64]), .w2_i(vd[191:128]), .w3_i(vd[255:192]),
    .w4_i(vs2[63:0]), .w9_i(vs2[127:64]), .w10_i(vs2[191:128]), .w11_i(vs2[255:192]),
    .w12_i(vs1[63:0]), .w14_i(vs1[191:128]), .w15_i(vs1[255:192]), .w16_o(w16), .w17_o(w17),
    .part18_o(part18), .part19_o(part19)
  );

  // Registers between the cycles; zeros if there is no group.
  logic [63:0] a_q, b_q, c_q, d_q, e_q, f_q, g_q, hw_q;
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      wide_q <= wide_d;
      schedule_q <= schedule_d;
      a_q <= !valid_i ? '0 : schedule_d ? w16 : a1;
      b_q <= !valid_i ? '0 : schedule_d ? part18 : vs2[255:192];
      c_q <= !valid_i ? '0 : schedule_d ? part19 : vs2[191:128];
      d_q <= !valid_i ? '0 : vd[255:192];
      e_q <= !valid_i ? '0 : schedule_d ? w17 : e1;
      f_q <= !valid_i ? '0 : vs2[127:64];
      g_q <= !valid_i ? '0 : vs2[63:0];
      hw_q <= !valid_i ? '0 : gw;
    end
  end

  // Second cycle.
  logic [63:0] a2, e2, w18, w19, sig16, sig17;
  zvku_sha2_round #(.Sha512(Sha512), .Upper(Upper)) u_round2 (
    .sew64_i(wide_q), .a_i(a_q), .b_i(b_q), .c_i(c_q), .d_i(d_q), .e_i(e_q), .f_i(f_q), .g_i(g_q),
    .hw_i(hw_q), .a_o(a2), .e_o(e2)
  );
  zvku_sha2_sigma #(
    .Sha512(Sha512), .Shift(1'b1), .A32(17), .B32(19), .C32(10), .A64(19), .B64(61), .C64(6)
  ) u_sig16 (
    .sew64_i(wide_q), .x_i(a_q), .y_o(sig16)
  );
  zvku_sha2_sigma #(
    .Sha512(Sha512), .Shift(1'b1), .A32(17), .B32(19), .C32(10), .A64(19), .B64(61), .C64(6)
  ) u_sig17 (
    .sew64_i(wide_q), .x_i(e_q), .y_o(sig17)
  );
  zvku_sum #(.N(2), .Upper(Upper)) u_w18 (.sew64_i(wide_q), .x_i({sig16, b_q}), .sum_o(w18));
  zvku_sum #(.N(2), .Upper(Upper)) u_w19 (.sew64_i(wide_q), .x_i({sig17, c_q}), .sum_o(w19));

  assign vd_o = elements(wide_q, schedule_q ? {w19, w18, e_q, a_q} : {a2, a_q, e2, e_q});

endmodule

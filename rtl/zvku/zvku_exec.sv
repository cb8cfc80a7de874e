// The datapaths over W bits, in parallel: as many lanes of each as there are groups in W bits, at
// least one.
//
// The result is that of `unit_i`, which is in its last cycle; the others' results are ignored.
module zvku_exec #(
  parameter int unsigned W = 128,
  parameter logic [zvku_op_pkg::EXT_COUNT-1:0] Exts = '1,
  localparam int unsigned WideW = W < 256 ? 256 : W
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              en_i,
  input  logic              valid_i,  // operands are present, for `ctrl_i`
  input  zvku_pkg::ctrl_t   ctrl_i,
  input  logic [W-1:0]      vd_i,
  input  logic [W-1:0]      vs2_i,
  input  logic [W-1:0]      vs1_i,
  input  logic [WideW-1:0]  wide_vd_i,  // with the previous beat below, if W is less than 256
  input  logic [WideW-1:0]  wide_vs2_i,
  input  logic [WideW-1:0]  wide_vs1_i,
  input  zvku_pkg::unit_e   unit_i,
  output logic [WideW-1:0]  result_o
);
  localparam bit Zvbb = Exts[zvku_op_pkg::ZVBB];
  localparam bit Zvkb = Zvbb || Exts[zvku_op_pkg::ZVKB];
  localparam bit Zvbc = Exts[zvku_op_pkg::ZVBC];
  localparam bit Zvkg = Exts[zvku_op_pkg::ZVKG];
  localparam bit Zvkned = Exts[zvku_op_pkg::ZVKNED];
  localparam bit Zvknhb = Exts[zvku_op_pkg::ZVKNHB];
  localparam bit Zvknha = Zvknhb || Exts[zvku_op_pkg::ZVKNHA];
  localparam bit Zvksed = Exts[zvku_op_pkg::ZVKSED];
  localparam bit Zvksh = Exts[zvku_op_pkg::ZVKSH];
  localparam bit Mulq = Exts[zvku_op_pkg::XCAPVECMULQ0P1];

  logic [W-1:0] bits, mul, aes, sm4, modular;
  logic [WideW-1:0] sha2, sm3;
  logic [7:0] used;  // by the unit of `ctrl_i`
  assign used = 8'(valid_i) << ctrl_i.unit;

  for (genvar i = 0; i < W / 64; i++) begin : gen_bits
    if (Zvkb) begin : gen_on
      logic [3:0] fn;
      logic [1:0] eew;
      logic [63:0] vs2, vs1;
      zvku_hold #(.W(134)) u_hold (
        .clk_i, .use_i(used[zvku_pkg::UNIT_BITS]),
        .data_i({ctrl_i.fn, ctrl_i.eew, vs2_i[64*i+:64], vs1_i[64*i+:64]}),
        .data_o({fn, eew, vs2, vs1})
      );
      zvku_bits #(.Zvbb(Zvbb)) u_bits (
        .fn_i(fn), .eew_i(eew), .a_i(vs2), .b_i(vs1), .y_o(bits[64*i+:64])
      );
    end else begin : gen_off
      assign bits[64*i+:64] = '0;
    end
  end

  for (genvar i = 0; i < W / 128; i++) begin : gen_lane
    if (Zvbc || Zvkg) begin : gen_mul
      logic [3:0] fn;
      logic [127:0] vd, vs2, vs1;
      zvku_hold #(.W(388)) u_hold (
        .clk_i, .use_i(used[zvku_pkg::UNIT_MUL]),
        .data_i({ctrl_i.fn, vd_i[128*i+:128], vs2_i[128*i+:128], vs1_i[128*i+:128]}),
        .data_o({fn, vd, vs2, vs1})
      );
      zvku_clmul #(.Clmul(Zvbc), .Ghash(Zvkg)) u_mul (
        .fn_i(fn), .vd_i(vd), .vs2_i(vs2), .vs1_i(vs1), .vd_o(mul[128*i+:128])
      );
    end else begin : gen_no_mul
      assign mul[128*i+:128] = '0;
    end
    if (Zvkned || Zvksed) begin : gen_cipher
      zvku_cipher #(.Aes(Zvkned), .Sm4(Zvksed)) u_cipher (
        .clk_i, .rst_ni, .en_i, .fn_i(ctrl_i.fn), .imm_i(ctrl_i.imm[3:0]), .vd_i(vd_i[128*i+:128]),
        .vs2_i(vs2_i[128*i+:128]), .aes_i(used[zvku_pkg::UNIT_AES]),
        .sm4_i(used[zvku_pkg::UNIT_SM4]), .aes_o(aes[128*i+:128]), .sm4_o(sm4[128*i+:128])
      );
    end else begin : gen_no_cipher
      assign aes[128*i+:128] = '0;
      assign sm4[128*i+:128] = '0;
    end
  end

  for (genvar i = 0; i < W / 32; i++) begin : gen_modular
    if (Mulq) begin : gen_on
      zvku_modular u_modular (
        .clk_i, .en_i, .valid_i(used[zvku_pkg::UNIT_MODULAR]), .sew32_i(ctrl_i.sew == 2'd2),
        .fn_i(ctrl_i.fn), .vd_i(vd_i[32*i+:32]), .vs2_i(vs2_i[32*i+:32]), .vs1_i(vs1_i[32*i+:32]),
        .vd_o(modular[32*i+:32])
      );
    end else begin : gen_off
      assign modular[32*i+:32] = '0;
    end
  end

  for (genvar i = 0; i < WideW / 256; i++) begin : gen_wide
    if (Zvknha) begin : gen_sha2
      // Below 256 bits, one group of SHA-256 is processed at a time, in the upper half.
      logic sew64, swap;
      logic [3:0] fn;
      logic [255:0] held_vd, held_vs2, held_vs1, vd, vs2, vs1;
      zvku_hold #(.W(773)) u_hold (
        .clk_i, .use_i(used[zvku_pkg::UNIT_SHA2]),
        .data_i({ctrl_i.sew == 2'd3, ctrl_i.fn, wide_vd_i[256*i+:256], wide_vs2_i[256*i+:256],
            wide_vs1_i[256*i+:256]}),
        .data_o({sew64, fn, held_vd, held_vs2, held_vs1})
      );
      assign swap = W < 256 && !sew64;
      assign vd = swap ? {128'b0, held_vd[255:128]} : held_vd;
      assign vs2 = swap ? {128'b0, held_vs2[255:128]} : held_vs2;
      assign vs1 = swap ? {128'b0, held_vs1[255:128]} : held_vs1;
      zvku_sha2 #(.Sha512(Zvknhb), .Upper32(W >= 256)) u_sha2 (
        .clk_i, .en_i, .valid_i(used[zvku_pkg::UNIT_SHA2]), .sew64_i(sew64), .fn_i(fn), .vd_i(vd),
        .vs2_i(vs2), .vs1_i(vs1), .vd_o(sha2[256*i+:256])
      );
    end else begin : gen_no_sha2
      assign sha2[256*i+:256] = '0;
    end
    if (Zvksh) begin : gen_sm3
      logic [3:0] fn;
      logic [4:0] imm;
      logic [255:0] vd, vs2, vs1;
      zvku_hold #(.W(777)) u_hold (
        .clk_i, .use_i(used[zvku_pkg::UNIT_SM3]),
        .data_i({ctrl_i.fn, ctrl_i.imm[4:0], wide_vd_i[256*i+:256], wide_vs2_i[256*i+:256],
            wide_vs1_i[256*i+:256]}),
        .data_o({fn, imm, vd, vs2, vs1})
      );
      zvku_sm3 u_sm3 (
        .fn_i(fn), .imm_i(imm), .vd_i(vd), .vs2_i(vs2), .vs1_i(vs1), .vd_o(sm3[256*i+:256])
      );
    end else begin : gen_no_sm3
      assign sm3[256*i+:256] = '0;
    end
  end

  always_comb begin
    result_o = '0;
    case (unit_i)
      zvku_pkg::UNIT_BITS: result_o[W-1:0] = bits;
      zvku_pkg::UNIT_MUL: result_o[W-1:0] = mul;
      zvku_pkg::UNIT_AES: result_o[W-1:0] = aes;
      zvku_pkg::UNIT_SM4: result_o[W-1:0] = sm4;
      zvku_pkg::UNIT_SHA2: result_o = sha2;
      zvku_pkg::UNIT_MODULAR: result_o[W-1:0] = modular;
      default: result_o = sm3;
    endcase
  end

  // Signals that only disabled extensions use.
  logic unused;
  assign unused = ^{clk_i, rst_ni, en_i, used, ctrl_i, vd_i, vs2_i, vs1_i, wide_vd_i, wide_vs2_i,
      wide_vs1_i};
endmodule

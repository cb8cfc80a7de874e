// A vector crypto unit: Zvkb, Zvbb, Zvbc, Zvkg, Zvkned, Zvknha, Zvknhb, Zvksed, Zvksh, and drafts.
// Port and timing: docs/rtl.md.
module zvku #(
  parameter int unsigned VLEN = 256,  // 128, 256, 512 or 1024
  parameter int unsigned DLEN = 128,  // bits per beat: 64, 128, 256 or 512, at most VLEN
  parameter bit Zvkb = 1'b1,
  parameter bit Zvbb = 1'b1,  // with Zvkb
  parameter bit Zvbc = 1'b1,
  parameter bit Zvkg = 1'b1,
  parameter bit Zvkned = 1'b1,
  parameter bit Zvknha = 1'b1,
  parameter bit Zvknhb = 1'b1,  // with Zvknha
  parameter bit Zvksed = 1'b1,
  parameter bit Zvksh = 1'b1,
  parameter bit Zvknhk0p1 = 1'b0,  // drafts: one of the two
  parameter bit Zvknhk0p2 = 1'b0,
  parameter bit Xcapvecmulq0p1 = 1'b0,
  parameter bit Zvknf0p2022 = 1'b0,
  // Registers of the largest operand.
  localparam int unsigned Regs = (Zvknhk0p1 || Zvknhk0p2) && VLEN < 256 ? 16 : 8,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned BeatW = $clog2(Regs * VLEN / DLEN)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // Instructions.
  input  logic              insn_valid_i,
  output logic              insn_ready_o,
  input  logic [31:0]       insn_i,
  input  logic [7:0]        vtype_i,
  input  logic              vill_i,
  input  logic [PosW:0]     vl_i,
  input  logic [PosW-1:0]   vstart_i,
  input  logic [63:0]       rs1_i,
  output logic              insn_illegal_o,  // not accepted: raise an illegal-instruction exception
  output logic              insn_empty_o,    // accepted, but without a body: no beats follow

  // Beats of operands: the DLEN bits from DLEN*beat on of each register group.
  input  logic              op_valid_i,
  output logic              op_ready_o,
  output logic [3:0]        op_use_o,  // which are used: mask, vs1, vs2, vd
  output logic [BeatW-1:0]  op_vd_beat_o,
  output logic [BeatW-1:0]  op_vs2_beat_o,
  output logic [BeatW-1:0]  op_vs1_beat_o,
  input  logic [DLEN-1:0]   op_vd_i,
  input  logic [DLEN-1:0]   op_vs2_i,
  input  logic [DLEN-1:0]   op_vs1_i,
  input  logic [DLEN/8-1:0] op_mask_i,  // for each byte of vd, the mask bit of its element

  // Beats of results, in order.
  output logic              res_valid_o,
  input  logic              res_ready_i,
  output logic [DLEN-1:0]   res_data_o,
  output logic [DLEN/8-1:0] res_strb_o,  // bytes to write
  output logic [BeatW-1:0]  res_beat_o,
  output logic              res_last_o   // the instruction's last beat
);
  localparam logic [zvku_op_pkg::EXT_COUNT-1:0] Exts =
      (zvku_op_pkg::EXT_COUNT'(Zvkb || Zvbb) << zvku_op_pkg::ZVKB)
      | (zvku_op_pkg::EXT_COUNT'(Zvbb) << zvku_op_pkg::ZVBB)
      | (zvku_op_pkg::EXT_COUNT'(Zvbc) << zvku_op_pkg::ZVBC)
      | (zvku_op_pkg::EXT_COUNT'(Zvkg) << zvku_op_pkg::ZVKG)
      | (zvku_op_pkg::EXT_COUNT'(Zvkned) << zvku_op_pkg::ZVKNED)
      | (zvku_op_pkg::EXT_COUNT'(Zvknha || Zvknhb) << zvku_op_pkg::ZVKNHA)
      | (zvku_op_pkg::EXT_COUNT'(Zvknhb) << zvku_op_pkg::ZVKNHB)
      | (zvku_op_pkg::EXT_COUNT'(Zvksed) << zvku_op_pkg::ZVKSED)
      | (zvku_op_pkg::EXT_COUNT'(Zvksh) << zvku_op_pkg::ZVKSH)
      | (zvku_op_pkg::EXT_COUNT'(Zvknhk0p1) << zvku_op_pkg::ZVKNHK0P1)
      | (zvku_op_pkg::EXT_COUNT'(Zvknhk0p2) << zvku_op_pkg::ZVKNHK0P2)
      | (zvku_op_pkg::EXT_COUNT'(Xcapvecmulq0p1) << zvku_op_pkg::XCAPVECMULQ0P1)
      | (zvku_op_pkg::EXT_COUNT'(Zvknf0p2022) << zvku_op_pkg::ZVKNF0P2022);

  if (VLEN != 128 && VLEN != 256 && VLEN != 512 && VLEN != 1024) begin : gen_bad_vlen
    $fatal(1, "VLEN must be 128, 256, 512 or 1024");
  end
  if ((DLEN != 64 && DLEN != 128 && DLEN != 256 && DLEN != 512) || DLEN > VLEN) begin : gen_bad_dlen
    $fatal(1, "DLEN must be 64, 128, 256 or 512 and at most VLEN");
  end
  if (Exts == '0) begin : gen_bad_exts
    $fatal(1, "one extension must be on");
  end
  if (Zvknhk0p1 && Zvknhk0p2) begin : gen_bad_drafts
    $fatal(1, "two drafts of vkeccak have the same encoding");
  end

  if (DLEN < 128) begin : gen_narrow
    zvku_narrow #(.VLEN(VLEN), .Regs(Regs), .Exts(Exts)) u_narrow (
      .clk_i, .rst_ni, .insn_valid_i, .insn_ready_o, .insn_i, .vtype_i, .vill_i, .vl_i, .vstart_i,
      .rs1_i, .insn_illegal_o, .insn_empty_o, .op_valid_i, .op_ready_o, .op_use_o, .op_vd_beat_o,
      .op_vs2_beat_o, .op_vs1_beat_o, .op_vd_i, .op_vs2_i, .op_vs1_i, .op_mask_i, .res_valid_o,
      .res_ready_i, .res_data_o, .res_strb_o, .res_beat_o, .res_last_o
    );
  end else begin : gen_core
    logic unused;
    zvku_core #(.VLEN(VLEN), .W(DLEN), .Regs(Regs), .Exts(Exts)) u_core (
      .clk_i, .rst_ni, .insn_valid_i, .insn_ready_o, .insn_i, .vtype_i, .vill_i, .vl_i, .vstart_i,
      .rs1_i, .insn_illegal_o, .insn_empty_o, .op_valid_i, .op_ready_o, .op_wanted_o(unused),
      .op_use_o, .op_vd_beat_o, .op_vs2_beat_o, .op_vs1_beat_o, .op_vd_i, .op_vs2_i, .op_vs1_i,
      .op_mask_i, .res_valid_o, .res_ready_i, .res_data_o, .res_strb_o, .res_beat_o, .res_last_o
    );
  end
endmodule

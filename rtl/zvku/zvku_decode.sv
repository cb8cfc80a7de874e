// Decodes an instruction, checks whether it is legal, and determines its beats.
//
// A beat is W bits of a register group. Rules: manual, "Vector Operands", "Vector Element Groups",
// "Instruction Constraints" of the vector cryptography extensions. Reserved encodings trap. The
// core ensures that vset accepts vtype and that vl is at most VLMAX.
module zvku_decode #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  parameter int unsigned Regs = 8,
  parameter logic [zvku_op_pkg::EXT_COUNT-1:0] Exts = '1,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned ByteW = $clog2(Regs * VLEN / 8),
  localparam int unsigned BeatW = $clog2(Regs * VLEN / W)
) (
  input  logic [31:0]      insn_i,
  input  logic [7:0]       vtype_i,
  input  logic             vill_i,
  input  logic [PosW:0]    vl_i,
  input  logic [PosW-1:0]  vstart_i,
  output logic             illegal_o,
  output logic             empty_o,  // legal, but without beats
  output logic             reads_vd_o,
  output zvku_pkg::ctrl_t  ctrl_o,
  output logic [ByteW-1:0] start_o,  // first byte of the body
  output logic [ByteW:0]   end_o,    // byte after the body
  output logic [BeatW-1:0] first_o,
  output logic [BeatW-1:0] last_o
);
  zvku_op_pkg::op_e op;
  logic [zvku_op_pkg::EXT_COUNT-1:0] exts;
  logic has_vs1, has_rs1, has_imm, has_vm;
  zvku_op_table u_table (
    .insn_i, .op_o(op), .exts_o(exts), .has_vs1_o(has_vs1), .has_rs1_o(has_rs1),
    .has_imm_o(has_imm), .has_vm_o(has_vm)
  );

  zvku_pkg::unit_e unit;
  logic [3:0] fn;
  logic groups, egw64, wide32, scalar, scalar1, all, widening, vs2_disjoint, vs1_disjoint;
  zvku_control u_control (
    .op_i(op), .unit_o(unit), .fn_o(fn), .groups_o(groups), .egw64_o(egw64), .wide_o(wide32),
    .scalar_o(scalar), .scalar1_o(scalar1), .all_o(all), .widening_o(widening),
    .vs2_disjoint_o(vs2_disjoint), .vs1_disjoint_o(vs1_disjoint), .reads_vd_o
  );

  logic [2:0] vlmul;
  logic [1:0] sew, eew;
  logic unmasked, wide;
  assign vlmul = vtype_i[2:0];
  assign sew = vtype_i[4:3];
  assign eew = sew + {1'b0, widening};
  assign unmasked = insn_i[25];
  assign wide = wide32 || (egw64 && sew == 2'd3);

  // vkeccak of draft 0.1, and of 0.2 at VLEN 128: one group, whatever vl and LMUL are.
  localparam bit OneGroup = Exts[zvku_op_pkg::ZVKNHK0P1] || VLEN < 256;
  logic keccak, one_group;
  assign keccak = unit == zvku_pkg::UNIT_KECCAK;
  assign one_group = keccak && OneGroup;

  // SEW and the extensions.
  logic bad_sew, bad_ext;
  always_comb begin
    bad_ext = (exts & Exts) == '0;
    bad_sew = 1'b0;
    if (keccak) bad_sew = sew != 2'd3;
    else if (widening) bad_sew = sew == 2'd3 || vlmul == 3'd3;
    else if (unit == zvku_pkg::UNIT_MODULAR) bad_sew = sew != 2'd1 && sew != 2'd2;
    else if (unit == zvku_pkg::UNIT_MUL && !groups) bad_sew = sew != 2'd3;
    else if (groups) bad_sew = sew != 2'd2 && !(egw64 && sew == 2'd3 && Exts[zvku_op_pkg::ZVKNHB]);
  end

  // Element groups: vl and vstart are multiples of a group, and the registers hold at least one.
  logic [2:0] rest;
  logic [1:0] keccak_rest;
  logic bad_groups, bad_imm;
  logic [7:0] small128, small256, small2048;  // for each vlmul: LMUL * VLEN is too small
  for (genvar l = 0; l < 8; l++) begin : gen_small
    localparam int unsigned Bits = (l < 4) ? VLEN << l : VLEN >> (8 - l);
    assign small128[l] = Bits < 128;
    assign small256[l] = Bits < 256;
    assign small2048[l] = Bits < 2048;
  end
  always_comb begin
    rest = vl_i[2:0] | vstart_i[2:0];
    keccak_rest = vl_i[4:3] | vstart_i[4:3];
    if (!wide32 && !keccak) rest[2] = 1'b0;  // groups of 4, not of 8 or 32
    bad_groups = groups && (rest != 3'b0 || (wide ? small256[vlmul] : small128[vlmul]));
    if (keccak) bad_groups = rest != 3'b0 || keccak_rest != 2'b0 || small2048[vlmul];
    if (one_group) bad_groups = vstart_i != '0;
  end
  assign bad_imm = keccak && insn_i[24:21] != 4'b0;

  // Registers.
  logic bad_registers;
  zvku_group_check u_group_check (
    .vd_i(insn_i[11:7]), .vs2_i(insn_i[24:20]), .vs1_i(insn_i[19:15]), .vlmul_i(vlmul),
    .has_vs1_i(has_vs1), .masked_i(has_vm && !unmasked), .widening_i(widening),
    .one_vs2_i(scalar || keccak), .one_vs1_i(scalar1), .vs2_disjoint_i(vs2_disjoint),
    .vs1_disjoint_i(vs1_disjoint), .vd_low_i(one_group ? 5'(2048 / VLEN - 1) : 5'd0),
    .bad_o(bad_registers)
  );

  // A word that is no instruction of the unit belongs to no extension.
  assign illegal_o = vill_i || bad_ext || bad_sew || bad_groups || bad_imm || bad_registers;

  // The body. If it is not empty, vl bounds both positions.
  logic [ByteW:0] last;
  assign empty_o = {1'b0, vstart_i} >= vl_i && !one_group;
  assign start_o = ByteW'(vstart_i) << eew;
  assign end_o = one_group ? (ByteW + 1)'(256) : (ByteW + 1)'(vl_i) << eew;
  assign last = end_o - 1'b1;
  assign first_o = start_o[ByteW-1-:BeatW];
  assign last_o = last[ByteW-1-:BeatW];

  always_comb begin
    ctrl_o.unit = unit;
    ctrl_o.fn = fn;
    if (keccak) ctrl_o.fn[zvku_pkg::KECCAK_SHORT] = insn_i[20];
    ctrl_o.groups = groups;
    ctrl_o.wide = wide;
    ctrl_o.scalar = scalar;
    ctrl_o.scalar1 = scalar1;
    ctrl_o.all = all;
    ctrl_o.widening = widening;
    ctrl_o.use_vs1 = has_vs1;
    ctrl_o.use_rs1 = has_rs1;
    ctrl_o.use_imm = has_imm && !groups;
    ctrl_o.unmasked = !has_vm || unmasked;
    ctrl_o.sew = sew;
    ctrl_o.eew = eew;
    ctrl_o.imm = {insn_i[26] && !widening, insn_i[19:15]};
  end

  logic unused;
  assign unused = ^{vtype_i[7:5], last[ByteW], last[ByteW-BeatW-1:0]};
endmodule

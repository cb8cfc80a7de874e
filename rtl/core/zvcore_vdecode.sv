// What a vector instruction does, from its op, class and vtype.
module zvcore_vdecode (
  input  logic [31:0]           insn_i,
  input  zvcore_op_pkg::op_e    op_i,
  input  zvcore_op_pkg::class_e class_i,
  input  logic                  has_vs2_i,
  input  logic                  has_vs1_i,
  input  logic [2:0]            vlmul_i,
  input  logic [1:0]            sew_i,
  output zvcore_v_pkg::ctrl_t   ctrl_o
);
  // Width of a load or store; registers of a whole-register one, or of vmvNr.v.
  logic [1:0] width, count;
  logic signed [4:0] lmul, scaled;
  logic load, store, unit, strided, indexed, index16, compares;
  assign width = insn_i[14] ? insn_i[13:12] : 2'd0;
  assign lmul = 5'($signed(vlmul_i));
  assign scaled = lmul + $signed({3'b0, width}) - $signed({3'b0, sew_i});
  assign load = class_i == zvcore_op_pkg::CLASS_VLOAD
      || class_i == zvcore_op_pkg::CLASS_VLOAD_STRIDED
      || class_i == zvcore_op_pkg::CLASS_VLOAD_INDEXED;
  assign store = class_i == zvcore_op_pkg::CLASS_VSTORE
      || class_i == zvcore_op_pkg::CLASS_VSTORE_STRIDED
      || class_i == zvcore_op_pkg::CLASS_VSTORE_INDEXED;
  assign unit = class_i == zvcore_op_pkg::CLASS_VLOAD || class_i == zvcore_op_pkg::CLASS_VSTORE;
  assign strided = class_i == zvcore_op_pkg::CLASS_VLOAD_STRIDED
      || class_i == zvcore_op_pkg::CLASS_VSTORE_STRIDED;
  assign indexed = (load || store) && !unit && !strided;

  assign index16 = op_i == zvcore_op_pkg::VRGATHEREI16_VV;
  // Of the table's instructions in this class, those with funct6 011xxx are comparisons.
  assign compares = class_i == zvcore_op_pkg::CLASS_VALU && insn_i[31:29] == 3'b011;

  logic whole_memory, copy;
  assign whole_memory = unit && insn_i[24:20] == 5'b01000;
  assign copy = op_i == zvcore_op_pkg::VMV1R_V || op_i == zvcore_op_pkg::VMV2R_V
      || op_i == zvcore_op_pkg::VMV4R_V
      || op_i == zvcore_op_pkg::VMV8R_V;
  always_comb begin
    case (copy ? insn_i[17:15] : insn_i[31:29])
      3'd0: count = 2'd0;
      3'd1: count = 2'd1;
      3'd3: count = 2'd2;
      default: count = 2'd3;
    endcase
  end

  zvcore_v_pkg::alu_e alu;
  always_comb begin
    case (op_i)
      zvcore_op_pkg::VADD_VV, zvcore_op_pkg::VADD_VX, zvcore_op_pkg::VADD_VI:
        alu = zvcore_v_pkg::ALU_ADD;
      zvcore_op_pkg::VSUB_VV, zvcore_op_pkg::VSUB_VX: alu = zvcore_v_pkg::ALU_SUB;
      zvcore_op_pkg::VRSUB_VX, zvcore_op_pkg::VRSUB_VI: alu = zvcore_v_pkg::ALU_RSUB;
      zvcore_op_pkg::VMINU_VV, zvcore_op_pkg::VMINU_VX: alu = zvcore_v_pkg::ALU_MINU;
      zvcore_op_pkg::VMIN_VV, zvcore_op_pkg::VMIN_VX: alu = zvcore_v_pkg::ALU_MIN;
      zvcore_op_pkg::VMAXU_VV, zvcore_op_pkg::VMAXU_VX: alu = zvcore_v_pkg::ALU_MAXU;
      zvcore_op_pkg::VMAX_VV, zvcore_op_pkg::VMAX_VX: alu = zvcore_v_pkg::ALU_MAX;
      zvcore_op_pkg::VAND_VV, zvcore_op_pkg::VAND_VX, zvcore_op_pkg::VAND_VI:
        alu = zvcore_v_pkg::ALU_AND;
      zvcore_op_pkg::VOR_VV, zvcore_op_pkg::VOR_VX, zvcore_op_pkg::VOR_VI:
        alu = zvcore_v_pkg::ALU_OR;
      zvcore_op_pkg::VXOR_VV, zvcore_op_pkg::VXOR_VX, zvcore_op_pkg::VXOR_VI:
        alu = zvcore_v_pkg::ALU_XOR;
      zvcore_op_pkg::VSLL_VV, zvcore_op_pkg::VSLL_VX, zvcore_op_pkg::VSLL_VI:
        alu = zvcore_v_pkg::ALU_SLL;
      zvcore_op_pkg::VSRL_VV, zvcore_op_pkg::VSRL_VX, zvcore_op_pkg::VSRL_VI:
        alu = zvcore_v_pkg::ALU_SRL;
      zvcore_op_pkg::VSRA_VV, zvcore_op_pkg::VSRA_VX, zvcore_op_pkg::VSRA_VI:
        alu = zvcore_v_pkg::ALU_SRA;
      zvcore_op_pkg::VMERGE_VVM, zvcore_op_pkg::VMERGE_VXM, zvcore_op_pkg::VMERGE_VIM:
        alu = zvcore_v_pkg::ALU_MERGE;
      zvcore_op_pkg::VMV1R_V, zvcore_op_pkg::VMV2R_V,
      zvcore_op_pkg::VMV4R_V, zvcore_op_pkg::VMV8R_V:
        alu = zvcore_v_pkg::ALU_COPY;
      default: alu = zvcore_v_pkg::ALU_MOVE;
    endcase
  end

  zvcore_v_pkg::element_e element;
  logic by_element;
  always_comb begin
    by_element = 1'b1;
    element = strided || unit ? zvcore_v_pkg::EL_STRIDE : zvcore_v_pkg::EL_INDEX;
    case (op_i)
      zvcore_op_pkg::VSLIDEUP_VX, zvcore_op_pkg::VSLIDEUP_VI: element = zvcore_v_pkg::EL_UP;
      zvcore_op_pkg::VSLIDEDOWN_VX, zvcore_op_pkg::VSLIDEDOWN_VI: element = zvcore_v_pkg::EL_DOWN;
      zvcore_op_pkg::VSLIDE1UP_VX: element = zvcore_v_pkg::EL_UP1;
      zvcore_op_pkg::VSLIDE1DOWN_VX: element = zvcore_v_pkg::EL_DOWN1;
      zvcore_op_pkg::VRGATHER_VV, zvcore_op_pkg::VRGATHEREI16_VV: element = zvcore_v_pkg::EL_GATHER;
      zvcore_op_pkg::VRGATHER_VX, zvcore_op_pkg::VRGATHER_VI: element = zvcore_v_pkg::EL_SPLAT;
      zvcore_op_pkg::VMV_X_S: element = zvcore_v_pkg::EL_TO_X;
      zvcore_op_pkg::VMV_S_X: element = zvcore_v_pkg::EL_FROM_X;
      zvcore_op_pkg::VID_V: element = zvcore_v_pkg::EL_ID;
      zvcore_op_pkg::VIOTA_M: element = zvcore_v_pkg::EL_IOTA;
      default: begin
        by_element = strided || indexed || compares;
        if (compares) element = zvcore_v_pkg::EL_COMPARE;
      end
    endcase
  end

  logic first_only, slide;
  assign slide = by_element && (element == zvcore_v_pkg::EL_UP || element == zvcore_v_pkg::EL_DOWN);
  assign first_only = element == zvcore_v_pkg::EL_TO_X || element == zvcore_v_pkg::EL_FROM_X;
  always_comb begin
    if (op_i == zvcore_op_pkg::NONE) ctrl_o.by = zvcore_v_pkg::BY_ZVKU;
    else if (class_i == zvcore_op_pkg::CLASS_VSET) ctrl_o.by = zvcore_v_pkg::BY_VSET;
    else if (unit) ctrl_o.by = zvcore_v_pkg::BY_LINE;
    else if (by_element && !slide) ctrl_o.by = zvcore_v_pkg::BY_ELEMENT;
    else ctrl_o.by = zvcore_v_pkg::BY_BEAT;
    ctrl_o.alu = alu;
    ctrl_o.element = element;
    ctrl_o.slide = slide;
    ctrl_o.store = store;
    ctrl_o.memory = load || store;
    ctrl_o.masked = !insn_i[25] && ctrl_o.by != zvcore_v_pkg::BY_VSET;
    ctrl_o.use_vs2 = has_vs2_i;
    ctrl_o.use_vs1 = has_vs1_i;
    ctrl_o.any_vtype = whole_memory;
    ctrl_o.whole = whole_memory || copy;
    ctrl_o.mask_data = op_i == zvcore_op_pkg::VLM_V || op_i == zvcore_op_pkg::VSM_V;
    ctrl_o.apart = element == zvcore_v_pkg::EL_UP || element == zvcore_v_pkg::EL_UP1
        || element == zvcore_v_pkg::EL_GATHER || element == zvcore_v_pkg::EL_SPLAT
        || element == zvcore_v_pkg::EL_IOTA;
    ctrl_o.to_mask = compares;
    ctrl_o.from_mask = element == zvcore_v_pkg::EL_IOTA;
    ctrl_o.compare = insn_i[28:26];
    ctrl_o.reserved = (load || store) && !whole_memory && insn_i[31:29] != '0;
    ctrl_o.eew = (unit || strided) ? width : sew_i;
    if (ctrl_o.whole) ctrl_o.emul = $signed({3'b0, count});
    else if (ctrl_o.mask_data || compares || first_only) ctrl_o.emul = '0;
    else ctrl_o.emul = (unit || strided) ? scaled : lmul;
    ctrl_o.vs2_eew = indexed ? width : sew_i;
    ctrl_o.vs1_eew = index16 ? 2'd1 : sew_i;
    ctrl_o.vs2_emul = lmul;
    if (indexed) ctrl_o.vs2_emul = scaled;
    if (copy) ctrl_o.vs2_emul = ctrl_o.emul;
    if (ctrl_o.from_mask) ctrl_o.vs2_emul = '0;
    ctrl_o.vs1_emul = index16 ? lmul + 5'sd1 - $signed({3'b0, sew_i}) : lmul;
  end

  logic unused;
  assign unused = ^{insn_i[19:18], insn_i[11:0]};
endmodule

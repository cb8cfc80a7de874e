// Whether one of the core's own vector instructions is illegal (manual, "Vector Operands", "Vector
// Masking", "Vector Loads and Stores"). Reserved encodings trap.
module zvcore_vcheck (
  input  zvcore_v_pkg::ctrl_t ctrl_i,
  input  logic                vill_i,
  input  logic                started_i,  // vstart is not 0
  input  logic [4:0]          vd_i,
  input  logic [4:0]          vs2_i,
  input  logic [4:0]          vs1_i,
  output logic                illegal_o
);
  // Bits of a register's number within its group.
  function automatic logic [4:0] low(logic [2:0] emul);
    low = emul[2] ? 5'd0 : (5'd1 << emul[1:0]) - 5'd1;
  endfunction

  function automatic logic bad(logic signed [4:0] emul);
    bad = emul > 5'sd3 || emul < -5'sd3;
  endfunction

  logic [4:0] low_vd, low_vs2, low_vs1;
  assign low_vd = low({ctrl_i.emul[4], ctrl_i.emul[1:0]});
  assign low_vs2 = low({ctrl_i.vs2_emul[4], ctrl_i.vs2_emul[1:0]});
  assign low_vs1 = low({ctrl_i.vs1_emul[4], ctrl_i.vs1_emul[1:0]});

  logic bad_emul, misaligned, masks_v0;
  assign bad_emul = bad(ctrl_i.emul) || (ctrl_i.use_vs2 && bad(ctrl_i.vs2_emul))
      || (ctrl_i.use_vs1 && bad(ctrl_i.vs1_emul));
  assign misaligned = (vd_i & low_vd) != '0 || (ctrl_i.use_vs2 && (vs2_i & low_vs2) != '0)
      || (ctrl_i.use_vs1 && (vs1_i & low_vs1) != '0);
  assign masks_v0 = ctrl_i.masked && ((vd_i == '0 && !ctrl_i.to_mask)
      || (ctrl_i.use_vs2 && vs2_i == '0 && !ctrl_i.from_mask) || (ctrl_i.use_vs1 && vs1_i == '0));

  // Groups that share a register.
  logic meets_2, meets_1, sources_meet;
  assign meets_2 = ctrl_i.use_vs2 && ((vd_i ^ vs2_i) & ~(low_vd | low_vs2)) == '0;
  assign meets_1 = ctrl_i.use_vs1 && ((vd_i ^ vs1_i) & ~(low_vd | low_vs1)) == '0;
  assign sources_meet = ctrl_i.use_vs2 && ctrl_i.use_vs1
      && ((vs2_i ^ vs1_i) & ~(low_vs2 | low_vs1)) == '0;

  // If index EEW differs from data EEW, a store must not read one register with both. A load's vd
  // may overlap its indices only where each index is read before it is overwritten. A mask result
  // may be written to the lowest register of its source group.
  logic index_clash, apart_clash, mask_clash, source_clash, at_start, at_end;
  assign at_start = vd_i == vs2_i;
  assign at_end = !ctrl_i.vs2_emul[4] && (vs2_i | low_vs2) == (vd_i | low_vd);
  always_comb begin
    index_clash = 1'b0;
    if (ctrl_i.memory && meets_2 && ctrl_i.eew != ctrl_i.vs2_eew) begin
      if (ctrl_i.store) index_clash = 1'b1;
      else index_clash = ctrl_i.eew < ctrl_i.vs2_eew ? !at_start : !at_end;
    end
  end
  assign apart_clash = ctrl_i.apart && (meets_2 || meets_1);
  assign mask_clash = ctrl_i.to_mask && ((meets_2 && !at_start) || (meets_1 && vd_i != vs1_i));
  assign source_clash = sources_meet && ctrl_i.vs2_eew != ctrl_i.vs1_eew;

  // vmv.x.s writes an x register instead of vd, and any vs2 is legal.
  logic to_x;
  assign to_x = ctrl_i.by == zvcore_v_pkg::BY_ELEMENT && ctrl_i.element == zvcore_v_pkg::EL_TO_X;
  assign illegal_o = (vill_i && !ctrl_i.any_vtype) || ctrl_i.reserved
      || (ctrl_i.from_mask && started_i)
      || (!to_x && (bad_emul || misaligned || masks_v0 || index_clash || apart_clash
      || mask_clash || source_clash));

  logic unused;
  assign unused = ^ctrl_i;
endmodule

// What makes one of the core's own vector instructions illegal (manual, "Vector Operands", "Vector Masking", "Vector Loads and
// Stores"). Reserved encodings trap.
module zvcore_vcheck (
  input  zvcore_v_pkg::ctrl_t ctrl_i,
  input  logic                vill_i,
  input  logic [4:0]          vd_i,
  input  logic [4:0]          vs2_i,
  input  logic [4:0]          vs1_i,
  output logic                illegal_o
);
  // Bits of a register's number within its group.
  function automatic logic [4:0] low(logic [2:0] emul);
    low = emul[2] ? 5'd0 : (5'd1 << emul[1:0]) - 5'd1;
  endfunction

  logic [4:0] low_d, low_2;
  assign low_d = low({ctrl_i.emul[4], ctrl_i.emul[1:0]});
  assign low_2 = low({ctrl_i.index_emul[4], ctrl_i.index_emul[1:0]});

  logic bad_emul, misaligned, masks_v0, meets;
  assign bad_emul = ctrl_i.emul > 5'sd3 || ctrl_i.emul < -5'sd3 || ctrl_i.index_emul > 5'sd3
      || ctrl_i.index_emul < -5'sd3;
  assign misaligned = (vd_i & low_d) != '0 || (ctrl_i.use_vs2 && (vs2_i & low_2) != '0)
      || (ctrl_i.use_vs1 && (vs1_i & low_d) != '0);
  assign masks_v0 = ctrl_i.masked
      && (vd_i == '0 || (ctrl_i.use_vs2 && vs2_i == '0) || (ctrl_i.use_vs1 && vs1_i == '0));
  assign meets = ctrl_i.use_vs2 && ((vd_i ^ vs2_i) & ~(low_d | low_2)) == '0;

  // Indices of another width than the data: a store must not read a register with both; a load may have them where each is read
  // before it is overwritten.
  logic index_clash, at_start, at_end;
  assign at_start = vd_i == vs2_i;
  assign at_end = !ctrl_i.index_emul[4] && (vs2_i | low_2) == (vd_i | low_d);
  always_comb begin
    index_clash = 1'b0;
    if (ctrl_i.memory && meets && ctrl_i.eew != ctrl_i.index_eew) begin
      if (ctrl_i.store) index_clash = 1'b1;
      else index_clash = ctrl_i.eew < ctrl_i.index_eew ? !at_start : !at_end;
    end
  end

  // vmv.x.s has an x register in the place of vd.
  logic to_x, apart_clash;
  assign to_x = ctrl_i.by == zvcore_v_pkg::BY_ELEMENT && ctrl_i.element == zvcore_v_pkg::EL_TO_X;
  assign apart_clash = ctrl_i.apart && (vd_i == vs2_i || (ctrl_i.use_vs1 && vd_i == vs1_i));
  assign illegal_o = (vill_i && !ctrl_i.any_vtype) || ctrl_i.reserved
      || (!to_x && (bad_emul || misaligned || masks_v0 || index_clash || apart_clash));

  logic unused;
  assign unused = ^ctrl_i;
endmodule

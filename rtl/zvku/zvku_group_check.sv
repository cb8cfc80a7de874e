// Alignment and overlap of register groups (manual, "Vector Operands").
module zvku_group_check (
  input  logic [4:0] vd_i,
  input  logic [4:0] vs2_i,
  input  logic [4:0] vs1_i,
  input  logic [2:0] vlmul_i,
  input  logic       has_vs1_i,
  input  logic       masked_i,
  input  logic       widening_i,      // vd has twice EMUL and EEW
  input  logic       one_vs2_i,       // vs2 is a single register, or no operand
  input  logic       one_vs1_i,       // likewise vs1
  input  logic       vs2_disjoint_i,  // vs2 must not overlap vd at all
  input  logic       vs1_disjoint_i,
  input  logic [4:0] vd_low_i,        // unless zero: low bits of vd that must be 0 at any LMUL
  output logic       bad_o
);
  // Low bits of a register's number within its group.
  logic [4:0] src_low, dst_low;
  always_comb begin
    src_low = vlmul_i[2] ? 5'd0 : (5'd1 << vlmul_i[1:0]) - 5'd1;
    // Twice a fractional LMUL is at most one register.
    dst_low = widening_i && !vlmul_i[2] ? {src_low[3:0], 1'b1} : src_low;
    if (vd_low_i != '0) dst_low = vd_low_i;
  end

  logic misaligned;
  assign misaligned = (vd_i & dst_low) != '0 || (!one_vs2_i && (vs2_i & src_low) != '0)
      || (has_vs1_i && !one_vs1_i && (vs1_i & src_low) != '0);

  // Overlap of groups that are aligned.
  logic vs2_meets, vs1_meets;
  assign vs2_meets = ((vs2_i ^ vd_i) & ~dst_low) == '0;
  assign vs1_meets = has_vs1_i && ((vs1_i ^ vd_i) & ~dst_low) == '0;

  // In widening instructions a source may be the upper half of the destination if its EMUL is at
  // least 1.
  logic vs2_upper, vs1_upper;
  assign vs2_upper = !vlmul_i[2] && (vs2_i & (dst_low ^ src_low)) != '0;
  assign vs1_upper = !vlmul_i[2] && (vs1_i & (dst_low ^ src_low)) != '0;

  logic overlap;
  assign overlap = (vs2_meets && (vs2_disjoint_i || (widening_i && !vs2_upper)))
      || (vs1_meets && (vs1_disjoint_i || (widening_i && !vs1_upper)));

  // A masked instruction must not write v0, nor read it as elements as well.
  logic mask_clash;
  assign mask_clash = masked_i && (vd_i == '0 || vs2_i == '0 || (has_vs1_i && vs1_i == '0));

  assign bad_o = misaligned || overlap || mask_clash;
endmodule

// The body of a vector instruction: its elements from vstart on, their bytes in a register group,
// and whether a unit-stride access of all of them would fault.
module zvcore_vbody #(
  parameter int unsigned VLEN = 256,
  parameter logic [63:0] RamBase = 64'h8000_0000,
  parameter logic [63:0] RamLen = 64'h10_0000,
  localparam int unsigned PosW = $clog2(VLEN)
) (
  input  zvcore_v_pkg::ctrl_t ctrl_i,
  input  logic [PosW:0]       vl_i,
  input  logic [PosW-1:0]     vstart_i,
  input  logic [63:0]         base_i,
  input  logic                zvku_empty_i,
  output logic [PosW:0]       elements_o,  // the element after the body
  output logic                empty_o,
  output logic [PosW-1:0]     first_byte_o,
  output logic [PosW:0]       end_byte_o,
  output logic                fault_o
);
  always_comb begin
    if (ctrl_i.whole) elements_o = (PosW + 1)'(VLEN / 8) << ctrl_i.emul[1:0] >> ctrl_i.eew;
    else if (ctrl_i.mask_data) elements_o = (vl_i + (PosW + 1)'(7)) >> 3;
    else elements_o = vl_i;
    empty_o = {1'b0, vstart_i} >= elements_o;
    if (ctrl_i.by == zvcore_v_pkg::BY_ZVKU) empty_o = zvku_empty_i;
    // vmv.x.s depends on neither vl nor vstart.
    if (ctrl_i.by == zvcore_v_pkg::BY_ELEMENT && ctrl_i.element == zvcore_v_pkg::EL_TO_X) begin
      empty_o = 1'b0;
    end
  end
  // If the body is not empty, both are within a register group, so neither shift overflows.
  assign first_byte_o = vstart_i << ctrl_i.eew;
  assign end_byte_o = elements_o << ctrl_i.eew;

  logic [63:0] at;
  zvcore_pma #(.RamBase(RamBase), .RamLen(RamLen)) u_pma (
    .first_i(base_i + 64'(first_byte_o)), .last_i(base_i + 64'(end_byte_o) - 64'd1), .fault_o,
    .at_o(at)
  );

  logic unused;
  assign unused = ^{at, ctrl_i};
endmodule

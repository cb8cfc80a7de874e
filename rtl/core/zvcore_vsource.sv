// The element of vs2 that is copied to element k of vd, if any (manual, "Vector Permutation
// Instructions").
module zvcore_vsource #(
  parameter int unsigned VLEN = 256,
  localparam int unsigned PosW = $clog2(VLEN)
) (
  input  zvcore_v_pkg::element_e element_i,
  input  logic [PosW-1:0]        k_i,
  input  logic                   last_i,
  input  logic [63:0]            scalar_i,
  input  logic [PosW:0]          vlmax_i,
  output logic [63:0]            from_o,
  output logic                   zero_o,   // no source: it becomes 0
  output logic                   scalar_o  // no source: it becomes the scalar
);
  always_comb begin
    {zero_o, scalar_o} = '0;
    from_o = '0;
    case (element_i)
      zvcore_v_pkg::EL_UP1: begin
        scalar_o = k_i == '0;
        from_o = 64'(k_i) - 64'd1;
      end
      zvcore_v_pkg::EL_DOWN1: begin
        scalar_o = last_i;
        from_o = 64'(k_i) + 64'd1;
      end
      zvcore_v_pkg::EL_SPLAT: begin
        zero_o = scalar_i >= 64'(vlmax_i);
        from_o = scalar_i;
      end
      zvcore_v_pkg::EL_COMPARE: from_o = 64'(k_i);
      zvcore_v_pkg::EL_IOTA: from_o = 64'(k_i) >> 3;  // the byte that holds its bit
      zvcore_v_pkg::EL_FROM_X: scalar_o = 1'b1;
      default: ;
    endcase
  end
endmodule

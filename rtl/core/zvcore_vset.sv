// vtype and vl of a vset (manual, "Configuration-Setting Instructions").
module zvcore_vset #(
  parameter int unsigned VLEN = 256,
  localparam int unsigned PosW = $clog2(VLEN)
) (
  input  logic [63:0]   vtype_i,  // as requested
  input  logic          keep_i,   // rd and rs1 are x0: vl stays
  input  logic          most_i,   // rs1 is x0: vl becomes VLMAX
  input  logic [63:0]   avl_i,
  input  logic [PosW:0] vl_i,     // the previous ones
  input  logic [PosW:0] vlmax_i,
  output logic          vill_o,
  output logic [PosW:0] vl_o,
  output logic [PosW:0] vlmax_o
);
  logic bad;
  logic [1:0] sew;
  logic [PosW+3:0] registers;
  assign sew = vtype_i[4:3];
  always_comb begin
    bad = vtype_i[63:8] != '0 || vtype_i[5];
    case (vtype_i[2:0])
      3'd4: bad = 1'b1;
      3'd5: bad |= sew > 2'd0;
      3'd6: bad |= sew > 2'd1;
      3'd7: bad |= sew > 2'd2;
      default: ;
    endcase
    // Bits of a register group, from which VLMAX follows.
    registers = vtype_i[2] ? (PosW + 4)'(VLEN) >> (4'd8 - {1'b0, vtype_i[2:0]})
        : (PosW + 4)'(VLEN) << vtype_i[1:0];
  end
  assign vlmax_o = bad ? '0 : (PosW + 1)'(registers >> ({1'b0, sew} + 3'd3));
  assign vill_o = bad || (keep_i && vlmax_o != vlmax_i);
  always_comb begin
    if (vill_o) vl_o = '0;
    else if (keep_i) vl_o = vl_i;
    else if (most_i || avl_i > 64'(vlmax_o)) vl_o = vlmax_o;
    else vl_o = avl_i[PosW:0];
  end

  logic unused;
  assign unused = ^vtype_i[7:6];
endmodule

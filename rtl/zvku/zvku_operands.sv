// Operands of a beat in the form that the datapaths use: the scalar and immediate as elements,
// element group 0 of vs2 or vs1 for all lanes (`.vs`), sources of widening instructions expanded to
// the destination's width.
module zvku_operands #(
  parameter int unsigned W = 128
) (
  input  zvku_pkg::ctrl_t ctrl_i,
  input  logic            upper_i,  // widening: the beat's upper half holds the sources
  input  logic [63:0]     scalar_i,
  input  logic [W-1:0]    vs2_i,
  input  logic [W-1:0]    vs1_i,
  output logic [W-1:0]    vs2_o,
  output logic [W-1:0]    vs1_o
);
  localparam int unsigned H = W / 2;
  logic [H-1:0] half2, half1;
  assign half2 = upper_i ? vs2_i[W-1:H] : vs2_i[H-1:0];
  assign half1 = upper_i ? vs1_i[W-1:H] : vs1_i[H-1:0];

  // Elements of `eew` from half as many bits.
  function automatic logic [W-1:0] expand(logic [1:0] eew, logic [H-1:0] x);
    for (int unsigned i = 0; i < W; i++) begin
      case (eew)
        2'd1: expand[i] = i % 16 < 8 && x[8*(i/16)+i%8];
        2'd2: expand[i] = i % 32 < 16 && x[16*(i/32)+i%16];
        default: expand[i] = i % 64 < 32 && x[32*(i/64)+i%32];
      endcase
    end
  endfunction

  // The scalar, truncated to SEW, in every element.
  logic [63:0] element, splat;
  assign element = ctrl_i.use_imm ? {58'b0, ctrl_i.imm} : scalar_i;
  always_comb begin
    case (ctrl_i.eew)
      2'd0: splat = {8{element[7:0]}};
      2'd1: splat = {4{element[15:0]}};
      2'd2: splat = {2{element[31:0]}};
      default: splat = element;
    endcase
  end

  always_comb begin
    if (ctrl_i.scalar) vs2_o = {W / 128{vs2_i[127:0]}};
    else if (ctrl_i.widening) vs2_o = expand(ctrl_i.eew, half2);
    else vs2_o = vs2_i;
    if (ctrl_i.use_rs1 || ctrl_i.use_imm) vs1_o = {W / 64{splat}};
    else if (ctrl_i.scalar1) vs1_o = {W / 128{vs1_i[127:0]}};
    else if (ctrl_i.widening) vs1_o = expand(ctrl_i.eew, half1);
    else vs1_o = vs1_i;
  end

  logic unused;
  assign unused = ^ctrl_i;
endmodule

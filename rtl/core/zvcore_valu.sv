// Arithmetic of a beat: computed for every SEW, from which the instruction's is selected.
module zvcore_valu #(
  parameter int unsigned W = 128
) (
  input  zvcore_v_pkg::alu_e alu_i,
  input  logic [1:0]         sew_i,
  input  logic               use_scalar_i,
  input  logic [63:0]        scalar_i,
  input  logic [W/8-1:0]     mask_i,
  input  logic [W-1:0]       vs2_i,
  input  logic [W-1:0]       vs1_i,
  output logic [W-1:0]       y_o
);
  logic [63:0] splat;
  logic [W-1:0] b;
  always_comb begin
    case (sew_i)
      2'd0: splat = {8{scalar_i[7:0]}};
      2'd1: splat = {4{scalar_i[15:0]}};
      2'd2: splat = {2{scalar_i[31:0]}};
      default: splat = scalar_i;
    endcase
  end
  assign b = use_scalar_i ? {W / 64{splat}} : vs1_i;

  logic [4*W-1:0] y;  // by width
  for (genvar s = 0; s < 4; s++) begin : gen_width
    localparam int unsigned N = 8 << s;
    for (genvar i = 0; i < W / N; i++) begin : gen_element
      zvcore_valu_element #(.N(N)) u_element (
        .alu_i, .a_i(vs2_i[N*i+:N]), .b_i(b[N*i+:N]), .y_o(y[W*s+N*i+:N])
      );
    end
  end

  // vmerge selects vs2 where the mask bit is 0.
  always_comb begin
    y_o = y[W*sew_i+:W];
    for (int unsigned k = 0; k < W / 8; k++) begin
      if (alu_i == zvcore_v_pkg::ALU_MERGE && !mask_i[k]) y_o[8*k+:8] = vs2_i[8*k+:8];
    end
  end
endmodule

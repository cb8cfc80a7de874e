// vtype and vl, and the vset{i}vl{i} instructions.
module zvcore_vconfig #(
  parameter int unsigned VLEN = 256,
  localparam int unsigned PosW = $clog2(VLEN)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               set_i,  // a vset retires
  input  logic [31:0]        insn_i,
  input  zvcore_op_pkg::op_e op_i,
  input  logic [63:0]        rs1_i,
  input  logic [63:0]        rs2_i,
  output logic [63:0]        rd_o,
  output logic               vill_o,
  output logic [7:0]         vtype_o,
  output logic [PosW:0]      vl_o,
  output logic [PosW:0]      vlmax_o  // 0 with vill
);
  logic vill_q, vill_d;
  logic [7:0] vtype_q;
  logic [PosW:0] vl_q, vl_d, vlmax_q, vlmax_d;

  logic [63:0] vtype;
  logic immediate, x0;
  assign immediate = op_i == zvcore_op_pkg::VSETIVLI;
  assign x0 = insn_i[19:15] == '0 && !immediate;
  always_comb begin
    case (op_i)
      zvcore_op_pkg::VSETVLI: vtype = {53'b0, insn_i[30:20]};
      zvcore_op_pkg::VSETIVLI: vtype = {54'b0, insn_i[29:20]};
      default: vtype = rs2_i;
    endcase
  end
  zvcore_vset #(.VLEN(VLEN)) u_vset (
    .vtype_i(vtype), .keep_i(x0 && insn_i[11:7] == '0), .most_i(x0),
    .avl_i(immediate ? {59'b0, insn_i[19:15]} : rs1_i), .vl_i(vl_q), .vlmax_i(vlmax_q),
    .vill_o(vill_d), .vl_o(vl_d), .vlmax_o(vlmax_d)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vill_q <= 1'b1;
      {vtype_q, vl_q, vlmax_q} <= '0;
    end else if (set_i) begin
      vill_q <= vill_d;
      vtype_q <= vill_d ? '0 : vtype[7:0];
      vl_q <= vl_d;
      vlmax_q <= vill_d ? '0 : vlmax_d;
    end
  end
  assign rd_o = 64'(vl_d);
  assign vill_o = vill_q;
  assign vtype_o = vtype_q;
  assign vl_o = vl_q;
  assign vlmax_o = vlmax_q;

  logic unused;
  assign unused = ^{insn_i[31], insn_i[14:12], insn_i[6:0]};
endmodule

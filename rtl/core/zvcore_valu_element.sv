// One element of N bits; a is from vs2, b from vs1 or the scalar.
module zvcore_valu_element #(
  parameter int unsigned N = 64
) (
  input  zvcore_v_pkg::alu_e alu_i,
  input  logic [N-1:0]       a_i,
  input  logic [N-1:0]       b_i,
  output logic [N-1:0]       y_o
);
  localparam int unsigned ShiftW = $clog2(N);
  logic less, less_u;
  assign less = $signed(a_i) < $signed(b_i);
  assign less_u = a_i < b_i;
  always_comb begin
    case (alu_i)
      zvcore_v_pkg::ALU_ADD: y_o = a_i + b_i;
      zvcore_v_pkg::ALU_SUB: y_o = a_i - b_i;
      zvcore_v_pkg::ALU_RSUB: y_o = b_i - a_i;
      zvcore_v_pkg::ALU_MINU: y_o = less_u ? a_i : b_i;
      zvcore_v_pkg::ALU_MIN: y_o = less ? a_i : b_i;
      zvcore_v_pkg::ALU_MAXU: y_o = less_u ? b_i : a_i;
      zvcore_v_pkg::ALU_MAX: y_o = less ? b_i : a_i;
      zvcore_v_pkg::ALU_AND: y_o = a_i & b_i;
      zvcore_v_pkg::ALU_OR: y_o = a_i | b_i;
      zvcore_v_pkg::ALU_XOR: y_o = a_i ^ b_i;
      zvcore_v_pkg::ALU_SLL: y_o = a_i << b_i[ShiftW-1:0];
      zvcore_v_pkg::ALU_SRL: y_o = a_i >> b_i[ShiftW-1:0];
      zvcore_v_pkg::ALU_SRA: y_o = N'($signed(a_i) >>> b_i[ShiftW-1:0]);
      zvcore_v_pkg::ALU_COPY: y_o = a_i;
      default: y_o = b_i;
    endcase
  end
endmodule

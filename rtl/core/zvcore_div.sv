// Division, one bit per cycle; 66 cycles. Dividing magnitudes and then setting the signs gives the
// results that the manual requires for division by zero and overflow (chapter "M", "Division
// Operations").
module zvcore_div (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               start_i,  // held until `done_o`
  input  zvcore_op_pkg::op_e op_i,
  input  logic [63:0]        a_i,
  input  logic [63:0]        b_i,
  output logic               done_o,
  output logic [63:0]        y_o
);
  logic word, is_signed, is_rem;
  assign word = op_i == zvcore_op_pkg::DIVW || op_i == zvcore_op_pkg::DIVUW
      || op_i == zvcore_op_pkg::REMW
      || op_i == zvcore_op_pkg::REMUW;
  assign is_signed = op_i == zvcore_op_pkg::DIV || op_i == zvcore_op_pkg::DIVW
      || op_i == zvcore_op_pkg::REM
      || op_i == zvcore_op_pkg::REMW;
  assign is_rem = op_i == zvcore_op_pkg::REM || op_i == zvcore_op_pkg::REMU
      || op_i == zvcore_op_pkg::REMW
      || op_i == zvcore_op_pkg::REMUW;

  logic [63:0] a, b, a_abs, b_abs;
  assign a = word ? {{32{is_signed && a_i[31]}}, a_i[31:0]} : a_i;
  assign b = word ? {{32{is_signed && b_i[31]}}, b_i[31:0]} : b_i;
  assign a_abs = is_signed && a[63] ? -a : a;
  assign b_abs = is_signed && b[63] ? -b : b;

  // Quotient bits enter where dividend bits leave.
  logic [6:0] step_q;
  logic [127:0] rest_q;
  logic [64:0] trial;
  assign trial = rest_q[127:63] - {1'b0, b_abs};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_q <= '0;
    else if (!start_i || done_o) step_q <= '0;
    else step_q <= step_q + 7'd1;
  end
  always_ff @(posedge clk_i) begin
    if (step_q == '0) rest_q <= {64'b0, a_abs};
    else if (trial[64]) rest_q <= {rest_q[126:0], 1'b0};
    else rest_q <= {trial[63:0], rest_q[62:0], 1'b1};
  end
  assign done_o = step_q == 7'd65;

  logic [63:0] result;
  logic negate;
  assign negate = is_signed && (is_rem ? a[63] : (a[63] ^ b[63]) && b != '0);
  always_comb begin
    result = is_rem ? rest_q[127:64] : rest_q[63:0];
    if (negate) result = -result;
    y_o = word ? {{32{result[31]}}, result[31:0]} : result;
  end
endmodule

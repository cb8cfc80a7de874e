// Collects up to N words of the register file, which may arrive in different cycles.
module zvcore_vfetch #(
  parameter int unsigned W = 128,
  parameter int unsigned N = 3
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [N-1:0]   need_i,
  input  logic           take_i,   // all have arrived and are used
  output logic           ready_o,  // all have arrived
  output logic [N*W-1:0] data_o,
  output logic [N-1:0]   req_o,
  input  logic [N-1:0]   gnt_i,
  input  logic [N*W-1:0] data_i
);
  logic [N-1:0] have_q;
  logic [N*W-1:0] kept_q;
  assign req_o = need_i & ~have_q;
  assign ready_o = (req_o & ~gnt_i) == '0;
  for (genvar i = 0; i < N; i++) begin : gen_word
    assign data_o[W*i+:W] = have_q[i] ? kept_q[W*i+:W] : data_i[W*i+:W];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) have_q[i] <= 1'b0;
      else if (take_i || need_i == '0) have_q[i] <= 1'b0;
      else if (gnt_i[i]) have_q[i] <= 1'b1;
    end
    // Words are dropped once they are used.
    always_ff @(posedge clk_i) begin
      if (take_i) kept_q[W*i+:W] <= '0;
      else if (gnt_i[i]) kept_q[W*i+:W] <= data_i[W*i+:W];
    end
  end
endmodule
